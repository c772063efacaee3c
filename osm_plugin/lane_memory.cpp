#include "osm_plugin/lane_memory.h"

#include <algorithm>

namespace pssp {
namespace {

constexpr std::size_t most_entries = 32;

}  // namespace

SearchDigest digest_of(const Fabric& fabric, const ForwardingTables& tables,
                       const LaneOptions& options) {
  Digest digest;
  digest.add_all<std::uint32_t>(fabric.first_channel());
  digest.add_all<std::uint32_t>(fabric.channel_head());
  digest.add_all<PortNumber>(fabric.channel_out_port());
  digest.add_all<std::uint32_t>(fabric.endpoints_per_switch());
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    digest.add(lid);
    digest.add(delivery.at.valid() ? delivery.at.value() : ~std::uint64_t{0});
    digest.add(delivery.port);
    digest.add(static_cast<std::uint64_t>(fabric.owner(lid).kind));
  }
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    digest.add_all<PortNumber>(tables.row(SwitchId(s)));
  }
  for (const std::uint64_t option :
       {std::uint64_t{options.max_lanes}, std::uint64_t{options.balance},
        std::uint64_t{options.reversible}, std::uint64_t{options.switch_ports},
        std::uint64_t{options.effort}, std::uint64_t{options.insist}, options.budget,
        options.most_bytes}) {
    digest.add(option);
  }
  return digest.value();
}

std::optional<FailedSearch> LaneMemory::find(const SearchDigest& digest) const {
  const auto found = std::ranges::find(entries_, digest, &Entry::digest);
  if (found == entries_.end()) return std::nullopt;
  return found->failed;
}

void LaneMemory::add(const SearchDigest& digest, const FailedSearch& failed) {
  entries_.push_front({digest, failed});
  if (entries_.size() > most_entries) entries_.pop_back();
}

}  // namespace pssp
