#pragma once

namespace pssp {

/// Prefetches a cache line without any effect on results. `address` need not be valid.
inline void fetch(const void* address) noexcept { __builtin_prefetch(address); }

}  // namespace pssp
