#pragma once

namespace pssp {

/// Brings what stands at an address into the cache while the program goes on: nothing but time
/// changes. The address need not be one of an object.
inline void fetch(const void* address) noexcept { __builtin_prefetch(address); }

}  // namespace pssp
