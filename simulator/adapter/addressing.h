#pragma once

// The LID, service level and lane to which a host sends.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/service_levels.h"
#include "simulator/model.h"

namespace pssp {

struct Address {
  std::uint16_t lid = 0;
  std::uint8_t level = 0, lane = 0;
};

/// All arguments must outlive the object; levels may be null.
class Addressing {
 public:
  Addressing(const Fabric& fabric, const ServiceLevels* levels, const Model& model);

  /// `path` is added to the base LID of the destination. Uses the level of the route if the run has
  /// levels of routes, else `level`. O(1). Ranks, level and path must be in range.
  Address of(std::uint32_t source, std::uint32_t destination, std::uint8_t level,
             std::uint16_t path = 0) const;
  /// The switch of a host.
  std::uint32_t switch_of(std::uint32_t rank) const noexcept { return switch_[rank]; }
  std::uint16_t base_lid(std::uint32_t rank) const noexcept { return lid_[rank]; }

 private:
  const ServiceLevels* levels_;
  const Model& model_;
  std::vector<std::uint32_t> switch_;
  std::vector<std::uint16_t> lid_;
};

}  // namespace pssp
