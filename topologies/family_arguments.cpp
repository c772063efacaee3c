// Separate from the families, so that the families do not depend on command lines.

#include "topologies/family_arguments.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "topologies/arguments.h"
#include "topologies/director.h"
#include "topologies/director_clusters.h"
#include "topologies/dragonfly.h"
#include "topologies/hyperx.h"
#include "topologies/joined_trees.h"
#include "topologies/mesh.h"
#include "topologies/random_regular.h"
#include "topologies/size_list.h"
#include "topologies/xgft.h"

namespace pssp {
namespace {

Generator declare_grid(ArgumentList& list, bool wraps) {
  struct Arguments {
    std::string sizes, ports = "regular";
    MeshParameters mesh;
  };
  auto arguments = std::make_shared<Arguments>();
  MeshParameters& mesh = arguments->mesh;
  mesh.wraps = wraps;
  list.add("SIZES", arguments->sizes, "switches along each dimension, e.g. 5x5 or 6x6x4")
      .required();
  list.add("--hosts", mesh.hosts, "hosts at each switch").show_default();
  list.add("--parallel", mesh.parallel, "cables between neighbors").show_default();
  list.add("--ports", arguments->ports,
           "port numbers: regular, or thesis (as in section 3.3 of the congestion control "
           "thesis)")
      .one_of({"regular", "thesis"})
      .show_default();
  return [arguments](std::uint64_t) {
    MeshParameters parameters = arguments->mesh;
    parameters.sizes = parse_size_list(arguments->sizes, 'x', 1, last_unicast_lid, "SIZES");
    parameters.ports = arguments->ports == "thesis" ? MeshPorts::thesis : MeshPorts::regular;
    return make_mesh(parameters);
  };
}

}  // namespace

Generator declare_xgft(ArgumentList& list) {
  struct Arguments {
    std::string children, parents;
    unsigned parallel = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  list.add("CHILDREN", arguments->children,
           "m_1,..,m_h: children of a node of each level, hosts first")
      .required();
  list.add("PARENTS", arguments->parents, "w_1,..,w_h: parents of the nodes one level below")
      .required();
  list.add("--parallel", arguments->parallel, "cables between a switch and each of its parents")
      .range(1, max_port_number)
      .show_default();
  return [arguments](std::uint64_t) {
    return make_xgft({parse_size_list(arguments->children, ',', 1, max_port_number, "CHILDREN"),
                      parse_size_list(arguments->parents, ',', 1, max_port_number, "PARENTS"),
                      arguments->parallel});
  };
}

Generator declare_k_ary_n_tree(ArgumentList& list) {
  struct Arguments {
    unsigned k = 0, n = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  list.add("K", arguments->k, "half the ports of a switch").required();
  list.add("N", arguments->n, "levels of switches").required();
  return [arguments](std::uint64_t) {
    // 2^16 hosts exceed the LIDs, and 1-ary trees have one host for any number of levels.
    if (arguments->k < 1 || arguments->k > max_port_number || arguments->n < 1 ||
        arguments->n > 15) {
      throw Error(ErrorKind::usage, fmt::format("{}-ary {}-tree: K must be 1 to {} and N 1 to 15",
                                                arguments->k, arguments->n, max_port_number));
    }
    return make_xgft(k_ary_n_tree(arguments->k, arguments->n));
  };
}

Generator declare_joined_trees(ArgumentList& list) {
  struct Arguments {
    std::string leaves, hosts, spines;
    unsigned cables = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  list.add("--leafs", arguments->leaves, "leaves of each tree, e.g. 16,6").required();
  list.add("--hosts", arguments->hosts, "hosts of a leaf: one number, or one for each tree")
      .required();
  list.add("--spines", arguments->spines, "spines: one number, or one for each tree").required();
  list.add("--cables", arguments->cables, "cables between neighboring trees").show_default();
  return [arguments](std::uint64_t) {
    return make_joined_trees(
        {parse_size_list(arguments->leaves, ',', 1, max_port_number, "--leafs"),
         parse_size_list(arguments->hosts, ',', 1, max_port_number, "--hosts"),
         parse_size_list(arguments->spines, ',', 1, max_port_number, "--spines"),
         arguments->cables});
  };
}

Generator declare_director(ArgumentList& list) {
  struct Arguments {
    unsigned ports = 0;
    std::optional<unsigned> hosts;
  };
  auto arguments = std::make_shared<Arguments>();
  list.add("PORTS", arguments->ports, "external ports: 24, 48, 72, 96, 144, 288 or 3456")
      .required();
  list.add("--hosts", arguments->hosts, "hosts, at the first ports (default: one at each port)");
  return [arguments](std::uint64_t) {
    return make_director({arguments->ports, arguments->hosts.value_or(arguments->ports)});
  };
}

Generator declare_odin(ArgumentList&) {
  return [](std::uint64_t) { return make_director({144, 128}); };
}

Generator declare_leaf_director(ArgumentList& list) {
  auto p = std::make_shared<LeafDirectorParameters>();
  list.add("--leafs", p->leaves, "leaf switches").required();
  list.add("--hosts", p->hosts, "hosts of all leaves together").required();
  list.add("--directors", p->directors, "directors").required();
  list.add("--uplinks", p->uplinks, "cables of a leaf to each director").show_default();
  list.add("--leaf-ports", p->leaf_ports, "ports of a leaf").show_default();
  list.add("--director-ports", p->director_ports, "external ports of a director").show_default();
  return [p](std::uint64_t) { return make_leaf_director(*p); };
}

Generator declare_director_chain(ArgumentList& list) {
  auto p = std::make_shared<DirectorChainParameters>();
  list.add("--directors", p->directors, "directors").required();
  list.add("--cables", p->cables, "cables between neighbors").required();
  list.add("--hosts", p->hosts, "hosts of all directors together").required();
  list.add("--director-ports", p->director_ports, "external ports of a director").show_default();
  return [p](std::uint64_t) { return make_director_chain(*p); };
}

Generator declare_chic(ArgumentList&) {
  return [](std::uint64_t) { return make_chic(); };
}

Generator declare_atlas(ArgumentList&) {
  return [](std::uint64_t) { return make_atlas(); };
}

Generator declare_ranger(ArgumentList&) {
  return [](std::uint64_t) { return make_ranger(); };
}

// The cluster of the thesis on OpenSM and INAM (Ohio State University 2011). Section 4.2.1 has 35
// nodes at six leaves and six spines, with eight nodes at each of three leaves; section 3.4.5 has
// 71 nodes at eleven leaves. Both are parts of a 144-port director. The thesis does not give the
// positions of the other nodes.
Generator declare_inam35(ArgumentList&) {
  return [](std::uint64_t) { return make_partial_director({8, 8, 8, 4, 4, 3}); };
}

Generator declare_inam71(ArgumentList&) {
  return [](std::uint64_t) { return make_partial_director({8, 8, 8, 7, 7, 6, 6, 6, 5, 5, 5}); };
}

Generator declare_thunderbird(ArgumentList&) {
  return [](std::uint64_t) { return make_thunderbird(); };
}

Generator declare_deimos(ArgumentList&) {
  return [](std::uint64_t) { return make_deimos(); };
}

Generator declare_mesh(ArgumentList& list) { return declare_grid(list, false); }
Generator declare_torus(ArgumentList& list) { return declare_grid(list, true); }

Generator declare_hyperx(ArgumentList& list) {
  struct Arguments {
    std::string sizes;
    unsigned hosts = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  list.add("SIZES", arguments->sizes, "switches along each dimension, e.g. 4x4").required();
  list.add("--hosts", arguments->hosts, "hosts at each switch").show_default();
  return [arguments](std::uint64_t) {
    return make_hyperx(
        {parse_size_list(arguments->sizes, 'x', 1, max_port_number, "SIZES"), arguments->hosts});
  };
}

Generator declare_hypercube(ArgumentList& list) {
  struct Arguments {
    unsigned dimensions = 0, hosts = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  list.add("DIMENSIONS", arguments->dimensions, "2^DIMENSIONS switches, 1 to 15 dimensions")
      .required()
      .range(1, 15);
  list.add("--hosts", arguments->hosts, "hosts at each switch").show_default();
  return [arguments](std::uint64_t) {
    return make_hyperx({std::vector<unsigned>(arguments->dimensions, 2), arguments->hosts});
  };
}

Generator declare_full_mesh(ArgumentList& list) {
  struct Arguments {
    unsigned switches = 0, hosts = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  list.add("SWITCHES", arguments->switches, "switches, each cabled to every other").required();
  list.add("--hosts", arguments->hosts, "hosts at each switch").show_default();
  return [arguments](std::uint64_t) {
    return make_hyperx({{arguments->switches}, arguments->hosts});
  };
}

Generator declare_random_regular(ArgumentList& list) {
  auto parameters = std::make_shared<RandomRegularParameters>();
  list.add("SWITCHES", parameters->switches, "switches").required();
  list.add("--degree", parameters->degree, "links of a switch to other switches").required();
  list.add("--hosts", parameters->hosts, "hosts at each switch").show_default();
  return [parameters](std::uint64_t seed) { return make_random_regular(*parameters, seed); };
}

Generator declare_dragonfly(ArgumentList& list) {
  auto p = std::make_shared<DragonflyParameters>();
  list.add("--switches", p->switches, "a: switches of a group").required();
  list.add("--global-links", p->global_links, "h: links of a switch to other groups").required();
  list.add("--hosts", p->hosts, "p: hosts at each switch").show_default();
  list.add("--groups", p->groups, "g: groups (default: a h + 1)").range(1, last_unicast_lid);
  return [p](std::uint64_t) { return make_dragonfly(*p); };
}

}  // namespace pssp
