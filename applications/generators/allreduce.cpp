// Blocks of a vector of s bytes have exact sizes, even if the number of ranks does not divide s:
// each rank receives exactly the number of bytes that the algorithm requires.
//
// Allreduces by doubling are defined for powers of two. With p the largest power of two, rank p + i
// first sends its vector to rank i, and finally receives the result from it, as in MPICH 1.

#include <bit>

#include "applications/generators/descriptions.h"
#include "applications/generators/steps.h"

namespace pssp {
namespace {

void exchange(StepWriter& writer, std::uint64_t out, std::uint64_t in, std::uint32_t partner) {
  writer.send(out, partner);
  writer.receive(in, partner);
}

bool ring(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step, StepWriter& writer) {
  const std::uint32_t n = size.ranks;
  if (step >= 2 * (std::uint64_t{n} - 1)) return false;
  const RingStep bytes = ring_step(size.bytes, n, rank, static_cast<std::uint32_t>(step));
  writer.send(bytes.out, (rank + 1) % n);
  writer.receive(bytes.in, (rank + n - 1) % n);
  return true;
}

/// `steps` steps of doubling(step) among a power of two of ranks; the other ranks as described
/// above.
template <class Doubling>
bool with_folded_ranks(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
                       std::uint64_t steps, StepWriter& writer, const Doubling& doubling) {
  const std::uint32_t power = std::bit_floor(size.ranks);
  const std::uint64_t last = steps + 1;
  if (step > last) return false;
  if (rank >= power) {
    if (step == 0) writer.send(size.bytes, rank - power);
    if (step == last) writer.receive(size.bytes, rank - power);
    return true;
  }
  const bool has_folded = rank + power < size.ranks;
  if (step == 0) {
    if (has_folded) writer.receive(size.bytes, rank + power);
  } else if (step == last) {
    if (has_folded) writer.send(size.bytes, rank + power);
  } else {
    doubling(step - 1);
  }
  return true;
}

std::uint64_t log2_of_power(std::uint32_t ranks) {
  return static_cast<std::uint64_t>(std::bit_width(ranks)) - 1;
}

bool recursive_doubling(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
                        StepWriter& writer) {
  return with_folded_ranks(
      size, rank, step, log2_of_power(size.ranks), writer,
      [&](std::uint64_t k) { exchange(writer, size.bytes, size.bytes, rank ^ (1U << k)); });
}

/// Halving number `number` of a rank: its partner, and which half it keeps.
struct Halving {
  std::uint32_t partner = 0;
  std::uint64_t kept = 0, given = 0;
};
Halving halving(const ApplicationSize& size, std::uint32_t rank, std::uint64_t number) {
  std::uint64_t held = size.bytes;
  Halving result;
  std::uint32_t distance = std::bit_floor(size.ranks) / 2;
  for (std::uint64_t k = 0; k <= number; ++k, distance /= 2) {
    const std::uint64_t lower = held / 2;
    const bool keeps_lower = (rank & distance) == 0;
    result = {rank ^ distance, keeps_lower ? lower : held - lower,
              keeps_lower ? held - lower : lower};
    held = result.kept;
  }
  return result;
}

bool rabenseifner(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
                  StepWriter& writer) {
  const std::uint64_t halvings = log2_of_power(size.ranks);
  return with_folded_ranks(size, rank, step, 2 * halvings, writer, [&](std::uint64_t k) {
    const bool back = k >= halvings;
    const Halving h = halving(size, rank, back ? 2 * halvings - 1 - k : k);
    exchange(writer, back ? h.kept : h.given, back ? h.given : h.kept, h.partner);
  });
}

}  // namespace

const ApplicationDescription allreduce_ring{
    "allreduce:ring", "2(P-1) steps of a P-th to the next rank", make_of_steps<ring>};
const ApplicationDescription allreduce_recursive_doubling{
    "allreduce:recursive_doubling", "exchanges of all bytes at distance 1, 2, 4, ..",
    make_of_steps<recursive_doubling>};
const ApplicationDescription allreduce_rabenseifner{
    "allreduce:rabenseifner", "halves at distance p/2, quarters at p/4, .., and the same way back",
    make_of_steps<rabenseifner>};

}  // namespace pssp
