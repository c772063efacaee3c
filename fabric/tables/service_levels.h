#pragma once

// Service levels of all routes: which one a packet carries from a source to a destination LID.
//
// InfiniBand chooses the service level once, at the source (the SL of the path record); on the way
// each switch maps it to a virtual lane. All sources at one switch share their routes, so one level
// for each (source switch, destination LID) is all that can be told apart.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/ids.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

using ServiceLevel = std::uint8_t;
/// There are the levels 0 .. 15 (InfiniBand architecture 1.3, section 7.6.5).
constexpr unsigned service_level_count = 16;
/// Data lanes 0 .. 14; lane 15 is for subnet management alone (section 7.6.4).
constexpr unsigned max_data_lanes = 15;
/// "There is no such route."
constexpr ServiceLevel no_service_level = 0xFF;

/// Entry (switch, LID) is the level of packets for that LID from all sources at the switch: the end
/// ports that are cabled to it and its own port 0. Rows have max_lid + 1 entries.
class ServiceLevels {
 public:
  ServiceLevels() = default;
  /// All entries no_service_level.
  ServiceLevels(std::size_t switches, Lid max_lid)
      : switches_(switches),
        width_(std::size_t{max_lid} + 1),
        entries_(switches * width_, no_service_level) {}

  std::size_t switch_count() const noexcept { return switches_; }
  Lid max_lid() const noexcept { return static_cast<Lid>(width_ == 0 ? 0 : width_ - 1); }

  ServiceLevel at(SwitchId s, Lid lid) const noexcept { return entries_[s.value() * width_ + lid]; }
  void set(SwitchId s, Lid lid, ServiceLevel level) noexcept {
    entries_[s.value() * width_ + lid] = level;
  }
  std::span<const ServiceLevel> row(SwitchId s) const noexcept {
    return std::span(entries_).subspan(s.value() * width_, width_);
  }

  friend bool operator==(const ServiceLevels&, const ServiceLevels&) = default;

 private:
  std::size_t switches_ = 0;
  std::size_t width_ = 0;
  std::vector<ServiceLevel> entries_;
};

/// Level 0 for each entry of the tables: how paths go when no level is chosen. O(entries).
ServiceLevels level_zero(const ForwardingTables& tables);

}  // namespace pssp
