// ibsim simulates the contents of the file, and its parser is less tolerant than ours. It requires
// a blank after the type of a node, both ends of each cable, and no option-like text in
// descriptions. It knows no rate above HDR, and neither LID nor rate of a router. It therefore
// always gets a copy that our parser and writer made.
//
// ibsim can simulate several subnets at once, but opensm manages only the subnet to which it is
// connected. The tables of this subnet would lack the LIDs of other subnets, or use them for other
// ports. Other subnets are therefore removed: islands before the file is parsed, because their LIDs
// may be equal, and then parts that only adapters with several ports connect.

#include "ibsim_harness/playable_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "fabric/formats/content_kind.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "fabric/ids.h"
#include "fabric/input/fabric_input.h"

namespace pssp {
namespace {

/// The text of a net file: the text of the file, or a converted topology of another format, with
/// its warnings in `notes`. Text that is not a topology is returned unchanged, and the survey
/// rejects it.
std::string read_as_net_file(const std::filesystem::path& topology,
                             std::vector<std::string>& notes) {
  FileReader file(topology);
  if (!is_convertible_topology(content_kind(file.peek(content_looked_at + 1)))) {
    return read_file(file);
  }
  FabricInput input = read_fabric_input(file);
  notes = std::move(input.warnings);
  return to_net_file(input.fabric);
}

void require_something(const std::filesystem::path& topology, std::string_view text,
                       const TopologySurvey& survey) {
  if (survey.nodes > last_unicast_lid) {
    throw Error(
        ErrorKind::unsuitable_topology,
        fmt::format("{}: {} nodes are more than the {} unicast LIDs of a subnet: route each "
                    "subnet separately",
                    topology.string(), survey.nodes, last_unicast_lid));
  }
  if (survey.nodes == 0 || survey.adapters == 0) {
    // Text that is not a topology, or has only one node, is rejected with the reason.
    parse_topology(text, topology.string());
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: this topology has {} switches and {} adapters; opensm needs at "
                            "least one of each",
                            topology.string(), survey.switches, survey.adapters));
  }
}

/// `host`: the value of SIM_HOST. If ibsim cannot connect a program there, the program ends with
/// "connect failed" or waits forever.
void require_fit_host(const std::filesystem::path& topology, std::string_view text,
                      const std::string& host, const std::string& example) {
  const char* problem = nullptr;
  switch (fitness_of_host(text, host)) {
    case HostFitness::fit:
      return;
    case HostFitness::unknown:
      problem = "no node has this identifier";
      break;
    case HostFitness::name_too_long:
      problem = "ibsim cuts identifiers at 31 characters";
      break;
    case HostFitness::port_not_cabled:
      problem = "port 1 of this adapter has no cable";
      break;
  }
  throw Error(ErrorKind::usage,
              fmt::format("SIM_HOST '{}': {}: {}: set SIM_HOST to the identifier of an adapter "
                          "whose port 1 has a cable{}, or unset it",
                          excerpt(host), problem, topology.string(),
                          example.empty() ? "" : ", such as '" + excerpt(example) + "'"));
}

std::optional<NodeId> node_of_name(const FabricBuilder& fabric, std::string_view name) {
  for (std::uint32_t n = 0; n < fabric.node_count(); ++n) {
    if (fabric.name(NodeId(n)) == name) return NodeId(n);
  }
  return std::nullopt;
}

/// Calls `visit(port, far end)` for each cabled port of a node.
template <class Visit>
void for_cables(const FabricBuilder& fabric, NodeId node, Visit visit) {
  for (unsigned p = 1; p <= fabric.ports(node); ++p) {
    const auto port = static_cast<PortNumber>(p);
    if (const std::optional<CableEnd> far = fabric.far_end(node, port)) visit(port, *far);
  }
}

// ---- one subnet, with the GUIDs that ibsim gives ----

/// Copies the nodes that opensm reaches from `host`, and nodes without cables.
class SubnetCopier {
 public:
  SubnetCopier(const FabricBuilder& from, NodeId host)
      : from_(from), reached_(from.node_count(), 0) {
    if (from.is_switch(host)) {
      reach(host);
      return;
    }
    const std::optional<CableEnd> first = from.far_end(host, 1);
    if (!first || !from.is_switch(first->node)) {
      throw Error(ErrorKind::unsuitable_topology,
                  fmt::format("port 1 of '{}' is not cabled to a switch: opensm would find no "
                              "switch there; specify another adapter with SIM_HOST",
                              excerpt(from.name(host))));
    }
    reach(first->node);
  }

  OneSubnet::Counts left_out;
  std::size_t ports_left_out = 0;  ///< of adapters that remain
  bool has_new_guids = false;

  /// Without LIDs unless `with_lids`.
  FabricBuilder run(bool with_lids) {
    choose_guids();
    std::vector<NodeId> copied(from_.node_count());
    FabricBuilder to;
    for (std::uint32_t n = 0; n < from_.node_count(); ++n) {
      if (is_kept(NodeId(n))) copied[n] = add(NodeId(n), to);
    }
    for (std::uint32_t n = 0; n < from_.node_count(); ++n) {
      const NodeId node(n);
      if (!copied[n].valid()) continue;
      if (with_lids) copy_lids(node, copied[n], to);
      for_cables(from_, node, [&](PortNumber port, const CableEnd& far) {
        if (!is_in_subnet(node, far)) return;
        to.connect(copied[n], port, copied[far.node.value()], far.port, far.rate);
      });
    }
    return to;
  }

  bool is_in_subnet(NodeId node, const CableEnd& far) const {
    return reached_[node.value()] != 0 || reached_[far.node.value()] != 0;
  }

 private:
  void reach(NodeId start) {
    std::vector<NodeId> frontier{start};
    reached_[start.value()] = 1;
    while (!frontier.empty()) {
      const NodeId node = frontier.back();
      frontier.pop_back();
      for_cables(from_, node, [&](PortNumber, const CableEnd& far) {
        char& is_reached = reached_[far.node.value()];
        if (is_reached != 0 || !from_.is_switch(far.node)) return;
        is_reached = 1;
        frontier.push_back(far.node);
      });
    }
    count_left_out();
  }

  bool is_kept(NodeId node) const {
    bool is_inside = reached_[node.value()] != 0, has_cable = false;
    for_cables(from_, node, [&](PortNumber, const CableEnd& far) {
      has_cable = true;
      is_inside = is_inside || is_in_subnet(node, far);
    });
    return is_inside || !has_cable;
  }

  void count_left_out() {
    for (std::uint32_t n = 0; n < from_.node_count(); ++n) {
      const NodeId node(n);
      if (!is_kept(node)) {
        ++left_out.nodes;
        ++(from_.is_switch(node) ? left_out.switches : left_out.adapters);
        continue;
      }
      for_cables(from_, node, [&](PortNumber, const CableEnd& far) {
        if (!is_in_subnet(node, far)) ++ports_left_out;
      });
    }
  }

  /// In ibsim, the GUID of an adapter port is the node GUID + the port number. If two ports would
  /// have the same GUID, all nodes get GUIDs with larger distances, in the same order.
  void choose_guids() {
    std::vector<std::uint32_t> order;
    std::set<Guid> used;
    bool is_unique = true;
    for (std::uint32_t n = 0; n < from_.node_count(); ++n) {
      const NodeId node(n);
      if (!is_kept(node)) continue;
      order.push_back(n);
      guid_of_.emplace(n, from_.guid(node));
      if (from_.is_switch(node)) {
        is_unique = used.insert(from_.guid(node)).second && is_unique;
        continue;
      }
      for (unsigned p = 1; p <= from_.ports(node); ++p)
        is_unique = used.insert(from_.guid(node) + p).second && is_unique;
    }
    if (is_unique) return;
    has_new_guids = true;
    std::ranges::sort(order, {}, [&](std::uint32_t n) { return from_.guid(NodeId(n)); });
    Guid next = 0x100000;
    for (const std::uint32_t n : order) {
      guid_of_[n] = next;
      next += from_.ports(NodeId(n)) + Guid{1};
    }
  }

  NodeId add(NodeId node, FabricBuilder& to) const {
    const Guid guid = guid_of_.at(node.value());
    if (from_.is_switch(node))
      return to.add_switch(guid, from_.ports(node), from_.name(node), from_.description(node));
    return to.add_adapter(guid, from_.ports(node), from_.kind(node), from_.name(node),
                          from_.description(node));
  }

  void copy_lids(NodeId node, NodeId copy, FabricBuilder& to) const {
    const auto copy_lid = [&](PortNumber port) {
      const Lid lid = from_.lid(node, port);
      if (lid != no_lid) to.set_lid(copy, port, lid, from_.lmc(node, port));
    };
    if (from_.is_switch(node)) return copy_lid(management_port);
    for_cables(from_, node, [&](PortNumber port, const CableEnd& far) {
      if (is_in_subnet(node, far)) copy_lid(port);
    });
  }

  const FabricBuilder& from_;
  std::vector<char> reached_;  // switches, by node
  std::map<std::uint32_t, Guid> guid_of_;
};

// ---- LMC ----

/// The LMCs of ports with LIDs, with the number of ports and the name of one port.
struct LmcCounts {
  std::map<unsigned, std::pair<std::size_t, std::string>> adapters, switches;

  explicit LmcCounts(const FabricBuilder& fabric, const SubnetCopier& subnet) {
    for (std::uint32_t n = 0; n < fabric.node_count(); ++n) {
      const NodeId node(n);
      const auto count = [&](auto& counts, PortNumber port) {
        if (fabric.lid(node, port) == no_lid) return;
        auto& [ports, example] = counts[fabric.lmc(node, port)];
        if (ports++ == 0) example = excerpt(fabric.name(node));
      };
      if (fabric.is_switch(node)) {
        count(switches, management_port);
        continue;
      }
      for_cables(fabric, node, [&](PortNumber port, const CableEnd& far) {
        if (subnet.is_in_subnet(node, far)) count(adapters, port);
      });
    }
  }

  unsigned largest() const { return adapters.empty() ? 0 : adapters.rbegin()->first; }
  bool switches_have_lmc() const { return !switches.empty() && switches.rbegin()->first != 0; }
  /// opensm gives all adapters one LMC; either no switch has an LMC, or all have that of the
  /// adapters.
  bool are_of(unsigned lmc) const {
    const auto is_lmc = [&](const auto& each) { return each.first == lmc; };
    return std::ranges::all_of(adapters, is_lmc) &&
           std::ranges::all_of(switches, [&](const auto& each) {
             return each.first == (switches_have_lmc() ? lmc : 0);
           });
  }
  std::string text() const {
    std::string text;
    for (const auto& [counts, what] :
         {std::pair(&adapters, "adapter"), std::pair(&switches, "switch")}) {
      for (const auto& [lmc, ports] : *counts) {
        text += fmt::format("{}LMC {} at {} {} port(s) (e.g. '{}')", text.empty() ? "" : ", ", lmc,
                            ports.first, what, ports.second);
      }
    }
    return text;
  }
};

// ---- rates ----

/// The fastest rate per lane in ibsim 0.10: HDR.
constexpr std::uint32_t fastest_lane = 50'000;

/// If ibsim does not know the fastest rate, scales all rates by one factor to the nearest rates
/// that ibsim knows, because engines depend only on the ratios, and returns a note.
std::string scale_rates(FabricBuilder& fabric) {
  constexpr std::array<std::uint32_t, 6> known{2'000, 4'000, 8'000, 13'636, 25'000, fastest_lane};
  std::size_t too_fast = 0;
  LinkRate fastest;
  for (std::uint32_t n = 0; n < fabric.node_count(); ++n) {
    for_cables(fabric, NodeId(n), [&](PortNumber, const CableEnd& far) {
      if (far.rate.megabits_per_lane > fastest_lane) ++too_fast;
      if (far.rate.megabits_per_lane > fastest.megabits_per_lane) fastest = far.rate;
    });
  }
  if (too_fast == 0) return {};
  const double factor = double{fastest_lane} / fastest.megabits_per_lane;
  const auto scaled = [&](LinkRate rate) {
    const double target = std::log(factor * rate.megabits_per_lane);
    return LinkRate{rate.lanes, *std::ranges::min_element(known, {}, [&](std::uint32_t speed) {
                      return std::abs(std::log(speed) - target);
                    })};
  };
  for (std::uint32_t n = 0; n < fabric.node_count(); ++n) {
    for_cables(fabric, NodeId(n), [&](PortNumber port, const CableEnd& far) {
      if (far.rate.stated()) fabric.set_rate(NodeId(n), port, scaled(far.rate));
    });
  }
  return fmt::format(
      "ibsim supports no rate above HDR: {} cables are faster, {} at most; all rates are simulated "
      "slower by one factor, and scores use the real rates",
      too_fast / 2, to_string(fastest));
}

/// Sentences about the differences from the topology.
void note_left_out(PlayableTopology& playable, const std::string& name, const std::string& host,
                   const OneSubnet::Counts& counts, std::size_t ports) {
  if (counts.nodes != 0) {
    playable.notes.push_back(fmt::format(
        "{} has more than one subnet, and opensm manages one: {} switches and {} adapters "
        "without a connection to '{}' are left out",
        name, counts.switches, counts.adapters, host));
  }
  if (ports != 0) {
    playable.notes.push_back(fmt::format(
        "{}: {} adapter ports are cabled only to nodes that opensm at '{}' cannot reach; they are "
        "left out",
        name, ports, host));
  }
}

}  // namespace

PlayableTopology make_playable(const std::filesystem::path& topology,
                               const std::filesystem::path& copy, const std::string& host,
                               std::optional<unsigned> lmc) {
  const std::string name = topology.string();
  PlayableTopology playable;
  std::string text = read_as_net_file(topology, playable.notes);
  const TopologySurvey survey = survey_topology(text);
  require_something(topology, text, survey);
  if (!host.empty()) require_fit_host(topology, text, host, survey.host);
  const std::string& place = host.empty() ? survey.host : host;
  OneSubnet one = subnet_of(text, place);
  if (one.left_out.nodes != 0) text = std::move(one.text);
  TopologyFile read = parse_topology(text, name);
  if (survey.switches == 0) {
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("{}: {} adapters and no switch: there is nothing to route", name,
                            survey.adapters));
  }
  const std::optional<NodeId> manager = node_of_name(read.builder, place);
  if (place.empty() || !manager) {
    throw Error(
        ErrorKind::unreadable_input,
        place.empty()
            ? name +
                  ": no adapter has port 1 cabled to a switch and an identifier of at "
                  "most 31 characters; opensm needs such an adapter"
            : fmt::format("{}: no adapter has the identifier '{}', at which opensm would run", name,
                          excerpt(place)));
  }
  playable.notes.insert(playable.notes.end(), read.warnings.begin(), read.warnings.end());
  SubnetCopier copier(read.builder, *manager);
  const LmcCounts lmcs(read.builder, copier);
  playable.lmc = lmc.value_or(lmcs.largest());
  playable.switches_have_lmc = lmcs.switches_have_lmc();
  const bool keeps_lids = lmcs.are_of(playable.lmc);
  if (!lmc && !keeps_lids) {
    playable.notes.push_back(fmt::format(
        "{}: {}; opensm assigns one LMC to all ports: LMC {} is simulated, with new LIDs", name,
        lmcs.text(), playable.lmc));
  }
  playable.fabric = copier.run(keeps_lids);
  OneSubnet::Counts left_out = one.left_out;
  left_out.nodes += copier.left_out.nodes;
  left_out.switches += copier.left_out.switches;
  left_out.adapters += copier.left_out.adapters;
  note_left_out(playable, name, place, left_out, copier.ports_left_out);
  if (copier.has_new_guids) {
    playable.notes.push_back(
        name +
        ": ibsim computes a port GUID as node GUID + port number, and two of these would be the "
        "same: nodes are simulated with other GUIDs, in the same order");
  }
  FabricBuilder simulated = playable.fabric;
  std::string scaled = scale_rates(simulated);
  if (!scaled.empty()) playable.notes.push_back(name + ": " + std::move(scaled));
  const std::string clean = to_net_file(std::move(simulated).build(), NetFileDialect::ibsim);
  write_file(copy, clean);
  playable.file = std::filesystem::absolute(copy);
  playable.survey = survey_topology(clean);
  // The writer replaces identifiers that ibsim does not accept.
  if (clean.find('"' + place + '"') != std::string::npos) playable.survey.host = place;
  return playable;
}

}  // namespace pssp
