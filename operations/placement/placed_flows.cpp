#include "operations/placement/placed_flows.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "base/error.h"
#include "evaluator/flows/pattern_simulation.h"

namespace pssp {
namespace {

/// Sorts the flows and merges equal ones.
void finish_round(PlacedRounds& rounds) {
  const auto key = [](const PlacedFlow& flow) { return std::tie(flow.from, flow.to, flow.rail); };
  const auto begin = rounds.flows.begin() + static_cast<std::ptrdiff_t>(rounds.first.back());
  std::sort(begin, rounds.flows.end(),
            [&](const PlacedFlow& a, const PlacedFlow& b) { return key(a) < key(b); });
  auto kept = begin;
  for (auto each = begin; each != rounds.flows.end(); ++each) {
    if (each == begin) continue;
    if (key(*each) == key(*kept)) {
      kept->weight += each->weight;
    } else {
      *++kept = *each;
    }
  }
  if (begin == rounds.flows.end()) return;
  rounds.flows.erase(kept + 1, rounds.flows.end());
  rounds.first.push_back(rounds.flows.size());
}

}  // namespace

PlacedRounds placed_rounds(const Pattern& pattern, std::uint32_t positions,
                           std::uint32_t ranks_per_host, std::uint32_t rails, std::uint64_t seed) {
  PlacedRounds rounds;
  rounds.positions = positions;
  rounds.rails = rails;
  const auto take = [&](std::span<const Flow> flows) {
    if (rounds.flows.size() + flows.size() * rails > most_placed_flows) {
      throw Error(ErrorKind::usage, fmt::format("this pattern has more than {} flows among {} "
                                                "nodes: use fewer nodes, or one rank per node",
                                                most_placed_flows, positions));
    }
    for (const Flow flow : flows) {
      const std::uint32_t from = flow.source / ranks_per_host;
      const std::uint32_t to = flow.destination / ranks_per_host;
      if (from == to) continue;
      if (ranks_per_host == 1) {
        for (std::uint32_t rail = 0; rail < rails; ++rail) {
          rounds.flows.push_back({.from = from, .to = to, .rail = rail, .weight = 1});
        }
      } else {
        const std::uint32_t rail = flow.source % ranks_per_host % rails;
        rounds.flows.push_back({.from = from, .to = to, .rail = rail, .weight = 1});
      }
    }
  };
  FlowWriter writer(take);
  for (std::uint32_t level = 0; level < pattern.level_count(); ++level) {
    pattern.write_level(level, level_random(seed, 0, level), writer);
    take(writer.block());
    writer.clear();
    finish_round(rounds);
  }
  return rounds;
}

}  // namespace pssp
