#pragma once

// Writes plans in the formats of measuring programs.

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
  nccl,         ///< one shell script per round
  ib_write_bw,  ///< likewise
};

struct PlanText {
  std::string name;  ///< of the file in a folder; empty for a single text
  std::string content;
};

struct PlanOutputOptions {
  PlanFormat format = PlanFormat::plain;
  /// The driver's name of an adapter: {} is its word in the description, {rail} its rail's number.
  std::string device = "{}";
};

/// Names of the fabric are quoted, and never become a command, an option or a separate line. Throws
/// Error(usage) if an adapter has no name from which to derive the driver's.
std::vector<PlanText> write_plan(const MeasuredNodes& nodes, std::span<const MeasuredUnit> units,
                                 const RoundPlan& plan, const PlanOutputOptions& options);

/// In single quotes for a POSIX shell. Throws Error(usage) on control characters.
std::string shell_quoted(std::string_view text);

}  // namespace pssp
