#include "evaluator/metrics/worst_pairs.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "fabric/tables/destination_tree.h"

// All endpoints of a switch share its routes, so pairs are processed in groups: the endpoints of
// one switch as sources, and one destination. A traversal of a destination's tree computes the
// largest index and the sum of indices of each switch's route from those of the next switch.
//
// The `top` worst pairs are in the first `top` groups, if groups are ordered by their first pairs:
// `top` groups before a group contain `top` pairs before all of its own. Each thread keeps its
// first `top` groups; the order of groups is total, so the result does not depend on the threads.

namespace pssp {
namespace {

/// Sources at one switch, one destination.
struct Group {
  double largest_index = 0;
  double index_sum = 0;
  std::uint32_t first_source = 0;  // lowest rank at the switch
  std::uint32_t destination = 0;   // rank
};

bool worse(const Group& a, const Group& b) {
  return std::tuple(-a.largest_index, -a.index_sum, a.first_source, a.destination) <
         std::tuple(-b.largest_index, -b.index_sum, b.first_source, b.destination);
}

bool worse(const WorstPair& a, const WorstPair& b) {
  return std::tuple(-a.largest_index, -a.index_sum, a.pair.source, a.pair.destination) <
         std::tuple(-b.largest_index, -b.index_sum, b.pair.source, b.pair.destination);
}

/// The first groups added so far: a heap with the last of them on top.
class FirstGroups {
 public:
  explicit FirstGroups(std::size_t top) : top_(top) {}

  void show(const Group& group) {
    count(group.largest_index, 0);
    const auto order = [](const Group& a, const Group& b) { return worse(a, b); };
    if (groups_.size() == top_) {
      if (top_ == 0 || !worse(group, groups_.front())) return;
      std::pop_heap(groups_.begin(), groups_.end(), order);
      groups_.pop_back();
    }
    groups_.push_back(group);
    std::push_heap(groups_.begin(), groups_.end(), order);
  }

  /// Counts pairs with the largest index so far.
  void count(double index, std::uint64_t pairs) {
    if (index > largest_) {
      largest_ = index;
      pairs_ = 0;
    }
    if (index == largest_) pairs_ += pairs;
  }

  const std::vector<Group>& groups() const { return groups_; }
  double largest() const { return largest_; }
  std::uint64_t pairs() const { return pairs_; }

 private:
  std::size_t top_;
  std::vector<Group> groups_;
  double largest_ = 0;
  std::uint64_t pairs_ = 0;
};

/// The workspace of a thread.
class Searcher {
 public:
  Searcher(const Fabric& fabric, const ForwardingTables& tables,
           std::span<const double> channel_index, std::span<const std::uint32_t> first_rank,
           std::size_t top)
      : fabric_(fabric),
        tables_(tables),
        channel_index_(channel_index),
        first_rank_(first_rank),
        tree_(fabric),
        largest_(fabric.switch_count()),
        sum_(fabric.switch_count()),
        found_(top) {}

  void look_at(std::uint32_t destination) {
    const Lid lid = fabric_.end_port(fabric_.endpoints()[destination]).lid;
    if (lid == no_lid) return;
    tree_.read(tables_, lid);
    const std::span<const std::uint32_t> order = tree_.upstream_first();
    for (std::size_t i = order.size(); i > 0; --i) {
      const std::uint32_t s = order[i - 1];
      const std::uint32_t out = tree_.out_channel()[s];
      if (out == DestinationTree::no_channel) {
        largest_[s] = sum_[s] = 0;
        continue;
      }
      const std::uint32_t next = fabric_.channel_head()[out];
      largest_[s] = std::max(largest_[next], channel_index_[out]);
      sum_[s] = sum_[next] + channel_index_[out];
      const std::uint32_t sources = fabric_.endpoints_per_switch()[s];
      if (sources == 0) continue;
      found_.show({largest_[s], sum_[s], first_rank_[s], destination});
      found_.count(largest_[s], sources);
    }
  }

  const FirstGroups& found() const { return found_; }

 private:
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  std::span<const double> channel_index_;
  std::span<const std::uint32_t> first_rank_;
  DestinationTree tree_;
  std::vector<double> largest_, sum_;
  FirstGroups found_;
};

/// Lowest rank of the endpoints at each switch.
std::vector<std::uint32_t> first_ranks(const Fabric& fabric) {
  std::vector<std::uint32_t> first(fabric.switch_count(),
                                   std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t rank = 0; rank < fabric.endpoints().size(); ++rank) {
    std::uint32_t& at = first[fabric.end_port(fabric.endpoints()[rank]).attached.value()];
    at = std::min(at, rank);
  }
  return first;
}

/// The first `top` pairs of the groups.
std::vector<WorstPair> pairs_of(const Fabric& fabric, std::vector<Group> groups, std::size_t top) {
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return worse(a, b); });
  groups.resize(std::min(top, groups.size()));
  std::vector<std::vector<std::uint32_t>> ranks_at(fabric.switch_count());
  for (std::uint32_t rank = 0; rank < fabric.endpoints().size(); ++rank) {
    ranks_at[fabric.end_port(fabric.endpoints()[rank]).attached.value()].push_back(rank);
  }
  std::vector<WorstPair> pairs;
  for (const Group& group : groups) {
    const EndPort& source = fabric.end_port(fabric.endpoints()[group.first_source]);
    for (const std::uint32_t rank : ranks_at[source.attached.value()]) {
      pairs.push_back({{rank, group.destination}, group.largest_index, group.index_sum});
    }
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const WorstPair& a, const WorstPair& b) { return worse(a, b); });
  pairs.resize(std::min(top, pairs.size()));
  return pairs;
}

}  // namespace

WorstPairs worst_pairs(const Fabric& fabric, const ForwardingTables& tables,
                       std::span<const std::uint64_t> loads, std::size_t top) {
  std::vector<double> channel_index(loads.size());
  for (std::size_t c = 0; c < loads.size(); ++c) {
    channel_index[c] = static_cast<double>(loads[c]) * fabric.channel_cost()[c];
  }
  const std::vector<std::uint32_t> first_rank = first_ranks(fabric);
  tbb::enumerable_thread_specific<Searcher> searchers(
      [&] { return Searcher(fabric, tables, channel_index, first_rank, top); });
  constexpr std::uint32_t lids_per_cache_line = 64;
  const auto endpoints = static_cast<std::uint32_t>(fabric.endpoints().size());
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, endpoints, lids_per_cache_line),
                    [&](const tbb::blocked_range<std::uint32_t>& block) {
                      Searcher& searcher = searchers.local();
                      for (std::uint32_t d = block.begin(); d != block.end(); ++d) {
                        searcher.look_at(d);
                      }
                    });
  WorstPairs result;
  FirstGroups counted(0);
  std::vector<Group> groups;
  for (const Searcher& searcher : searchers) {
    const FirstGroups& found = searcher.found();
    groups.insert(groups.end(), found.groups().begin(), found.groups().end());
    counted.count(found.largest(), found.pairs());
  }
  result.as_bad_as_the_first = counted.pairs();
  result.pairs = pairs_of(fabric, std::move(groups), top);
  return result;
}

}  // namespace pssp
