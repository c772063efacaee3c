// Each application says what one rank does in one iteration, as steps; the iterations of a rank
// follow each other, and no rank waits for another but by messages.
//
// Where blocks of a vector of s bytes travel they have their exact sizes, whether or not the ranks
// divide s: the sum of what a rank receives is what the algorithm needs, to the byte.
//
// Allreduces by doubling are defined for powers of two. With p the largest power of two, rank p + i
// gives its vector to rank i first and gets the result from it last, as in MPICH 1.

#include "applications/generators/applications.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "applications/generators/rank_writer.h"
#include "base/error.h"

namespace pssp {
namespace {

using RankProgram = void (*)(const ApplicationSize&, std::uint32_t rank, RankWriter&);

/// Sends and receives at once, and waits for both.
void exchange(RankWriter& writer, std::uint64_t out, std::uint32_t to, std::uint64_t in,
              std::uint32_t from) {
  writer.send(out, to);
  writer.receive(in, from);
  writer.next_step();
}

/// Bytes of one of `blocks` nearly equal blocks.
std::uint64_t block_bytes(std::uint64_t bytes, std::uint32_t blocks, std::uint32_t block) {
  return bytes / blocks + (block < bytes % blocks ? 1 : 0);
}

void allreduce_ring(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  const std::uint32_t n = size.ranks;
  const std::uint32_t next = (rank + 1) % n;
  const std::uint32_t previous = (rank + n - 1) % n;
  const auto bytes = [&](std::uint32_t block) { return block_bytes(size.bytes, n, block % n); };
  // The blocks are summed up on their first way round, and handed out on the second.
  for (std::uint32_t k = 0; k + 1 < n; ++k) {
    exchange(writer, bytes(rank + n - k), next, bytes(rank + 2 * n - k - 1), previous);
  }
  for (std::uint32_t k = 0; k + 1 < n; ++k) {
    exchange(writer, bytes(rank + 1 + n - k), next, bytes(rank + n - k), previous);
  }
}

/// What `doubling` does among a power of two of ranks, with the others as described above.
template <class Doubling>
void with_folded_ranks(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer,
                       const Doubling& doubling) {
  const std::uint32_t power = std::bit_floor(size.ranks);
  if (rank >= power) {
    writer.send(size.bytes, rank - power);
    writer.next_step();
    writer.receive(size.bytes, rank - power);
    writer.next_step();
    return;
  }
  const bool has_folded = rank + power < size.ranks;
  if (has_folded) writer.receive(size.bytes, rank + power);
  writer.next_step();
  doubling(power);
  if (has_folded) writer.send(size.bytes, rank + power);
  writer.next_step();
}

void allreduce_doubling(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  with_folded_ranks(size, rank, writer, [&](std::uint32_t power) {
    for (std::uint32_t distance = 1; distance < power; distance *= 2) {
      exchange(writer, size.bytes, rank ^ distance, size.bytes, rank ^ distance);
    }
  });
}

void allreduce_rabenseifner(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  struct Halving {
    std::uint32_t partner;
    std::uint64_t kept, given;
  };
  with_folded_ranks(size, rank, writer, [&](std::uint32_t power) {
    std::vector<Halving> halvings;
    std::uint64_t held = size.bytes;
    for (std::uint32_t distance = power / 2; distance > 0; distance /= 2) {
      const std::uint64_t lower = held / 2;
      const bool keeps_lower = (rank & distance) == 0;
      halvings.push_back({rank ^ distance, keeps_lower ? lower : held - lower,
                          keeps_lower ? held - lower : lower});
      held = halvings.back().kept;
    }
    for (const Halving& h : halvings) exchange(writer, h.given, h.partner, h.kept, h.partner);
    std::ranges::reverse(halvings);
    for (const Halving& h : halvings) exchange(writer, h.kept, h.partner, h.given, h.partner);
  });
}

void alltoall_pairwise(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  const std::uint32_t n = size.ranks;
  for (std::uint32_t k = 1; k < n; ++k) {
    exchange(writer, size.bytes, (rank + k) % n, size.bytes, (rank + n - k) % n);
  }
}

void alltoall_linear(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  const std::uint32_t n = size.ranks;
  for (std::uint32_t begin = 1; begin < n; begin += size.window) {
    const std::uint32_t end = size.window < n - begin ? begin + size.window : n;
    for (std::uint32_t k = begin; k < end; ++k) writer.receive(size.bytes, (rank + n - k) % n);
    for (std::uint32_t k = begin; k < end; ++k) writer.send(size.bytes, (rank + k) % n);
    writer.next_step();
    if (end == n) break;
  }
}

/// Numbers below n whose bit `bit`, a power of two, is set.
std::uint32_t numbers_with_bit(std::uint32_t n, std::uint32_t bit) {
  const std::uint64_t period = 2 * std::uint64_t{bit};
  const std::uint64_t rest = n % period;
  return static_cast<std::uint32_t>(n / period * bit + (rest > bit ? rest - bit : 0));
}

void alltoall_bruck(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  const std::uint32_t n = size.ranks;
  for (std::uint64_t distance = 1; distance < n; distance *= 2) {
    const auto d = static_cast<std::uint32_t>(distance);
    const std::uint64_t bytes = size.bytes * numbers_with_bit(n, d);
    exchange(writer, bytes, (rank + d) % n, bytes, (rank + n - d) % n);
  }
}

void bcast_binomial(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  const std::uint64_t lowest =
      rank == 0 ? std::bit_ceil(std::uint64_t{size.ranks}) : std::uint64_t{rank} & (~rank + 1U);
  if (rank != 0) writer.receive(size.bytes, rank - static_cast<std::uint32_t>(lowest));
  writer.next_step();
  // The largest part of the tree first: it has the longest way to go.
  for (std::uint64_t distance = lowest / 2; distance > 0; distance /= 2) {
    if (rank + distance < size.ranks) {
      writer.send(size.bytes, static_cast<std::uint32_t>(rank + distance));
    }
  }
  writer.next_step();
}

void barrier_dissemination(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  const std::uint32_t n = size.ranks;
  for (std::uint64_t distance = 1; distance < n; distance *= 2) {
    const auto d = static_cast<std::uint32_t>(distance);
    exchange(writer, size.bytes, (rank + d) % n, size.bytes, (rank + n - d) % n);
  }
}

void halo(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  std::uint32_t stride = 1;
  std::vector<std::uint32_t> neighbours;
  for (const std::uint32_t length : size.grid) {
    const std::uint32_t place = rank / stride % length;
    const std::uint32_t base = rank - place * stride;
    if (length > 1) {
      neighbours.push_back(base + (place + 1) % length * stride);
      neighbours.push_back(base + (place + length - 1) % length * stride);
    }
    stride *= length;
  }
  for (const std::uint32_t neighbour : neighbours) writer.receive(size.bytes, neighbour);
  for (const std::uint32_t neighbour : neighbours) writer.send(size.bytes, neighbour);
  writer.next_step();
}

void incast(const ApplicationSize& size, std::uint32_t rank, RankWriter& writer) {
  if (rank != 0) {
    writer.send(size.bytes, 0);
  } else {
    for (std::uint32_t from = 1; from < size.ranks; ++from) writer.receive(size.bytes, from);
  }
  writer.next_step();
}

/// What all iterations of a rank have. The second one waits for the first, and each later one is
/// like the second, so two tell of all.
ScheduleSize size_of_rank(const ApplicationSize& size, std::uint32_t rank, RankProgram program) {
  ScheduleSize first, both;
  RankWriter writer(both);
  for (std::uint32_t i = 0; i < std::min(size.iterations, 2U); ++i) {
    first = both;
    writer.compute(size.compute_ns);
    writer.next_step();
    program(size, rank, writer);
  }
  if (size.iterations == 1) return both;
  const std::uint64_t more = size.iterations - 1;
  return {first.operations + more * (both.operations - first.operations),
          first.dependencies + more * (both.dependencies - first.dependencies)};
}

/// What would take all memory is refused before any of it is written.
void require_room(const ApplicationSize& size, RankProgram program) {
  ScheduleSize all;
  for (std::uint32_t rank = 0; rank < size.ranks; ++rank) {
    const ScheduleSize one = size_of_rank(size, rank, program);
    all.operations += one.operations;
    all.dependencies += one.dependencies;
    if (all.operations <= most_operations && all.dependencies <= most_dependencies) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("{} iterations of {} ranks have more than {} operations or {} dependencies "
                    "(reached at rank {}), which is more than is simulated: fewer iterations, "
                    "fewer ranks, or a smaller window",
                    size.iterations, size.ranks, most_operations, most_dependencies, rank));
  }
}

template <RankProgram program>
std::vector<RankSchedule> write_ranks(const ApplicationSize& size) {
  require_room(size, program);
  std::vector<RankSchedule> ranks;
  ranks.reserve(size.ranks);
  for (std::uint32_t rank = 0; rank < size.ranks; ++rank) {
    RankWriter writer;
    for (std::uint32_t i = 0; i < size.iterations; ++i) {
      writer.compute(size.compute_ns);
      writer.next_step();
      program(size, rank, writer);
    }
    ranks.push_back(writer.take());
  }
  return ranks;
}

const std::array all_applications{
    ApplicationDescription{"allreduce:ring", "2(P-1) steps of a P-th to the next rank",
                           write_ranks<allreduce_ring>},
    ApplicationDescription{"allreduce:recursive_doubling",
                           "exchanges of all bytes at distance 1, 2, 4, ..",
                           write_ranks<allreduce_doubling>},
    ApplicationDescription{"allreduce:rabenseifner",
                           "halves at distance p/2, quarters at p/4, .., and the same way back",
                           write_ranks<allreduce_rabenseifner>},
    ApplicationDescription{"alltoall:pairwise",
                           "rank i to i + k, k = 1, 2, .., one after the other",
                           write_ranks<alltoall_pairwise>},
    ApplicationDescription{"alltoall:linear", "the same, window=W of them at once",
                           write_ranks<alltoall_linear>},
    ApplicationDescription{"alltoall:bruck", "log2 P steps of many blocks at distance 1, 2, 4, ..",
                           write_ranks<alltoall_bruck>},
    ApplicationDescription{"bcast:binomial", "from rank 0 down a binomial tree",
                           write_ranks<bcast_binomial>},
    ApplicationDescription{"barrier:dissemination", "rank i to i + 1, i + 2, i + 4, ..",
                           write_ranks<barrier_dissemination>},
    ApplicationDescription{"halo:AxBxC", "six neighbours on a torus of ranks, all at once",
                           write_ranks<halo>},
    ApplicationDescription{"incast", "all to rank 0", write_ranks<incast>}};

}  // namespace

std::span<const ApplicationDescription> applications() { return all_applications; }

const ApplicationDescription& find_application(std::string_view name) {
  std::string names;
  for (const ApplicationDescription& application : all_applications) {
    if (application.name == name) return application;
    names += (names.empty() ? "" : ", ") + std::string(application.name);
  }
  throw Error(ErrorKind::usage,
              fmt::format("there is no application '{}'; expected one of {}", name, names));
}

}  // namespace pssp
