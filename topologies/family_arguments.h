#pragma once

// The command-line arguments of each family: TopologyFamily::declare of the registry.

#include "topologies/family.h"

namespace pssp {

Generator declare_xgft(CLI::App& command);
Generator declare_k_ary_n_tree(CLI::App& command);
Generator declare_director(CLI::App& command);
Generator declare_odin(CLI::App& command);
Generator declare_leaf_director(CLI::App& command);
Generator declare_director_chain(CLI::App& command);
Generator declare_chic(CLI::App& command);
Generator declare_thunderbird(CLI::App& command);
Generator declare_deimos(CLI::App& command);
Generator declare_mesh(CLI::App& command);
Generator declare_torus(CLI::App& command);
Generator declare_hyperx(CLI::App& command);
Generator declare_hypercube(CLI::App& command);
Generator declare_full_mesh(CLI::App& command);
Generator declare_random_regular(CLI::App& command);
Generator declare_dragonfly(CLI::App& command);

}  // namespace pssp
