// Apart from the families themselves, which so know nothing of command lines.

#include "topologies/family_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "topologies/director.h"
#include "topologies/director_clusters.h"
#include "topologies/dragonfly.h"
#include "topologies/hyperx.h"
#include "topologies/mesh.h"
#include "topologies/random_regular.h"
#include "topologies/size_list.h"
#include "topologies/xgft.h"

namespace pssp {
namespace {

Generator declare_grid(CLI::App& command, bool wraps) {
  struct Arguments {
    std::string sizes, ports = "regular";
    MeshParameters mesh;
  };
  auto arguments = std::make_shared<Arguments>();
  MeshParameters& mesh = arguments->mesh;
  mesh.wraps = wraps;
  command.add_option("SIZES", arguments->sizes, "switches along each dimension, e.g. 5x5 or 6x6x4")
      ->required();
  command.add_option("--hosts", mesh.hosts, "hosts at each switch")->capture_default_str();
  command.add_option("--parallel", mesh.parallel, "cables between neighbours")
      ->capture_default_str();
  command
      .add_option(
          "--ports", arguments->ports,
          "port numbers: regular, or thesis (as in section 3.3 of the congestion-control thesis)")
      ->check(CLI::IsMember({"regular", "thesis"}))
      ->capture_default_str();
  return [arguments](std::uint64_t) {
    MeshParameters parameters = arguments->mesh;
    parameters.sizes = parse_size_list(arguments->sizes, 'x', 1, last_unicast_lid, "SIZES");
    parameters.ports = arguments->ports == "thesis" ? MeshPorts::thesis : MeshPorts::regular;
    return make_mesh(parameters);
  };
}

}  // namespace

Generator declare_xgft(CLI::App& command) {
  struct Arguments {
    std::string children, parents;
  };
  auto arguments = std::make_shared<Arguments>();
  command
      .add_option("CHILDREN", arguments->children,
                  "m_1,..,m_h: children of a node of each level, hosts first")
      ->required();
  command
      .add_option("PARENTS", arguments->parents, "w_1,..,w_h: parents of the nodes one level below")
      ->required();
  return [arguments](std::uint64_t) {
    return make_xgft({parse_size_list(arguments->children, ',', 1, max_port_number, "CHILDREN"),
                      parse_size_list(arguments->parents, ',', 1, max_port_number, "PARENTS")});
  };
}

Generator declare_k_ary_n_tree(CLI::App& command) {
  struct Arguments {
    unsigned k = 0, n = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  command.add_option("K", arguments->k, "half the ports of a switch")->required();
  command.add_option("N", arguments->n, "levels of switches")->required();
  return [arguments](std::uint64_t) {
    // 2^16 hosts do not fit any more, and 1-ary trees have one host however high they are.
    if (arguments->k < 1 || arguments->k > max_port_number || arguments->n < 1 ||
        arguments->n > 15) {
      throw Error(ErrorKind::usage, fmt::format("{}-ary {}-tree: K must be 1 to {} and N 1 to 15",
                                                arguments->k, arguments->n, max_port_number));
    }
    return make_xgft(k_ary_n_tree(arguments->k, arguments->n));
  };
}

Generator declare_director(CLI::App& command) {
  struct Arguments {
    unsigned ports = 0;
    std::optional<unsigned> hosts;
  };
  auto arguments = std::make_shared<Arguments>();
  command.add_option("PORTS", arguments->ports, "external ports: 24, 48, 72, 96, 144 or 288")
      ->required();
  command.add_option("--hosts", arguments->hosts,
                     "hosts, at the first ports (default: one at each port)");
  return [arguments](std::uint64_t) {
    return make_director({arguments->ports, arguments->hosts.value_or(arguments->ports)});
  };
}

Generator declare_odin(CLI::App&) {
  return [](std::uint64_t) { return make_director({144, 128}); };
}

Generator declare_leaf_director(CLI::App& command) {
  auto p = std::make_shared<LeafDirectorParameters>();
  command.add_option("--leafs", p->leafs, "leaf switches")->required();
  command.add_option("--hosts", p->hosts, "hosts of all leafs together")->required();
  command.add_option("--directors", p->directors, "directors")->required();
  command.add_option("--uplinks", p->uplinks, "cables of a leaf to each director")
      ->capture_default_str();
  command.add_option("--leaf-ports", p->leaf_ports, "ports of a leaf")->capture_default_str();
  command.add_option("--director-ports", p->director_ports, "external ports of a director")
      ->capture_default_str();
  return [p](std::uint64_t) { return make_leaf_director(*p); };
}

Generator declare_director_chain(CLI::App& command) {
  auto p = std::make_shared<DirectorChainParameters>();
  command.add_option("--directors", p->directors, "directors")->required();
  command.add_option("--cables", p->cables, "cables between neighbours")->required();
  command.add_option("--hosts", p->hosts, "hosts of all directors together")->required();
  command.add_option("--director-ports", p->director_ports, "external ports of a director")
      ->capture_default_str();
  return [p](std::uint64_t) { return make_director_chain(*p); };
}

Generator declare_chic(CLI::App&) {
  return [](std::uint64_t) { return make_chic(); };
}

Generator declare_thunderbird(CLI::App&) {
  return [](std::uint64_t) { return make_thunderbird(); };
}

Generator declare_deimos(CLI::App&) {
  return [](std::uint64_t) { return make_deimos(); };
}

Generator declare_mesh(CLI::App& command) { return declare_grid(command, false); }
Generator declare_torus(CLI::App& command) { return declare_grid(command, true); }

Generator declare_hyperx(CLI::App& command) {
  struct Arguments {
    std::string sizes;
    unsigned hosts = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  command.add_option("SIZES", arguments->sizes, "switches along each dimension, e.g. 4x4")
      ->required();
  command.add_option("--hosts", arguments->hosts, "hosts at each switch")->capture_default_str();
  return [arguments](std::uint64_t) {
    return make_hyperx(
        {parse_size_list(arguments->sizes, 'x', 1, max_port_number, "SIZES"), arguments->hosts});
  };
}

Generator declare_hypercube(CLI::App& command) {
  struct Arguments {
    unsigned dimensions = 0, hosts = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  command
      .add_option("DIMENSIONS", arguments->dimensions, "2^DIMENSIONS switches, 1 to 15 dimensions")
      ->required()
      ->check(CLI::Range(1, 15));
  command.add_option("--hosts", arguments->hosts, "hosts at each switch")->capture_default_str();
  return [arguments](std::uint64_t) {
    return make_hyperx({std::vector<unsigned>(arguments->dimensions, 2), arguments->hosts});
  };
}

Generator declare_full_mesh(CLI::App& command) {
  struct Arguments {
    unsigned switches = 0, hosts = 1;
  };
  auto arguments = std::make_shared<Arguments>();
  command.add_option("SWITCHES", arguments->switches, "switches, each cabled to every other")
      ->required();
  command.add_option("--hosts", arguments->hosts, "hosts at each switch")->capture_default_str();
  return [arguments](std::uint64_t) {
    return make_hyperx({{arguments->switches}, arguments->hosts});
  };
}

Generator declare_random_regular(CLI::App& command) {
  auto parameters = std::make_shared<RandomRegularParameters>();
  command.add_option("SWITCHES", parameters->switches, "switches")->required();
  command.add_option("--degree", parameters->degree, "links of a switch to other switches")
      ->required();
  command.add_option("--hosts", parameters->hosts, "hosts at each switch")->capture_default_str();
  return [parameters](std::uint64_t seed) { return make_random_regular(*parameters, seed); };
}

Generator declare_dragonfly(CLI::App& command) {
  auto p = std::make_shared<DragonflyParameters>();
  command.add_option("--switches", p->switches, "a: switches of a group")->required();
  command.add_option("--global-links", p->global_links, "h: links of a switch to other groups")
      ->required();
  command.add_option("--hosts", p->hosts, "p: hosts at each switch")->capture_default_str();
  command.add_option("--groups", p->groups, "g: groups (default: a h + 1)")
      ->check(CLI::PositiveNumber);
  return [p](std::uint64_t) { return make_dragonfly(*p); };
}

}  // namespace pssp
