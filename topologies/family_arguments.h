#pragma once

// The arguments of each family: TopologyFamily::declare of the registry.

#include "topologies/family.h"

namespace pssp {

Generator declare_xgft(ArgumentList& list);
Generator declare_k_ary_n_tree(ArgumentList& list);
Generator declare_joined_trees(ArgumentList& list);
Generator declare_director(ArgumentList& list);
Generator declare_odin(ArgumentList& list);
Generator declare_leaf_director(ArgumentList& list);
Generator declare_director_chain(ArgumentList& list);
Generator declare_chic(ArgumentList& list);
Generator declare_atlas(ArgumentList& list);
Generator declare_ranger(ArgumentList& list);
Generator declare_inam35(ArgumentList& list);
Generator declare_inam71(ArgumentList& list);
Generator declare_thunderbird(ArgumentList& list);
Generator declare_deimos(ArgumentList& list);
Generator declare_mesh(ArgumentList& list);
Generator declare_torus(ArgumentList& list);
Generator declare_hyperx(ArgumentList& list);
Generator declare_hypercube(ArgumentList& list);
Generator declare_full_mesh(ArgumentList& list);
Generator declare_random_regular(ArgumentList& list);
Generator declare_dragonfly(ArgumentList& list);

}  // namespace pssp
