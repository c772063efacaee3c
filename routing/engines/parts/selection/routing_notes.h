#pragma once

// What an engine has to say besides the tables.

#include <cstddef>
#include <string>
#include <vector>

#include "routing/trees/inferred_links.h"

namespace pssp {

/// What became of one construction.
struct TriedConstruction {
  std::string name;         ///< "cassp", or "cassp, relieved"
  double score = 0;         ///< what they were compared by; more is better
  double bandwidth = 0;     ///< estimate of the effective bisection bandwidth; 0 where not needed
  double slowdown = 0;      ///< S of docs/explanation/structured-traffic.md; 0 where not needed
  double with_servers = 0;  ///< the same with what is written to servers, which the score counts
  double index = 0;         ///< edge forwarding index
  /// LIDs of each host that bandwidth, slowdown and score count, where hosts have several.
  unsigned lids = 1;
  double base_score = 0;  ///< score of base LIDs alone, where `lids` is above 1
  std::string refusal;    ///< why it does not suit the fabric; all figures are then 0
  /// Free of deadlocks on one virtual lane, management traffic of switches included. Found out only
  /// of those that score the best but for the slack; else false.
  bool one_lane = false;
  bool turned_down = false;  ///< by the caller's Acceptance
};

/// "cassp: bandwidth 0.7228, S 1.25, score 0.6836", or why it does not suit the fabric.
std::string describe(const TriedConstruction& tried);

struct RoutingNotes {
  std::vector<std::string> warnings = {};  ///< what was asked for and could not be had; a line each
  std::vector<TriedConstruction> tried = {};  ///< of an engine that chooses among several
  std::size_t chosen = 0;                     ///< index into `tried`
  /// Links that engine heal took for lost, with those of switches that it took for lost.
  std::vector<InferredLink> inferred = {};
  std::string tree =
      {};  ///< what kind of tree the fabric is (tree_shape.h); empty where it is none
};

}  // namespace pssp
