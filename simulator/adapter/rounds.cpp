// Messages of a host to itself do not use the network, so they are left out.

#include "simulator/adapter/rounds.h"

#include <algorithm>

namespace pssp {

Rounds::Rounds(const Traffic& traffic) : traffic_(traffic) {
  for (const RoundTraffic& rounds : traffic.rounds) {
    states_.emplace_back().ends.assign(rounds.rounds.size(), never);
  }
}

const std::vector<Flow>* Rounds::begin(std::uint32_t number, SimulatedTime now) {
  State& state = states_[number];
  const RoundTraffic& traffic = traffic_.rounds[number];
  for (; state.next < traffic.rounds.size(); ++state.next) {
    const std::vector<Flow>& flows = traffic.rounds[state.next];
    const auto real = std::ranges::count_if(
        flows, [](const Flow& flow) { return flow.source != flow.destination; });
    state.left = static_cast<std::uint64_t>(real) * traffic.bytes;
    if (state.left != 0) return &flows;
    state.ends[state.next] = now;
  }
  return nullptr;
}

bool Rounds::took(std::uint32_t number, std::uint32_t bytes, SimulatedTime now) {
  State& state = states_[number];
  state.left -= bytes;
  if (state.left != 0) return false;
  state.ends[state.next++] = now;
  return true;
}

std::vector<SimulatedTime> Rounds::ends() const {
  std::vector<SimulatedTime> all;
  for (const State& state : states_) all.insert(all.end(), state.ends.begin(), state.ends.end());
  return all;
}

}  // namespace pssp
