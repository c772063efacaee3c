#pragma once

// Clusters with a core of directors: CHiC, Atlas, Ranger, Thunderbird and Deimos as the papers
// describe them, and similar clusters of other sizes.

#include "topologies/cabling_plan.h"

namespace pssp {

/// Leaf switches below a core of directors: every leaf has the same number of cables to each
/// director.
struct LeafDirectorParameters {
  unsigned leaves = 0;
  unsigned leaf_ports = 24;
  unsigned hosts = 0;  ///< of all leaves together, spread evenly; if the number is not a multiple
                       ///< of the leaves, the first leaves have one more
  unsigned directors = 0;
  unsigned director_ports = 288;
  unsigned uplinks = 1;  ///< cables of a leaf to each director
};

/// Leaf ports: first the hosts, then the cables to director 1, 2 ... Leaf l (from 0) uses the
/// external ports from l * uplinks on at each director. Throws Error(usage).
CablingPlan make_leaf_director(const LeafDirectorParameters& parameters);

/// Directors in a row, with hosts directly at their free ports.
struct DirectorChainParameters {
  unsigned directors = 0;
  unsigned director_ports = 288;
  unsigned cables = 0;  ///< between neighboring directors
  unsigned hosts = 0;   ///< spread as evenly as the free ports permit
};

/// The first external ports of a director lead to the previous one, the last ones to the next.
/// Throws Error(usage).
CablingPlan make_director_chain(const DirectorChainParameters& parameters);

CablingPlan make_chic();         ///< 528 hosts, 44 leaves, two directors
CablingPlan make_atlas();        ///< 1142 hosts, 96 leaves, four directors
CablingPlan make_ranger();       ///< 3936 hosts, 328 leaves, two 3456-port directors
CablingPlan make_thunderbird();  ///< 4390 hosts, 275 leaves, eight directors
CablingPlan make_deimos();       ///< 724 hosts at three directors

}  // namespace pssp
