#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operations/diagnosis/plan_output.h"
#include "tools/diagnosis/measured_fabric.h"

namespace pssp {

struct PairPlanOptions {
  std::vector<std::string> files;
  NodeChoiceOptions fabric;
  unsigned rounds = 3;
  std::uint64_t seed = 1;
  bool together = false;
  RoundShape shape = RoundShape::one_direction;
  PlanOutputOptions format;
  std::vector<std::string> simulate;  ///< faults, "leaf 4[17]=0.25"; nonempty: rates are simulated
  bool is_simulated = false;
  std::optional<unsigned> rehearse;
  std::vector<std::string> slow;  ///< kinds of faults to rehearse; empty: all
  std::string rivals;
  bool json = false;
  std::string output = "-";

  /// Whether the output is several files in a folder.
  bool is_folder() const {
    return format.format == PlanFormat::mpi || format.format == PlanFormat::nccl ||
           format.format == PlanFormat::ib_write_bw;
  }
};

/// None if --help or --version was printed. Throws Error(usage).
std::optional<PairPlanOptions> parse_pair_plan_options(int argc, const char* const* argv);

}  // namespace pssp
