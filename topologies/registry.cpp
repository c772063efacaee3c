#include "topologies/registry.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "base/error.h"
#include "topologies/family_arguments.h"
#include "topologies/topology_request.h"

namespace pssp {

std::span<const TopologyFamily> topology_registry() {
  static constexpr std::array families{
      TopologyFamily{"k-ary-n-tree", "k-ary n-tree: K^N hosts, N levels of switches", "4 2",
                     declare_k_ary_n_tree},
      TopologyFamily{"xgft", "extended generalized fat tree XGFT(h; m_1..m_h; w_1..w_h)",
                     "16,16,16 1,8,8", declare_xgft},
      TopologyFamily{"joined-trees", "trees of leaves and spines, cabled spine to spine in a row",
                     "--leafs 16,6 --hosts 24 --spines 12 --cables 12", declare_joined_trees},
      TopologyFamily{"director", "a director of 24-port switches, e.g. of 144 or 288 ports", "288",
                     declare_director},
      TopologyFamily{"odin", "Odin: 128 hosts at a 144-port director", "", declare_odin},
      TopologyFamily{"chic", "CHiC: 528 hosts, 44 leaves, two 288-port directors", "",
                     declare_chic},
      TopologyFamily{"atlas", "Atlas: 1142 hosts, 96 leaves, four 288-port directors", "",
                     declare_atlas},
      TopologyFamily{"ranger", "Ranger: 3936 hosts, 328 leaves, two 3456-port directors", "",
                     declare_ranger},
      TopologyFamily{"inam35", "35 hosts at six leaves of a 144-port director", "", declare_inam35},
      TopologyFamily{"inam71", "71 hosts at eleven leaves of a 144-port director", "",
                     declare_inam71},
      TopologyFamily{"thunderbird", "Thunderbird: 4390 hosts, 275 leaves, eight 288-port directors",
                     "", declare_thunderbird},
      TopologyFamily{"deimos", "Deimos: 724 hosts at three 288-port directors in a row", "",
                     declare_deimos},
      TopologyFamily{"leaf-director", "leaves below a core of directors, as CHiC and Thunderbird",
                     "--leafs 8 --hosts 64 --directors 2 --uplinks 6 --director-ports 144",
                     declare_leaf_director},
      TopologyFamily{
          "director-chain", "directors in a row with hosts at their free ports, as Deimos",
          "--directors 2 --cables 10 --hosts 100 --director-ports 144", declare_director_chain},
      TopologyFamily{"mesh", "mesh of any number of dimensions", "5x5 --hosts 2", declare_mesh},
      TopologyFamily{"torus", "torus of any number of dimensions (one: a ring)", "6x6x4",
                     declare_torus},
      TopologyFamily{"hyperx", "HyperX: all switches along each dimension linked to each other",
                     "4x4", declare_hyperx},
      TopologyFamily{"hypercube", "hypercube of 2^DIMENSIONS switches", "6 --hosts 2",
                     declare_hypercube},
      TopologyFamily{"full-mesh", "every switch linked to every other", "8 --hosts 2",
                     declare_full_mesh},
      TopologyFamily{"random-regular", "random regular graph, connected, without parallel links",
                     "64 --degree 8 --hosts 8", declare_random_regular},
      TopologyFamily{"dragonfly", "dragonfly with all-to-all groups",
                     "--switches 4 --global-links 2 --hosts 2", declare_dragonfly}};
  return families;
}

FabricBuilder make_topology(std::string_view spec) {
  TopologyRequest request;
  try {
    request.take(spec);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, fmt::format("topology '{}': {}", spec, error.what()));
  }
  return request.make(request.draw());
}

Fabric make_fabric(std::string_view spec) {
  FabricBuilder builder = make_topology(spec);
  builder.assign_lids();
  return std::move(builder).build();
}

}  // namespace pssp
