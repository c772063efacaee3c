#pragma once

// Data rates of links in a run.

#include <cstdint>
#include <optional>

#include "fabric/fabric.h"
#include "fabric/link_rate.h"

namespace pssp {

/// Data rate of a link in Mbit/s: from the model if set, else from the fabric, else the fabric's
/// most common rate, else 4xQDR.
inline std::uint32_t link_megabits(const Fabric& fabric, std::optional<LinkRate> asked,
                                   LinkRate stated) {
  constexpr LinkRate four_times_qdr{4, 8000};
  const LinkRate rate = asked.value_or(stated);
  if (rate.stated()) return rate.capacity();
  const std::uint32_t usual = fabric.reference_capacity();
  return usual != 0 ? usual : four_times_qdr.capacity();
}

}  // namespace pssp
