#pragma once

// The arithmetic that several patterns are made of.

#include <bit>
#include <cstdint>

namespace pssp {

/// ceil(log2(ranks)), 0 for none or one: the levels after which 1 has doubled to `ranks` or more.
constexpr std::uint32_t doublings(std::uint32_t ranks) noexcept {
  return ranks < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(ranks - 1));
}

/// (rank + distance) mod ranks, for any number of ranks. rank < ranks, distance < ranks.
constexpr std::uint32_t shifted(std::uint32_t rank, std::uint32_t distance,
                                std::uint32_t ranks) noexcept {
  return rank < ranks - distance ? rank + distance : rank - (ranks - distance);
}

}  // namespace pssp
