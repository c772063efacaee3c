// A tree is cabled by rules that repeat: siblings, switches under the same parent, lead by the same
// port to the same switch; neighbouring ports lead to neighbouring ports, or to neighbouring
// switches. What rules a fabric follows is not known, but its remaining cables are samples of them.
//
// A port without a cable is a stub where most switches of the same kind have a cable to another
// switch. Each pair of stubs whose ranks match gets points for every remaining cable that a rule
// would explain together with the imagined one; the pairs of most points are taken first. A cable
// that nothing speaks for is not imagined: then the other end was at a switch that is gone, and a
// wrong link does more harm than a missing one.

#include "routing/engines/parts/imagined_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/no_index.h"
#include "fabric/builder.h"

namespace pssp {
namespace {

/// The points of one kind of evidence; found by trials on trees of all families of make_topo.
constexpr double same_switch_as_siblings = 8;
constexpr double same_part_as_siblings = 2;
constexpr double parents_of_siblings = 3;
constexpr std::array<double, 3> next_to_same_switch{4, 1.4, 1.4};
constexpr std::array<double, 3> next_to_another_switch{1, 0.35, 0.35};
constexpr double in_step = 3;
constexpr double in_opposite_step = 1.5;
constexpr double out_of_step = 0.2;
/// What speaks for a link at least. True ones had 16 and more, those between the neighbours of two
/// switches that are gone 7 at most.
constexpr double least_points = 12;

class LinkImaginer {
 public:
  explicit LinkImaginer(const Fabric& fabric) : fabric_(fabric), rank_(switch_ranks(fabric)) {}

  ImaginedLinks run() {
    require_tree();
    index_peers();
    find_stubs();
    gather_evidence();
    return pair_stubs();
  }

 private:
  /// One end of a link that may be imagined.
  struct Stub {
    std::uint32_t at;
    int port;
    std::uint32_t far_rank;
    /// Share of the siblings with a cable at this port, by the switch that it leads to.
    std::unordered_map<std::uint32_t, double> leads_to;
    /// The same by the part above (part_above()) that the switch is in.
    std::unordered_map<std::uint32_t, double> leads_into;
  };
  struct Pair {
    double points;
    std::uint32_t first, second;  // stubs
  };
  struct FarEnd {
    std::uint32_t at = no_index;
    int port = 0;
  };

  /// The other end of a cable to another switch.
  FarEnd behind(std::uint32_t s, int port) const {
    if (port < 1 || port > static_cast<int>(max_port_number)) return {};
    const PortTarget target = fabric_.behind(SwitchId(s), static_cast<PortNumber>(port));
    if (target.kind != PortTarget::Kind::channel) return {};
    return {fabric_.channel_head()[target.index], fabric_.channel_in_port()[target.index]};
  }

  void require_tree() const {
    constexpr std::uint32_t tolerated = 4;  // one in so many: cables between directors in a row
    std::size_t links = 0;
    std::size_t level = 0;
    std::uint32_t example = no_index;
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const std::uint32_t rank = rank_[fabric_.channel_tail()[c]];
      if (fabric_.channel_reverse()[c] < c || rank == no_rank) continue;
      ++links;
      if (rank != rank_[fabric_.channel_head()[c]]) continue;
      ++level;
      if (example == no_index) example = c;
    }
    if (tolerated * level <= links) return;
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("this is no tree: {} of {} links join switches that are equally far "
                            "from the nearest hosts, such as {}; expected at most one in {} in a "
                            "tree with some links missing; use engine best",
                            level, links, fabric_.channel_label(ChannelId(example)), tolerated));
  }

  /// Peers are switches of the same rank and number of ports, in the order of their GUIDs.
  void index_peers() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> group_of_kind;
    group_.assign(fabric_.switch_count(), no_index);
    place_.assign(fabric_.switch_count(), 0);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (rank_[s] == no_rank) continue;
      const std::pair<std::uint32_t, std::uint32_t> kind{rank_[s],
                                                         fabric_.switch_at(SwitchId(s)).ports};
      const auto group = group_of_kind.try_emplace(kind, static_cast<std::uint32_t>(peers_.size()));
      if (group.second) peers_.emplace_back();
      group_[s] = group.first->second;
      place_[s] = static_cast<int>(peers_[group_[s]].size());
      peers_[group_[s]].push_back(s);
    }
  }

  void find_stubs() {
    for (const std::vector<std::uint32_t>& peers : peers_) {
      const int ports = fabric_.switch_at(SwitchId(peers.front())).ports;
      for (int port = 1; port <= ports; ++port) find_stubs(peers, port);
    }
    std::sort(stubs_.begin(), stubs_.end(), [](const Stub& a, const Stub& b) {
      return std::tie(a.at, a.port) < std::tie(b.at, b.port);
    });
  }

  void find_stubs(const std::vector<std::uint32_t>& peers, int port) {
    std::map<std::uint32_t, std::size_t> far_ranks;
    std::size_t cabled = 0;
    for (const std::uint32_t s : peers) {
      const FarEnd far = behind(s, port);
      if (far.at == no_index) continue;
      ++far_ranks[rank_[far.at]];
      ++cabled;
    }
    // A switch without a cable there is none of those that have one, so all others are asked.
    if (2 * cabled <= peers.size() - 1) return;
    const std::uint32_t far_rank =
        std::max_element(far_ranks.begin(), far_ranks.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
    for (const std::uint32_t s : peers) {
      const PortTarget behind_port = fabric_.behind(SwitchId(s), static_cast<PortNumber>(port));
      if (behind_port.kind == PortTarget::Kind::none) stubs_.push_back({s, port, far_rank, {}, {}});
    }
  }

  /// Switches of the same rank with a common neighbour. Ascending.
  std::vector<std::uint32_t> siblings(std::uint32_t s) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t next : neighbours(s)) {
      for (const std::uint32_t other : neighbours(next)) {
        if (other != s && rank_[other] == rank_[s]) found.push_back(other);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::span<const std::uint32_t> neighbours(std::uint32_t s) const {
    const auto first = fabric_.first_channel();
    return fabric_.channel_head().subspan(first[s], first[s + 1] - first[s]);
  }

  /// For each rank, the connected parts of the switches above it, by SwitchId.
  const std::vector<std::uint32_t>& parts_above(std::uint32_t rank) {
    const auto found = parts_above_.find(rank);
    if (found != parts_above_.end()) return found->second;
    std::vector<std::uint32_t> part(fabric_.switch_count(), no_index);
    std::vector<std::uint32_t> reached;
    for (std::uint32_t s = 0; s < part.size(); ++s) {
      if (part[s] != no_index || rank_[s] <= rank || rank_[s] == no_rank) continue;
      part[s] = s;
      reached.assign(1, s);
      while (!reached.empty()) {
        const std::uint32_t at = reached.back();
        reached.pop_back();
        for (const std::uint32_t next : neighbours(at)) {
          if (part[next] != no_index || rank_[next] <= rank) continue;
          part[next] = s;
          reached.push_back(next);
        }
      }
    }
    return parts_above_.emplace(rank, std::move(part)).first->second;
  }

  void gather_evidence() {
    for (Stub& stub : stubs_) {
      if (siblings_.find(stub.at) == siblings_.end()) siblings_[stub.at] = siblings(stub.at);
      const std::vector<std::uint32_t>& part = parts_above(rank_[stub.at]);
      double cabled = 0;
      for (const std::uint32_t sibling : siblings_[stub.at]) {
        const FarEnd far = behind(sibling, stub.port);
        if (far.at == no_index) continue;
        ++cabled;
        ++stub.leads_to[far.at];
        if (part[far.at] != no_index) ++stub.leads_into[part[far.at]];
      }
      for (auto& [to, share] : stub.leads_to) share /= cabled;
      for (auto& [into, share] : stub.leads_into) share /= cabled;
    }
  }

  static double share_of(const std::unordered_map<std::uint32_t, double>& shares,
                         std::uint32_t key) {
    const auto found = shares.find(key);
    return found == shares.end() ? 0 : found->second;
  }

  /// What speaks for a link from s to t, seen from s.
  double points_from(const Stub& s, const Stub& t) {
    double points = same_switch_as_siblings * share_of(s.leads_to, t.at);
    if (rank_[t.at] > rank_[s.at]) {
      points += same_part_as_siblings * share_of(s.leads_into, parts_above(rank_[s.at])[t.at]);
      points += parents_of_siblings * siblings_among_neighbours(s.at, t.at);
    }
    for (int offset = 1; offset <= 3; ++offset) {
      points += points_along(s, t, offset) + points_along(s, t, -offset);
    }
    return points;
  }

  /// A cable at t, `offset` ports from the stub: does it lead by the same port to the switch
  /// `offset` places from s?
  double points_along(const Stub& s, const Stub& t, int offset) const {
    const FarEnd far = behind(t.at, t.port + offset);
    if (far.at == no_index || far.port != s.port || group_[far.at] != group_[s.at]) return 0;
    const int places = place_[far.at] - place_[s.at];
    if (places == offset) return in_step;
    return places == -offset ? in_opposite_step : out_of_step;
  }

  /// Share of the neighbours of t at the rank of s that are siblings of s.
  double siblings_among_neighbours(std::uint32_t s, std::uint32_t t) {
    const std::vector<std::uint32_t>& family = siblings_[s];
    double of_rank = 0;
    double of_family = 0;
    for (const std::uint32_t next : neighbours(t)) {
      if (rank_[next] != rank_[s]) continue;
      ++of_rank;
      if (next == s || std::binary_search(family.begin(), family.end(), next)) ++of_family;
    }
    return of_rank == 0 ? 0 : of_family / of_rank;
  }

  /// Cables laid port by port: the ports beside both stubs are linked, too.
  double points_in_order(const Stub& s, const Stub& t) const {
    double points = 0;
    for (const int offset : {-3, -2, -1, 1, 2, 3}) {
      const FarEnd far = behind(s.at, s.port + offset);
      if (far.at == no_index || rank_[far.at] != rank_[t.at] || far.port != t.port + offset)
        continue;
      const auto distance = static_cast<std::size_t>(offset < 0 ? -offset : offset) - 1;
      points += far.at == t.at ? next_to_same_switch[distance] : next_to_another_switch[distance];
    }
    return points;
  }

  std::vector<Pair> scored_pairs() {
    constexpr std::size_t most_pairs = 10'000'000;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> by_ranks;
    for (std::uint32_t i = 0; i < stubs_.size(); ++i) {
      by_ranks[{rank_[stubs_[i].at], stubs_[i].far_rank}].push_back(i);
    }
    std::vector<Pair> pairs;
    std::size_t looked_at = 0;
    for (const auto& [ranks, lower] : by_ranks) {
      const auto upper = by_ranks.find({ranks.second, ranks.first});
      if (ranks.first >= ranks.second || upper == by_ranks.end()) continue;
      looked_at += lower.size() * upper->second.size();
      if (looked_at > most_pairs) {
        throw Error(ErrorKind::unsuitable_topology,
                    fmt::format("{} ports lack the cable that most switches of their kind have "
                                "there, the first of them {} port {}: too many to tell which "
                                "belong together; expected at most {} pairs; use engine best",
                                stubs_.size(), fabric_.label(SwitchId(stubs_.front().at)),
                                stubs_.front().port, most_pairs));
      }
      for (const std::uint32_t a : lower) {
        for (const std::uint32_t b : upper->second) {
          const Stub& s = stubs_[a];
          const Stub& t = stubs_[b];
          const double points = points_from(s, t) + points_from(t, s) + points_in_order(s, t);
          if (points >= least_points) pairs.push_back({points, a, b});
        }
      }
    }
    return pairs;
  }

  ImaginedLinks pair_stubs() {
    std::vector<Pair> pairs = scored_pairs();
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
      return std::tuple(-a.points, a.first, a.second) < std::tuple(-b.points, b.first, b.second);
    });
    std::vector<std::uint8_t> taken(stubs_.size(), 0);
    ImaginedLinks result;
    for (const Pair& pair : pairs) {
      if (taken[pair.first] != 0 || taken[pair.second] != 0) continue;
      taken[pair.first] = taken[pair.second] = 1;
      const SwitchPort a = switch_port(stubs_[pair.first]);
      const SwitchPort b = switch_port(stubs_[pair.second]);
      result.links.push_back({std::min(a, b), std::max(a, b)});
    }
    std::sort(result.links.begin(), result.links.end());
    result.unpaired = stubs_.size() - 2 * result.links.size();
    return result;
  }

  static SwitchPort switch_port(const Stub& stub) {
    return {SwitchId(stub.at), static_cast<PortNumber>(stub.port)};
  }

  const Fabric& fabric_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::vector<std::uint32_t>> peers_;
  std::vector<std::uint32_t> group_;  // in peers_, by SwitchId
  std::vector<int> place_;            // among its peers, by SwitchId
  std::vector<Stub> stubs_;           // ascending
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
      siblings_;                                                     // of switches with stubs
  std::map<std::uint32_t, std::vector<std::uint32_t>> parts_above_;  // by rank
};

/// The rate of the linked port of s that is nearest to `port`.
LinkRate rate_beside(const Fabric& fabric, SwitchPort at) {
  const auto first = fabric.first_channel();
  LinkRate rate;
  int nearest = 256;
  for (std::uint32_t c = first[at.at.value()]; c < first[at.at.value() + 1]; ++c) {
    const int difference = fabric.channel_out_port()[c] - at.port;
    const int distance = difference < 0 ? -difference : difference;
    if (distance >= nearest) continue;
    nearest = distance;
    rate = fabric.channel_rate()[c];
  }
  return rate;
}

/// Adds the adapters of a fabric with their LIDs and cables. `switches`: by SwitchId.
void copy_adapters(const Fabric& fabric, const std::vector<NodeId>& switches,
                   FabricBuilder& builder) {
  const auto ends = fabric.end_ports();
  NodeId node;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const EndPort& end = ends[i];
    if (i == 0 || ends[i - 1].host != end.host) {
      std::size_t last = i;
      while (last + 1 < ends.size() && ends[last + 1].host == end.host) ++last;
      node =
          builder.add_adapter(end.node_guid, ends[last].port, end.kind, end.name, end.description);
    }
    builder.set_port_guid(node, end.port, end.port_guid);
    if (end.lid != no_lid) builder.set_lid(node, end.port, end.lid, end.lmc);
    if (!end.attached.valid()) continue;
    builder.connect(switches[end.attached.value()], end.switch_port, node, end.port, end.rate);
  }
}

}  // namespace

std::vector<std::uint32_t> switch_ranks(const Fabric& fabric) {
  std::vector<std::uint32_t> rank(fabric.switch_count(), no_rank);
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (fabric.endpoints_per_switch()[s] == 0) continue;
    rank[s] = 0;
    order.push_back(s);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t s = order[i];
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric.channel_head()[c];
      if (rank[next] != no_rank) continue;
      rank[next] = rank[s] + 1;
      order.push_back(next);
    }
  }
  return rank;
}

ImaginedLinks imagine_links(const Fabric& fabric) { return LinkImaginer(fabric).run(); }

Fabric with_links(const Fabric& fabric, const std::vector<ImaginedLink>& links) {
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (const Switch& each : fabric.switches()) {
    switches.push_back(builder.add_switch(each.guid, each.ports, each.name, each.description));
    if (each.lid != no_lid) builder.set_lid(switches.back(), management_port, each.lid, each.lmc);
  }
  copy_adapters(fabric, switches, builder);
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (fabric.channel_reverse()[c] < c) continue;
    builder.connect(switches[fabric.channel_tail()[c]], fabric.channel_out_port()[c],
                    switches[fabric.channel_head()[c]], fabric.channel_in_port()[c],
                    fabric.channel_rate()[c]);
  }
  for (const ImaginedLink& link : links) {
    builder.connect(switches[link.a.at.value()], link.a.port, switches[link.b.at.value()],
                    link.b.port, rate_beside(fabric, link.a));
  }
  BuilderOptions options;
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    options.aggregation_nodes_are_endpoints |=
        fabric.end_ports()[e].kind == EndPortKind::aggregation_node &&
        fabric.is_endpoint(EndPortId(e));
  }
  return std::move(builder).build(options);
}

}  // namespace pssp
