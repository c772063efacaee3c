#pragma once

// What links carry in a run.

#include <cstdint>
#include <optional>

#include "fabric/fabric.h"
#include "fabric/link_rate.h"

namespace pssp {

/// Mbit/s of data of a link: as the model asks, else as the fabric states, else the fabric's usual
/// rate, else 4xQDR.
inline std::uint32_t link_megabits(const Fabric& fabric, std::optional<LinkRate> asked,
                                   LinkRate stated) {
  constexpr LinkRate four_times_qdr{4, 8000};
  const LinkRate rate = asked.value_or(stated);
  if (rate.stated()) return rate.capacity();
  const std::uint32_t usual = fabric.reference_capacity();
  return usual != 0 ? usual : four_times_qdr.capacity();
}

}  // namespace pssp
