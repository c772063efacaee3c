// Hosts of a switch mostly follow each other in the order, so that what a look reads of a channel
// lies together.

#include "routing/engines/parts/shift_counts.h"

namespace pssp {

bool ShiftCounts::is_affordable(const Fabric& fabric, std::size_t hosts) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  return hosts < 65536 && fabric.channel_count() * hosts * sizeof(std::uint16_t) <= most_bytes;
}

ShiftCounts::ShiftCounts(const Fabric& fabric, const std::vector<EndPortId>& hosts)
    : fabric_(fabric),
      hosts_of_(hosts.size()),
      position_(fabric.end_port_count(), no_host),
      positions_at_(fabric.switch_count()),
      counts_(fabric.channel_count() * hosts.size(), 0) {
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    position_[hosts[i].value()] = i;
    positions_at_[fabric.end_port(hosts[i]).attached.value()].push_back(i);
  }
}

void ShiftCounts::change(const DestinationTree& tree, EndPortId destination, int sign) {
  const std::uint32_t to = position_[destination.value()];
  if (to == no_host) return;
  const auto out = tree.out_channel();
  for (const std::uint32_t source : tree.upstream_first()) {
    if (positions_at_[source].empty()) continue;
    for (std::uint32_t s = source; out[s] != DestinationTree::no_channel;
         s = fabric_.channel_head()[out[s]]) {
      std::uint16_t* const row = counts_.data() + out[s] * hosts_of_;
      for (const std::uint32_t from : positions_at_[source]) {
        std::uint16_t& count = row[shift(from, to)];
        count = static_cast<std::uint16_t>(count + sign);
      }
    }
  }
}

double ShiftCounts::met(std::uint32_t channel, std::span<const std::uint32_t> sources,
                        EndPortId destination) const {
  const std::uint32_t to = position_[destination.value()];
  if (to == no_host) return 0;
  const std::uint16_t* const row = counts_.data() + channel * hosts_of_;
  std::uint64_t sum = 0;
  for (const std::uint32_t source : sources) {
    for (const std::uint32_t from : positions_at_[source]) sum += row[shift(from, to)];
  }
  return static_cast<double>(sum) * fabric_.channel_cost()[channel];
}

}  // namespace pssp
