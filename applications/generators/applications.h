#pragma once

// Built-in applications: the messages of collective operations and of simple codes, for any number
// of ranks. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
// operations in MPICH", IJHPCA 2005.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

struct ApplicationSize {
  std::uint32_t ranks = 2;          ///< at least 2
  std::uint64_t bytes = 1;          ///< of an all-to-all a pair, of a halo a face, else a rank
  std::uint32_t iterations = 1;     ///< at least 1; one begins at a rank when the one before ended
  std::uint32_t window = 1;         ///< of alltoall:linear: messages of a rank at once
  std::uint64_t compute_ns = 0;     ///< before each iteration
  std::vector<std::uint32_t> grid;  ///< of halo: A, B, C with A * B * C = ranks
};

struct ApplicationDescription {
  std::string_view name;     ///< "allreduce:ring"
  std::string_view summary;  ///< a line for --list
  /// Throws Error(usage) beyond these limits, before it has made any.
  std::function<std::vector<RankSchedule>(const ApplicationSize&)> make;
};

/// All of them, in the order of the page.
std::span<const ApplicationDescription> applications();

/// Throws Error(usage), with the names there are, when there is none of this name.
const ApplicationDescription& find_application(std::string_view name);

}  // namespace pssp
