#pragma once

// Threads for engines that try several things side by side.

#include <cstddef>
#include <future>

#include "fabric/fabric.h"

namespace pssp {

/// Whether a dozen passes over all routes of the fabric are worth a thread of their own, whose
/// start takes some ten microseconds.
inline std::launch launch_policy(const Fabric& fabric) noexcept {
  constexpr std::size_t much = 2'000;  // steps of about a nanosecond
  return fabric.lids().size() * fabric.channel_count() < much ? std::launch::deferred
                                                              : std::launch::async;
}

}  // namespace pssp
