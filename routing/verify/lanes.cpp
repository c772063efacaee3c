// Every route is followed from its source until it ends, or meets a route to the same LID that was
// followed on the same lane.

#include "routing/verify/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/error.h"
#include "fabric/tables/table_columns.h"
#include "routing/verify/channel_dependencies.h"

namespace pssp {
namespace {

/// Adds the dependencies of the route that leaves `source` by `entries` (the entries of all
/// switches for one LID). Stops at the end of the route, or when is_new(switch) is false, because
/// an earlier route has added the remaining dependencies.
template <class IsNew>
void add_route(const Fabric& fabric, std::span<const PortNumber> entries, std::uint32_t source,
               IsNew is_new, ChannelDependencies& graph) {
  std::uint32_t s = source;
  PortTarget out = fabric.behind(SwitchId(s), entries[s]);
  while (out.kind == PortTarget::Kind::channel && is_new(s)) {
    s = fabric.channel_head()[out.index];
    const PortTarget then = fabric.behind(SwitchId(s), entries[s]);
    if (then.kind == PortTarget::Kind::channel) {
      graph.add(ChannelId(out.index), ChannelId(then.index));
    }
    out = then;
  }
}

class LaneVerifier {
 public:
  LaneVerifier(const Fabric& fabric, const ForwardingTables& tables, const ServiceLevels& levels,
               const LaneVerifyOptions& options)
      : fabric_(fabric),
        table_columns_(tables),
        level_columns_(levels),
        options_(options),
        walked_(fabric.switch_count()) {}

  LaneReport run() && {
    for (const Lid lid : fabric_.lids()) {
      const bool to_switch = fabric_.owner(lid).kind == LidOwner::Kind::switch_port0;
      if (!fabric_.delivery(lid).at.valid() || (to_switch && !options_.switch_ports)) continue;
      std::fill(walked_.begin(), walked_.end(), std::uint16_t{0});
      ports_ = table_columns_.column(lid);
      level_of_ = level_columns_.column(lid);
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
        if (fabric_.senders_per_switch()[s] != 0 || (options_.switch_ports && !to_switch))
          add_route_from(s, lid);
      }
    }
    report_.lanes = static_cast<unsigned>(graphs_.size());
    for (unsigned lane = 0; lane < graphs_.size(); ++lane) {
      report_.dependencies.push_back(graphs_[lane].count());
      if (!report_.cycle.empty()) continue;
      report_.cycle = graphs_[lane].find_cycle();
      report_.cycle_lane = lane;
    }
    return std::move(report_);
  }

 private:
  /// By the entry for the current LID.
  PortTarget next(std::uint32_t s) const { return fabric_.behind(SwitchId(s), ports_[s]); }

  void add_route_from(std::uint32_t source, Lid lid) {
    const ServiceLevel level = level_of_[source];
    if (level >= service_level_count) {
      if (arrives(source, lid)) report_missing(source, lid);
      return;
    }
    while (graphs_.size() <= level) graphs_.emplace_back(fabric_);
    const auto bit = static_cast<std::uint16_t>(1U << level);
    const auto is_new = [&](std::uint32_t s) {
      const std::uint16_t before = walked_[s];
      walked_[s] = static_cast<std::uint16_t>(before | bit);
      return (before & bit) == 0;
    };
    add_route(fabric_, ports_, source, is_new, graphs_[level]);
  }

  bool arrives(std::uint32_t source, Lid lid) const {
    const Delivery delivery = fabric_.delivery(lid);
    std::uint32_t s = source;
    for (std::size_t hops = 0; hops < fabric_.switch_count(); ++hops) {
      const PortTarget out = next(s);
      if (out.kind != PortTarget::Kind::channel)
        return s == delivery.at.value() && ports_[s] == delivery.port;
      s = fabric_.channel_head()[out.index];
    }
    return false;
  }

  void report_missing(std::uint32_t source, Lid lid) {
    if (report_.routes_without_level++ == 0) {
      report_.example_without_level =
          fmt::format("from {} to LID {}", fabric_.label(SwitchId(source)), lid);
    }
  }

  const Fabric& fabric_;
  TableColumns<ForwardingTables> table_columns_;
  TableColumns<ServiceLevels> level_columns_;
  const LaneVerifyOptions& options_;
  std::vector<ChannelDependencies> graphs_;  // by lane
  // By switch, for the current LID: entries, service levels, and the lanes (bits) on which the
  // route was followed.
  std::span<const PortNumber> ports_;
  std::span<const ServiceLevel> level_of_;
  std::vector<std::uint16_t> walked_;
  LaneReport report_;
};

/// Dependencies of the routes from all switches to hosts and routers. These are the dependencies of
/// all entries, which are read switch by switch, in memory order.
class OneLaneVerifier {
 public:
  OneLaneVerifier(const Fabric& fabric, const ForwardingTables& tables)
      : fabric_(fabric),
        tables_(tables),
        columns_(tables),
        graph_(fabric),
        walked_(fabric.switch_count(), no_lid) {}

  LaneReport run() && {
    std::vector<Lid> to_hosts;
    for (const Lid lid : fabric_.lids()) {
      if (!fabric_.delivery(lid).at.valid()) continue;
      if (fabric_.owner(lid).kind == LidOwner::Kind::switch_port0) {
        add_routes_to_switch(lid);
      } else {
        to_hosts.push_back(lid);
      }
    }
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) add_entries(SwitchId(s), to_hosts);
    LaneReport report;
    report.lanes = 1;
    report.dependencies = {graph_.count()};
    report.cycle = graph_.find_cycle();
    return report;
  }

 private:
  static constexpr std::size_t ports = 256;

  void add_routes_to_switch(Lid lid) {
    const std::span<const PortNumber> entries = columns_.column(lid);
    for (std::uint32_t source = 0; source < fabric_.switch_count(); ++source) {
      if (fabric_.senders_per_switch()[source] == 0) continue;
      const auto is_new = [&](std::uint32_t s) { return std::exchange(walked_[s], lid) != lid; };
      add_route(fabric_, entries, source, is_new, graph_);
    }
  }

  void add_entries(SwitchId s, std::span<const Lid> lids) {
    // By port: the entries of the switch behind the port, and the ports to which these entries
    // lead.
    std::array<std::span<const PortNumber>, ports> rows;
    std::vector<std::array<char, ports>> leads_to(ports);
    for (unsigned p = 0; p < ports; ++p) {
      const PortTarget target = fabric_.behind(s, static_cast<PortNumber>(p));
      if (target.kind != PortTarget::Kind::channel) continue;
      rows.at(p) = tables_.row(SwitchId(fabric_.channel_head()[target.index]));
      leads_to[p].fill(0);
    }
    const std::span<const PortNumber> row = tables_.row(s);
    for (const Lid lid : lids) {
      if (lid >= row.size()) break;
      const PortNumber entry = row[lid];
      if (!rows[entry].empty()) leads_to[entry][rows[entry][lid]] = 1;
    }
    for (unsigned p = 0; p < ports; ++p) {
      if (!rows.at(p).empty())
        add(fabric_.behind(s, static_cast<PortNumber>(p)).index, leads_to[p]);
    }
  }

  void add(std::uint32_t channel, const std::array<char, ports>& leads_to) {
    const SwitchId next(fabric_.channel_head()[channel]);
    for (unsigned p = 0; p < ports; ++p) {
      if (leads_to.at(p) == 0) continue;
      const PortTarget target = fabric_.behind(next, static_cast<PortNumber>(p));
      if (target.kind == PortTarget::Kind::channel) {
        graph_.add(ChannelId(channel), ChannelId(target.index));
      }
    }
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  TableColumns<ForwardingTables> columns_;
  ChannelDependencies graph_;
  std::vector<Lid> walked_;  // by switch: the last LID of a switch whose routes crossed it
};

void require_switches(std::size_t found, const Fabric& fabric, const char* what) {
  if (found == fabric.switch_count()) return;
  throw Error(ErrorKind::mismatch, fmt::format("the {} are for {} switches, but the fabric has {}",
                                               what, found, fabric.switch_count()));
}

}  // namespace

LaneReport verify_lanes(const Fabric& fabric, const ForwardingTables& tables,
                        const ServiceLevels& levels, const LaneVerifyOptions& options) {
  require_switches(tables.switch_count(), fabric, "tables");
  require_switches(levels.switch_count(), fabric, "service levels");
  return LaneVerifier(fabric, tables, levels, options).run();
}

LaneReport verify_one_lane(const Fabric& fabric, const ForwardingTables& tables) {
  require_switches(tables.switch_count(), fabric, "tables");
  return OneLaneVerifier(fabric, tables).run();
}

std::string describe_deadlock(const Fabric& fabric, const LaneReport& report) {
  std::string text;
  if (report.routes_without_level != 0) {
    text = fmt::format("{} routes have no service level, for example the route {}\n",
                       report.routes_without_level, report.example_without_level);
  }
  if (!report.cycle.empty()) {
    text += fmt::format("on virtual lane {}, these channels wait for each other in a cycle:\n{}",
                        report.cycle_lane, describe_cycle(fabric, report.cycle));
  }
  return text;
}

}  // namespace pssp
