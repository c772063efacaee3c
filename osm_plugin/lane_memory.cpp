#include "osm_plugin/lane_memory.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace pssp {
namespace {

constexpr std::size_t most_entries = 32;

/// Two sums of 64 bits over words, each word spread by multiplication and shifts (the finalizer of
/// MurmurHash3); with different constants, so that what collides in one does not in the other.
class Digest {
 public:
  void add(std::uint64_t word) {
    sums_[0] = spread((sums_[0] ^ word) * 0x9E3779B97F4A7C15U);
    sums_[1] = spread((sums_[1] + word) * 0xC2B2AE3D27D4EB4FU);
  }
  template <class Value>
  void add_all(std::span<const Value> values) {
    add(values.size());
    const auto bytes = std::as_bytes(values);
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
      add(word);
    }
  }
  const SearchDigest& result() const noexcept { return sums_; }

 private:
  static std::uint64_t spread(std::uint64_t value) {
    value ^= value >> 33U;
    value *= 0xFF51AFD7ED558CCDU;
    return value ^ value >> 29U;
  }

  SearchDigest sums_{};
};

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
        std::uint64_t{options.effort}, std::uint64_t{options.insist}, options.budget}) {
    digest.add(option);
  }
  return digest.result();
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
