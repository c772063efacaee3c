// Operations with a root (one to all, all to one), and the barrier.

#include <bit>

#include "applications/generators/descriptions.h"
#include "applications/generators/steps.h"

namespace pssp {
namespace {

bool binomial(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
              StepWriter& writer) {
  const std::uint64_t lowest =
      rank == 0 ? std::bit_ceil(std::uint64_t{size.ranks}) : std::uint64_t{rank} & (~rank + 1U);
  if (step == 0) {
    if (rank != 0) writer.receive(size.bytes, rank - static_cast<std::uint32_t>(lowest));
    return true;
  }
  if (step > 1) return false;
  // The largest subtree first, because its path is longest.
  for (std::uint64_t distance = lowest / 2; distance > 0; distance /= 2) {
    if (rank + distance < size.ranks) {
      writer.send(size.bytes, static_cast<std::uint32_t>(rank + distance));
    }
  }
  return true;
}

bool all_to_one(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
                StepWriter& writer) {
  if (step != 0) return false;
  if (rank != 0) {
    writer.send(size.bytes, 0);
  } else {
    for (std::uint32_t from = 1; from < size.ranks; ++from) writer.receive(size.bytes, from);
  }
  return true;
}

bool dissemination(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
                   StepWriter& writer) {
  const std::uint32_t n = size.ranks;
  const std::uint64_t distance = doubled(step, n);
  if (distance >= n) return false;
  const auto d = static_cast<std::uint32_t>(distance);
  writer.send(size.bytes, (rank + d) % n);
  writer.receive(size.bytes, (rank + n - d) % n);
  return true;
}

}  // namespace

const ApplicationDescription bcast_binomial{"bcast:binomial", "from rank 0 down a binomial tree",
                                            make_of_steps<binomial>};
const ApplicationDescription barrier_dissemination{
    "barrier:dissemination", "rank i to i + 1, i + 2, i + 4, ..", make_of_steps<dissemination>};
const ApplicationDescription incast_application{"incast", "all to rank 0",
                                                make_of_steps<all_to_one>};

}  // namespace pssp
