// The parameters come from the papers, in particular "Multistage Switches are not Crossbars"
// (Cluster 2008), and from the slides on P-SSSP. Where these give only a number of hosts and the
// bisection bandwidth, the parameters follow from switches of 24 ports.

#include "topologies/director_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "topologies/director.h"

namespace pssp {
namespace {

// CHiC (sections 2.2.2 and 3.2.2 of the paper): 528 hosts at 44 leaves of 24 ports, full bisection
// bandwidth, two 288-port directors. Each leaf has 12 hosts and 6 cables to each director.
constexpr LeafDirectorParameters chic{44, 24, 528, 2, 288, 6};
// Atlas (the same paper; 1142 LIDs): a fat tree of full bisection bandwidth, structured as CHiC. It
// has 96 leaves of 24 ports with 12 hosts and three cables to each of four 288-port directors; the
// last ten leaves have 11 hosts.
constexpr LeafDirectorParameters atlas{96, 24, 1142, 4, 288, 3};
// Ranger (the same paper): 3936 nodes at two 3456-port switches, full bisection bandwidth. Its
// chassis have twelve nodes, which gives 328 leaves of 24 ports with six cables to each switch.
constexpr LeafDirectorParameters ranger{328, 24, 3936, 2, 3456, 6};
// Thunderbird (the same paper, and the 4390 LIDs of the slides on P-SSSP): a fat tree of half
// bisection bandwidth. The papers give no more details. Leaves of 24 ports with 16 hosts and 8
// uplinks lead to 275 leaves with one cable to each of eight 288-port directors; the last ten
// leaves have 15 hosts.
constexpr LeafDirectorParameters thunderbird{275, 24, 4390, 8, 288, 1};
// Deimos (slides: 724 LIDs, and a drawing): three 288-port directors in a row, 30 cables between
// neighbors, and hosts directly at the directors. Of the 288 ports, 258, 228 and 258 are free; 248,
// 228 and 248 of these have hosts.
constexpr DirectorChainParameters deimos{3, 288, 30, 724};

void check(const LeafDirectorParameters& p) {
  if (p.leaves == 0 || p.directors == 0 || p.uplinks == 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} leaves with {} cables to each of {} directors; each must be at least 1",
                    p.leaves, p.uplinks, p.directors));
  }
  require_lid_space(
      "leaves and directors",
      p.leaves + saturating_product(p.directors, Director::switch_count(p.director_ports)),
      p.hosts);
  const std::uint64_t leaf_hosts = (p.hosts + p.leaves - 1) / p.leaves;
  const std::uint64_t uplinks = saturating_product(p.directors, p.uplinks);
  if (uplinks > max_port_number || leaf_hosts + uplinks > p.leaf_ports) {
    throw Error(ErrorKind::usage, fmt::format("a leaf with {} hosts and {} cables to each of {} "
                                              "directors needs more than its {} ports",
                                              leaf_hosts, p.uplinks, p.directors, p.leaf_ports));
  }
  if (saturating_product(p.leaves, p.uplinks) > p.director_ports) {
    throw Error(ErrorKind::usage,
                fmt::format("{} leaves with {} cables to each director need more than its {} ports",
                            p.leaves, p.uplinks, p.director_ports));
  }
}

std::string director_name(std::size_t index) { return fmt::format("director {}", index + 1); }

std::vector<Director> draw_directors(CablingPlan& plan, unsigned count, unsigned ports) {
  std::vector<Director> directors;
  for (unsigned d = 0; d < count; ++d) directors.emplace_back(plan, ports, director_name(d));
  return directors;
}

/// Number of hosts of each director of a row: each host goes to the director with the fewest hosts
/// that has a free port.
std::vector<unsigned> spread_over_chain(const DirectorChainParameters& p) {
  std::vector<unsigned> hosts(p.directors, 0);
  const auto free_ports = [&p](unsigned d) {
    const unsigned neighbours = (d > 0 ? 1U : 0U) + (d + 1 < p.directors ? 1U : 0U);
    return p.director_ports - neighbours * p.cables;
  };
  for (unsigned placed = 0; placed < p.hosts; ++placed) {
    unsigned best = p.directors;
    for (unsigned d = 0; d < p.directors; ++d) {
      if (hosts[d] < free_ports(d) && (best == p.directors || hosts[d] < hosts[best])) best = d;
    }
    if (best == p.directors) {
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "{} directors of {} ports in a row with {} cables between neighbors have room for {} "
              "hosts, not {}",
              p.directors, p.director_ports, p.cables, placed, p.hosts));
    }
    ++hosts[best];
  }
  return hosts;
}

}  // namespace

CablingPlan make_leaf_director(const LeafDirectorParameters& parameters) {
  check(parameters);
  CablingPlan plan;
  const unsigned fewest = parameters.hosts / parameters.leaves;
  const unsigned with_one_more = parameters.hosts % parameters.leaves;
  const unsigned first_uplink = fewest + (with_one_more > 0 ? 1 : 0) + 1;
  std::vector<PlanNodeId> leaves;
  for (unsigned leaf = 0; leaf < parameters.leaves; ++leaf) {
    leaves.push_back(plan.add_switch(parameters.leaf_ports, fmt::format("leaf {}", leaf + 1)));
    for (unsigned host = 1; host <= fewest + (leaf < with_one_more ? 1 : 0); ++host) {
      plan.add_host({leaves[leaf], host}, fmt::format("leaf {} host {}", leaf + 1, host));
    }
  }
  const std::vector<Director> directors =
      draw_directors(plan, parameters.directors, parameters.director_ports);
  for (unsigned leaf = 0; leaf < parameters.leaves; ++leaf) {
    unsigned port = first_uplink;
    for (const Director& director : directors) {
      for (unsigned copy = 0; copy < parameters.uplinks; ++copy) {
        plan.connect({leaves[leaf], port++},
                     director.external_port(leaf * parameters.uplinks + copy));
      }
    }
  }
  return plan;
}

CablingPlan make_director_chain(const DirectorChainParameters& parameters) {
  const unsigned most_cables = parameters.director_ports / (parameters.directors > 2 ? 2 : 1);
  if (parameters.directors == 0 || parameters.cables == 0 || parameters.cables > most_cables) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "{} directors of {} ports in a row with {} cables between neighbors: expected at "
            "least one director, and 1 to {} cables",
            parameters.directors, parameters.director_ports, parameters.cables, most_cables));
  }
  require_lid_space(
      "directors in a row",
      saturating_product(parameters.directors, Director::switch_count(parameters.director_ports)),
      parameters.hosts);
  const std::vector<unsigned> hosts = spread_over_chain(parameters);
  CablingPlan plan;
  const std::vector<Director> directors =
      draw_directors(plan, parameters.directors, parameters.director_ports);
  for (unsigned d = 0; d < directors.size(); ++d) {
    const unsigned first = d > 0 ? parameters.cables : 0;
    for (unsigned host = first; host < first + hosts[d]; ++host) {
      const Plug port = directors[d].external_port(host);
      plan.add_host(port, fmt::format("{} host {}", directors[d].place(host), port.port));
    }
    for (unsigned cable = 0; d > 0 && cable < parameters.cables; ++cable) {
      plan.connect(
          directors[d - 1].external_port(parameters.director_ports - parameters.cables + cable),
          directors[d].external_port(cable));
    }
  }
  return plan;
}

CablingPlan make_chic() { return make_leaf_director(chic); }

CablingPlan make_atlas() { return make_leaf_director(atlas); }

CablingPlan make_ranger() { return make_leaf_director(ranger); }

CablingPlan make_thunderbird() { return make_leaf_director(thunderbird); }

CablingPlan make_deimos() { return make_director_chain(deimos); }

}  // namespace pssp
