// Any cable suffices if no switch becomes disconnected: losing half of the fabric would be another
// kind of fault.

#include "tools/play_traffic/cable_cut.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr std::uint64_t cut_purpose = 29;

/// Whether a path from the channel's tail to its head remains without this cable.
bool is_spare(const Fabric& fabric, std::uint32_t channel) {
  const std::uint32_t reverse = fabric.channel_reverse()[channel];
  const std::uint32_t tail = fabric.channel_head()[reverse], head = fabric.channel_head()[channel];
  std::vector<bool> seen(fabric.switch_count(), false);
  std::vector<std::uint32_t> reached{tail};
  seen[tail] = true;
  for (std::size_t i = 0; i < reached.size() && !seen[head]; ++i) {
    for (std::uint32_t c = fabric.first_channel()[reached[i]];
         c < fabric.first_channel()[reached[i] + 1]; ++c) {
      const std::uint32_t next = fabric.channel_head()[c];
      if (c == channel || c == reverse || seen[next]) continue;
      seen[next] = true;
      reached.push_back(next);
    }
  }
  return seen[head];
}

SimulatedCableEnd end_of(const Fabric& fabric, std::uint32_t channel) {
  const std::uint32_t at = fabric.channel_head()[fabric.channel_reverse()[channel]];
  const Switch& of = fabric.switch_at(SwitchId(at));
  return {of.name, description_or_name(of), fabric.channel_out_port()[channel]};
}

}  // namespace

std::string SimulatedCableEnd::quoted() const { return fmt::format("\"{}\"[{}]", node, port); }

CutCable cable_to_cut(const Fabric& fabric, std::uint64_t seed) {
  std::vector<std::uint32_t> channels(fabric.channel_count());
  std::iota(channels.begin(), channels.end(), 0U);
  RandomGenerator random = random_stream(seed, cut_purpose, 0);
  shuffle(channels, random);
  for (const std::uint32_t channel : channels) {
    if (!is_spare(fabric, channel)) continue;
    return {end_of(fabric, channel), end_of(fabric, fabric.channel_reverse()[channel])};
  }
  throw Error(ErrorKind::unsuitable_topology,
              "--cut: the fabric would be disconnected by the loss of any cable between switches");
}

}  // namespace pssp
