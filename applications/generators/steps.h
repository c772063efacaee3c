#pragma once

// Functions shared by several applications.

#include <cstdint>
#include <memory>

#include "applications/generators/applications.h"
#include "applications/generators/program.h"

namespace pssp {

/// A step of an application whose ranks have one strand: write_step() of its program.
using StepFunction = bool (*)(const ApplicationSize&, std::uint32_t rank, std::uint64_t step,
                              StepWriter&);

Application application_of(const ApplicationSize& size, StepFunction write_step);

template <StepFunction write_step>
Application make_of_steps(const ApplicationSize& size) {
  return application_of(size, write_step);
}

/// Bytes of one of `blocks` nearly equal blocks.
constexpr std::uint64_t block_bytes(std::uint64_t bytes, std::uint32_t blocks,
                                    std::uint32_t block) {
  return bytes / blocks + (block < bytes % blocks ? 1 : 0);
}

/// A step of a ring allreduce: the bytes that member `place` of `members` sends to the next member
/// and receives from the previous one. There are 2 * (members - 1) steps.
struct RingStep {
  std::uint64_t out = 0, in = 0;
};
RingStep ring_step(std::uint64_t bytes, std::uint32_t members, std::uint32_t place,
                   std::uint32_t step);

/// Distance of a step of doublings: 1, 2, 4, ..; at least `limit` if there is no such step.
constexpr std::uint64_t doubled(std::uint64_t step, std::uint64_t limit) {
  constexpr std::uint64_t most_steps = 32;
  return step < most_steps ? std::uint64_t{1} << step : limit;
}

}  // namespace pssp
