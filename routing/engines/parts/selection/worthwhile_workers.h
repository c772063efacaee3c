#pragma once

// Threads for engines that try several things side by side.

#include <cstddef>

#include "fabric/fabric.h"

namespace pssp {

/// Of the threads that the caller granted, those that pay: one where a dozen passes over all routes
/// of the fabric take less time than the start of a thread, which is some ten microseconds.
inline unsigned worthwhile_workers(const Fabric& fabric, unsigned granted) noexcept {
  constexpr std::size_t much = 2'000;  // steps of about a nanosecond
  return fabric.lids().size() * fabric.channel_count() < much ? 1 : granted;
}

}  // namespace pssp
