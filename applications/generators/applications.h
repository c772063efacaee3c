#pragma once

// Built-in applications: the messages of collective operations and of simple codes, for any number
// of ranks. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication
// operations in MPICH", IJHPCA 2005.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "applications/generators/program.h"

namespace pssp {

/// Of `train`.
struct TrainingSize {
  std::uint32_t stages = 1;            ///< at least 1, divides the ranks
  std::uint32_t microbatches = 1;      ///< at least 1
  std::uint64_t activation_bytes = 0;  ///< of a microbatch, from a stage to the next
  std::uint64_t backward_ns = 0;       ///< computation of a microbatch on the way back
  std::uint32_t rails = 1;             ///< 1 to 256: rings, each by an adapter of its own
};

struct ApplicationSize {
  std::uint32_t ranks = 2;          ///< at least 2
  std::uint64_t bytes = 1;          ///< of an all-to-all a pair, of a halo a face, else a rank
  std::uint32_t iterations = 1;     ///< at least 1; one begins at a rank when the one before ended
  std::uint32_t window = 1;         ///< of alltoall:linear: messages of a rank at once
  std::uint64_t compute_ns = 0;     ///< before each iteration; of train forward, a microbatch
  std::vector<std::uint32_t> grid;  ///< of halo: A, B, C with A * B * C = ranks
  TrainingSize training;            ///< of train
  std::string pattern;              ///< of pattern: NAME or NAME:ARGUMENT (evaluator/patterns)
  bool barrier = false;             ///< of pattern: all wait for each other between levels
  std::uint64_t seed = 1;           ///< of patterns that are drawn by chance
};

struct ApplicationDescription {
  std::string_view name;     ///< "allreduce:ring"
  std::string_view summary;  ///< a line for --list
  /// Throws Error(usage) where it is not defined for that size; what reading a pattern's file does.
  Application (*make)(const ApplicationSize&);
};

/// All of them, in the order of the page.
std::span<const ApplicationDescription* const> applications();

/// Throws Error(usage), with the names there are, when there is none of this name.
const ApplicationDescription& find_application(std::string_view name);

}  // namespace pssp
