// Local search, destination by destination (tree_search.h).
//
// Changes that lower the contention end in a local minimum, and on regular fabrics the routes of
// P-SSSP are one from the beginning, though far better tables exist. Noisy passes leave it: they
// multiply the contention of each candidate by a random number around 1. The noise fades from pass
// to pass, and passes without noise follow (simulated annealing).

#include "routing/engines/parts/local_search/contention_search.h"

#include <optional>
#include <string_view>
#include <vector>

#include "fabric/paths/hop_distances.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/local_search/tree_search.h"

namespace pssp {
namespace {

constexpr std::string_view reduction_name = "search for routes with less contention";

/// The groups of each round: the first LIDs of all endpoints, the second ones, and so on.
std::vector<std::vector<DestinationGroup>> rounds(const Fabric& fabric) {
  std::vector<std::vector<DestinationGroup>> all;
  DestinationOrder order = destinations_by_switch(fabric, switches_by_proximity(fabric));
  for (DestinationGroup& group : order.endpoints) {
    const EndPortId owner(fabric.owner(group.lids.front()).index);
    const std::size_t round = group.lids.front() - fabric.end_port(owner).lid;
    if (round >= all.size()) all.resize(round + 1);
    all[round].push_back(std::move(group));
  }
  return all;
}

class ContentionSearch {
 public:
  ContentionSearch(const Fabric& fabric, ForwardingTables& tables,
                   const ContentionSearchOptions& options, const StopSignal& stop)
      : fabric_(fabric),
        tables_(tables),
        options_(options),
        stop_(stop),
        probes_left_(options.max_probes),
        counts_(fabric),
        tree_(fabric, counts_, options.max_extra_hops, options.seed, options.up_down) {
    if (options.structured.count()) structured_.emplace(fabric, options.structured);
  }

  double run() {
    double gain = 0;
    for (const std::vector<DestinationGroup>& groups : rounds(fabric_)) {
      add_routes(groups);
      passes_ = 0;
      make_noisy_passes(groups);
      gain += make_passes(groups);
      if (options_.only_first_lids) break;
      // Structured traffic uses base LIDs only.
      structured_.reset();
    }
    return gain;
  }

 private:
  void add_routes(const std::vector<DestinationGroup>& groups) {
    for (const DestinationGroup& group : groups) {
      stop_.check("first tables of a search", group, groups);
      tree_.set_root(group.at);
      for (const Lid lid : group.lids) {
        tree_.read(tables_, lid);
        if (options_.grow) {
          tree_.improve(probes_left_);
          tree_.write(tables_, lid);
        }
        counts_.add(tree_.tree());
        if (!structured_) continue;
        structured_->set_destination(owner(lid));
        structured_->add_to_shifts(tree_.tree());
      }
    }
  }

  EndPortId owner(Lid lid) const { return EndPortId(fabric_.owner(lid).index); }

  void make_noisy_passes(const std::vector<DestinationGroup>& groups) {
    // An error of up to a quarter is enough for every entry to change.
    constexpr double first_noise = 0.5;
    for (std::uint32_t pass = 0; pass < options_.noisy_passes; ++pass) {
      tree_.set_noise(first_noise * (options_.noisy_passes - pass) / options_.noisy_passes);
      improve(groups);
    }
    tree_.set_noise(0);
  }

  double make_passes(const std::vector<DestinationGroup>& groups) {
    constexpr double little = 2e-3;  // share of the contention: a pass that gains less is the last
    double gain = 0;
    for (std::uint32_t pass = 0; pass < options_.max_passes; ++pass) {
      const double of_pass = improve(groups);
      gain += of_pass;
      if (of_pass <= little * counts_.contention()) break;
    }
    return gain;
  }

  double improve(const std::vector<DestinationGroup>& groups) {
    double gain = 0;
    for (const DestinationGroup& group : groups) {
      if (probes_left_ == 0) break;
      stop_.check(reduction_name, part_done(group, groups));
      tree_.set_root(group.at);
      if (structured_) set_leaf(group);
      for (const Lid lid : group.lids) gain += improve(lid);
    }
    tree_.weigh(nullptr);
    ++passes_;
    return gain;
  }

  void set_leaf(const DestinationGroup& group) {
    tree_.weigh(&*structured_);
    structured_->set_leaf();
    for (const Lid lid : group.lids) {
      structured_->add_to_leaf(tree_.read_paths(tables_, lid));
    }
  }

  /// Of all passes that may be made; those without noise often end before.
  double part_done(const DestinationGroup& group,
                   const std::vector<DestinationGroup>& groups) const {
    const double of_pass =
        static_cast<double>(&group - groups.data()) / static_cast<double>(groups.size());
    return (passes_ + of_pass) / (options_.noisy_passes + options_.max_passes);
  }

  double improve(Lid lid) {
    tree_.read(tables_, lid);
    counts_.remove(tree_.tree());
    if (structured_) structured_->set_destination(owner(lid));
    if (options_.fixed != nullptr) find_movable(lid);
    const double gain = tree_.improve(probes_left_, {.may_move = may_move_, .baseline = {}});
    tree_.write(tables_, lid);
    counts_.add(tree_.tree());
    return gain;
  }

  void find_movable(Lid lid) {
    may_move_.resize(fabric_.switch_count());
    for (std::uint32_t s = 0; s < may_move_.size(); ++s) {
      may_move_[s] = options_.fixed->at(SwitchId(s), lid) == no_port ? 1 : 0;
    }
  }

  const Fabric& fabric_;
  ForwardingTables& tables_;
  ContentionSearchOptions options_;
  const StopSignal& stop_;
  std::uint64_t probes_left_;
  std::uint32_t passes_ = 0;            // made so far
  std::vector<std::uint8_t> may_move_;  // by SwitchId, of the present LID; empty: all
  ContentionCounts counts_;
  TreeSearch tree_;
  std::optional<StructuredCounts> structured_;  // while it counts
};

}  // namespace

std::uint64_t probes_per_pass(const Fabric& fabric, std::uint32_t max_extra_hops) {
  std::uint64_t probes = 0;
  HopDistances distances(fabric);
  for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
    if (fabric.endpoints_per_switch()[root] == 0) continue;
    distances.search(SwitchId(root));
    std::uint64_t candidates = 0;
    for (const std::uint32_t s : distances.order().subspan(1)) {
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        if (distances.is_next_hop(s, c, max_extra_hops)) ++candidates;
      }
    }
    probes += candidates * fabric.endpoints_per_switch()[root];
  }
  return probes;
}

double reduce_contention(const Fabric& fabric, ForwardingTables& tables,
                         const ContentionSearchOptions& options, const StopSignal& stop) {
  return ContentionSearch(fabric, tables, options, stop).run();
}

}  // namespace pssp
