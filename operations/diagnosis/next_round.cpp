// A group is the set of links of all its objects. A flow over exactly one of them is evidence for
// or against that link alone. Some links have no such flow: anything over a channel to the only
// host that is routed over it also crosses that host's link. A second round uses flows over both,
// as evidence about the rest of the group. Partners are tried from a random position on, so that
// repeated rounds differ.

#include "operations/diagnosis/next_round.h"

#include <algorithm>
#include <optional>

#include "base/no_index.h"
#include "base/random.h"

namespace pssp {
namespace {

constexpr std::uint64_t next_round_purpose = 0x6e657874;
constexpr std::size_t most_links_of_group = 64;

class NextRoundPlanner {
 public:
  NextRoundPlanner(const FlowAlternatives& alternatives,
                   std::span<const std::vector<std::uint32_t>> nodes,
                   std::span<const std::uint32_t> ranks, std::uint64_t seed)
      : alternatives_(alternatives),
        nodes_(nodes),
        ranks_(ranks),
        random_(random_stream(seed, next_round_purpose, 0)),
        is_taken_(alternatives.link_count(), 0),
        is_suspected_(alternatives.link_count(), 0),
        node_of_rank_(alternatives.endpoint_count(), no_index) {
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      for (const std::uint32_t rank : nodes[n]) node_of_rank_[rank] = n;
    }
  }

  void avoid(const Suspect& each) {
    for (const std::uint32_t link : links_of_group(each)) is_suspected_[link] = 1;
  }

  /// Flows over single links of the group; links without such flows wait for the second round.
  void tell_apart(const Suspect& each) {
    std::vector<std::uint32_t> links = links_of_group(each);
    if (links.size() < 2) return;
    if (links.size() > most_links_of_group) links.resize(most_links_of_group);
    std::vector<std::uint32_t> without;
    for (const std::uint32_t link : links) {
      if (!ask(link, links, 1)) without.push_back(link);
    }
    waiting_.push_back({std::move(links), std::move(without)});
  }

  void begin_second_round() {
    rounds_.push_back(std::move(flows_));
    flows_.clear();
    is_taken_.assign(is_taken_.size(), 0);
    for (const Waiting& each : waiting_) {
      for (const std::uint32_t link : each.without) {
        for (std::size_t crossed = 2; crossed < each.links.size(); ++crossed) {
          if (ask(link, each.links, crossed)) break;
        }
      }
    }
    rounds_.push_back(std::move(flows_));
  }

  std::vector<std::vector<Flow>> rounds() && {
    std::erase_if(rounds_, [](const std::vector<Flow>& round) { return round.empty(); });
    return std::move(rounds_);
  }

 private:
  std::vector<std::uint32_t> links_of_group(const Suspect& each) const {
    std::vector<std::uint32_t> links;
    for (const SuspectObject object : each.group) {
      const std::vector<std::uint32_t> more = links_of(alternatives_, nodes_, object);
      links.insert(links.end(), more.begin(), more.end());
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
  }

  void take(Flow flow) {
    std::vector<std::uint32_t> links;
    alternatives_.append(flow, links);
    for (const std::uint32_t link : links) is_taken_[link] = 1;
  }

  bool ask(std::uint32_t link, const std::vector<std::uint32_t>& group, std::size_t crossed) {
    const auto flow = flow_over(link, group, crossed);
    if (!flow) return false;
    take(*flow);
    flows_.push_back(*flow);
    return true;
  }

  /// Classifies the channels of a path: 2 * (number of channels in the group) + (whether `link` is
  /// one of them), or `useless` if a channel is in use or suspected elsewhere, if more than
  /// `crossed` are in the group, or if there is no path.
  std::uint8_t channels_of_path(std::uint32_t row, std::uint32_t destination, std::uint32_t link,
                                const std::vector<std::uint32_t>& group,
                                std::size_t crossed) const {
    bool crosses = false;
    std::size_t count = 0;
    const bool is_free =
        alternatives_.each_channel_from(row, destination, [&](std::uint32_t channel) {
          if (is_taken_[channel] != 0) return false;
          crosses = crosses || channel == link;
          if (is_suspected_[channel] == 0) return true;
          return std::ranges::binary_search(group, channel) && ++count <= crossed;
        });
    return is_free ? static_cast<std::uint8_t>(2 * count + (crosses ? 1 : 0)) : useless;
  }

  /// Whether the flow is free and crosses `link`, this number of links of the group, and no link
  /// suspected elsewhere. Endpoints of one switch share their path to a destination, which is
  /// followed once per call of flow_over().
  bool is_witness(Flow flow, std::uint32_t link, const std::vector<std::uint32_t>& group,
                  std::size_t crossed) {
    if (node_of_rank_[flow.source] == node_of_rank_[flow.destination]) return false;
    if (is_taken_[alternatives_.link_to(flow.destination)] != 0) return false;
    const std::uint32_t row = alternatives_.row_of(flow.source);
    std::uint8_t& of_path =
        of_paths_[std::size_t{row} * alternatives_.endpoint_count() + flow.destination];
    if (of_path == unknown) of_path = channels_of_path(row, flow.destination, link, group, crossed);
    if (of_path == useless) return false;
    bool crosses = (of_path & 1U) != 0;
    std::size_t count = of_path / 2;
    for (const std::uint32_t each :
         {alternatives_.link_from(flow.source), alternatives_.link_to(flow.destination)}) {
      crosses = crosses || each == link;
      if (is_suspected_[each] == 0) continue;
      if (!std::ranges::binary_search(group, each) || ++count > crossed) return false;
    }
    return crosses;
  }

  std::optional<Flow> flow_over(std::uint32_t link, const std::vector<std::uint32_t>& group,
                                std::size_t crossed) {
    of_paths_.assign(std::size_t{alternatives_.row_count()} * alternatives_.endpoint_count(),
                     unknown);
    const auto count = static_cast<std::uint32_t>(ranks_.size());
    const std::uint32_t first_source = random_.below(count), first_other = random_.below(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t source = ranks_[(first_source + i) % count];
      if (is_taken_[alternatives_.link_from(source)] != 0) continue;
      for (std::uint32_t k = 0; k < count; ++k) {
        const Flow flow{source, ranks_[(first_other + k) % count]};
        if (is_witness(flow, link, group, crossed)) return flow;
      }
    }
    return std::nullopt;
  }

  static constexpr std::uint8_t unknown = 255, useless = 254;
  static_assert(2 * most_links_of_group + 1 < useless);
  struct Waiting {
    std::vector<std::uint32_t> links, without;
  };

  const FlowAlternatives& alternatives_;
  std::span<const std::vector<std::uint32_t>> nodes_;
  std::span<const std::uint32_t> ranks_;
  RandomGenerator random_;
  std::vector<std::uint8_t> is_taken_, is_suspected_;
  std::vector<std::uint32_t> node_of_rank_;
  std::vector<std::uint8_t> of_paths_;  // by row and destination, for flow_over()
  std::vector<Flow> flows_;
  std::vector<std::vector<Flow>> rounds_;
  std::vector<Waiting> waiting_;
};

}  // namespace

std::vector<std::vector<Flow>> plan_next_rounds(const FlowAlternatives& alternatives,
                                                std::span<const std::vector<std::uint32_t>> nodes,
                                                std::span<const std::uint32_t> ranks,
                                                const RateDiagnosis& diagnosis,
                                                std::uint64_t seed) {
  if (ranks.empty()) return {};
  NextRoundPlanner planner(alternatives, nodes, ranks, seed);
  for (const Suspect& each : diagnosis.faults) planner.avoid(each);
  for (const Suspect& each : diagnosis.suspects) planner.avoid(each);
  for (const Suspect& each : diagnosis.faults) planner.tell_apart(each);
  for (const Suspect& each : diagnosis.suspects) planner.tell_apart(each);
  planner.begin_second_round();
  return std::move(planner).rounds();
}

}  // namespace pssp
