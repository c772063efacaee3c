#pragma once

// What an engine reports besides the tables.

#include <cstddef>
#include <string>
#include <vector>

#include "routing/trees/inferred_links.h"

namespace pssp {

/// Figures of one candidate of engine `best`.
struct TriedConstruction {
  std::string name;         ///< "cassp", or "cassp, lower EFI"
  double score = 0;         ///< higher is better
  double bandwidth = 0;     ///< estimate of the effective bisection bandwidth; 0 where not needed
  double slowdown = 0;      ///< S of docs/explanation/structured-traffic.md; 0 where not needed
  double with_servers = 0;  ///< S with traffic to servers, which the score uses
  double index = 0;         ///< edge forwarding index
  /// LIDs of each host that bandwidth, slowdown and score include.
  unsigned lids = 1;
  double base_score = 0;  ///< score of base LIDs alone, if `lids` is above 1
  std::string refusal;    ///< why the candidate cannot be selected; empty if it can
  /// Free of credit loops on one virtual lane, including management traffic of switches. Determined
  /// for candidates within the slack only; else false.
  bool one_lane = false;
  bool rejected = false;  ///< by the Acceptance of the caller
};

/// "cassp: bandwidth 0.7228, S 1.25, score 0.6836", or the reason of the refusal.
std::string describe(const TriedConstruction& tried);

struct RoutingNotes {
  std::vector<std::string> warnings = {};     ///< requests that the engine ignored; a line each
  std::vector<TriedConstruction> tried = {};  ///< candidates of engine `best`
  std::size_t chosen = 0;                     ///< index into `tried`
  /// Missing links that engine heal inferred, including those of missing switches.
  std::vector<InferredLink> inferred = {};
  std::string tree = {};  ///< shape of the tree (tree_shape.h); empty if the fabric is no tree
};

}  // namespace pssp
