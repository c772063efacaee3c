// From each rank to each other: one after the other, several at once, or in log2 P steps that
// combine blocks of several ranks.

#include <algorithm>

#include "applications/generators/descriptions.h"
#include "applications/generators/steps.h"

namespace pssp {
namespace {

bool pairwise(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
              StepWriter& writer) {
  const std::uint32_t n = size.ranks;
  if (step + 1 >= n) return false;
  const auto k = static_cast<std::uint32_t>(step + 1);
  writer.send(size.bytes, (rank + k) % n);
  writer.receive(size.bytes, (rank + n - k) % n);
  return true;
}

bool linear(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
            StepWriter& writer) {
  const std::uint32_t n = size.ranks;
  const std::uint64_t first = 1 + step * size.window;
  if (first >= n) return false;
  const auto begin = static_cast<std::uint32_t>(first);
  const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(first + size.window, n));
  for (std::uint32_t k = begin; k < end; ++k) writer.receive(size.bytes, (rank + n - k) % n);
  for (std::uint32_t k = begin; k < end; ++k) writer.send(size.bytes, (rank + k) % n);
  return true;
}

/// Numbers below n in which `bit`, a power of two, is set.
std::uint32_t numbers_with_bit(std::uint32_t n, std::uint32_t bit) {
  const std::uint64_t period = 2 * std::uint64_t{bit};
  const std::uint64_t rest = n % period;
  return static_cast<std::uint32_t>(n / period * bit + (rest > bit ? rest - bit : 0));
}

bool bruck(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
           StepWriter& writer) {
  const std::uint32_t n = size.ranks;
  const std::uint64_t distance = doubled(step, n);
  if (distance >= n) return false;
  const auto d = static_cast<std::uint32_t>(distance);
  const std::uint64_t bytes = size.bytes * numbers_with_bit(n, d);
  writer.send(bytes, (rank + d) % n);
  writer.receive(bytes, (rank + n - d) % n);
  return true;
}

}  // namespace

const ApplicationDescription alltoall_pairwise{"alltoall:pairwise",
                                               "rank i to i + k, k = 1, 2, .., one after the other",
                                               make_of_steps<pairwise>};
const ApplicationDescription alltoall_linear{
    "alltoall:linear", "the same, with window=W messages at the same time", make_of_steps<linear>};
const ApplicationDescription alltoall_bruck{
    "alltoall:bruck", "log2 P steps of many blocks at distance 1, 2, 4, ..", make_of_steps<bruck>};

}  // namespace pssp
