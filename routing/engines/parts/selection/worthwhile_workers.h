#pragma once

// Threads for engines that compute several candidates in parallel.

#include <cstddef>

#include "fabric/fabric.h"

namespace pssp {

/// Number of threads to use, at most `granted`: one if a dozen passes over all routes of the fabric
/// take less time than the start of a thread, about ten microseconds.
inline unsigned worthwhile_workers(const Fabric& fabric, unsigned granted) noexcept {
  constexpr std::size_t enough_work = 2'000;  // steps of about a nanosecond
  return fabric.lids().size() * fabric.channel_count() < enough_work ? 1 : granted;
}

}  // namespace pssp
