#pragma once

// Built-in applications: the messages of collective operations and simple codes, for any number of
// ranks. R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations
// in MPICH", IJHPCA 2005.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "applications/generators/program.h"

namespace pssp {

/// For `train`.
struct TrainingSize {
  std::uint32_t stages = 1;            ///< at least 1, divides the ranks
  std::uint32_t microbatches = 1;      ///< at least 1
  std::uint64_t activation_bytes = 0;  ///< of a microbatch, from one stage to the next
  std::uint64_t backward_ns = 0;       ///< computation of a microbatch in the backward pass
  std::uint32_t rails = 1;             ///< 1 to 256: rings, each with its own adapter
};

struct ApplicationSize {
  std::uint32_t ranks = 2;       ///< at least 2
  std::uint64_t bytes = 1;       ///< per pair in an all-to-all, per face in a halo, else per rank
  std::uint32_t iterations = 1;  ///< at least 1; a rank begins one when the previous one ended
  std::uint32_t window = 1;      ///< for alltoall:linear: concurrent messages of a rank
  std::uint64_t compute_ns = 0;  ///< before each iteration; for train: forward, per microbatch
  std::vector<std::uint32_t> grid;  ///< for halo: A, B, C with A * B * C = ranks
  TrainingSize training;            ///< for train
  std::string pattern;              ///< for pattern: NAME or NAME:ARGUMENT (evaluator/patterns)
  bool barrier = false;             ///< for pattern: all ranks wait for each other between levels
  std::uint64_t seed = 1;           ///< for random patterns
};

struct ApplicationDescription {
  std::string_view name;     ///< "allreduce:ring"
  std::string_view summary;  ///< a line for --list
  /// Throws Error(usage) if it is not defined for that size, and the errors of reading a pattern
  /// file.
  Application (*make)(const ApplicationSize&);
};

/// All applications, in the order of the documentation.
std::span<const ApplicationDescription* const> applications();

/// Throws Error(usage), listing the known names, for an unknown name.
const ApplicationDescription& find_application(std::string_view name);

}  // namespace pssp
