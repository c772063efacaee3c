#pragma once

// Extended generalized fat trees (Oehring, Ibel, Das, Kumar: On Generalized Fat Trees, IPPS 1995)
// and, as a special case, k-ary n-trees (Petrini, Vanneschi: k-ary n-trees, IPPS 1997).

#include <vector>

#include "topologies/cabling_plan.h"

namespace pssp {

/// XGFT(h; m_1 .. m_h; w_1 .. w_h), where h is the length of both lists: a node of level l has m_l
/// children and w_(l+1) parents. Hosts have level 0. w_1 must be 1, because hosts with several
/// ports would give as many separate fabrics.
struct XgftParameters {
  std::vector<unsigned> children;  ///< m_1 .. m_h, from the hosts up
  std::vector<unsigned> parents;   ///< w_1 .. w_h
  unsigned parallel = 1;           ///< cables between a switch and each of its parents
};

/// Switch ports: first children, then parents; parallel cables have consecutive ports. `parallel`
/// is at most max_port_number. Throws Error(usage).
CablingPlan make_xgft(const XgftParameters& parameters);

/// XGFT(n; k, .. k; 1, k, .. k): k^n hosts, n k^(n-1) switches.
XgftParameters k_ary_n_tree(unsigned k, unsigned n);

}  // namespace pssp
