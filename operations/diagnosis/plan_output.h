#pragma once

// Plans as the programs want them that measure.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/diagnosis/measured_nodes.h"
#include "operations/diagnosis/round_plan.h"

namespace pssp {

enum class PlanFormat : std::uint8_t {
  plain,        ///< one text: `round source destination`, with LIDs behind '#'
  clusterkit,   ///< one text: `round node node`
  mpi,          ///< pairs of ranks, and a hostfile
  nccl,         ///< a shell script a round
  ib_write_bw,  ///< likewise
};

struct PlanText {
  std::string name;  ///< of the file in a folder; empty where there is one text alone
  std::string content;
};

struct PlanOutputOptions {
  PlanFormat format = PlanFormat::plain;
  /// What an adapter is called by its driver: {} is its word in the description, {rail} its rail's
  /// number.
  std::string device = "{}";
};

/// Names of the fabric are quoted, and never a command, an option or a line of their own. Throws
/// Error(usage) where an adapter has no name that a driver could know it by.
std::vector<PlanText> write_plan(const MeasuredNodes& nodes, std::span<const MeasuredUnit> units,
                                 const RoundPlan& plan, const PlanOutputOptions& options);

/// In single quotes for a POSIX shell. Throws Error(usage) on control characters.
std::string shell_quoted(std::string_view text);

}  // namespace pssp
