// Links, ports and nodes are those of the map at the end of the window; values are sums over the
// window, with sufficient time resolution. A link is listed in both directions, which have separate
// utilizations.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/utc_time.h"
#include "monitor/counters/event.h"
#include "monitor/counters/rates.h"
#include "monitor/counters/state_names.h"
#include "monitor/service/history_sums.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/history_arguments.h"
#include "tools/monitor_fabric/port_rows.h"
#include "tools/monitor_fabric/table.h"

namespace pssp {
namespace {

constexpr std::int64_t default_window_ms = 2 * five_minutes_ms;

Cell share_cell(double share) { return share < 0 ? Cell{} : Cell{100 * share}; }

Cell rate_cell(const PortDifference& difference, Counter counter) {
  if (difference.ns == 0 || !difference.has(counter)) return {};
  return difference.per_second(counter) / 1e9;
}

Cell errors_cell(const PortDifference& difference) {
  std::int64_t errors = 0;
  bool known = false;
  for (const CounterInfo& info : counter_table()) {
    if (info.unit != CounterUnit::events || !difference.has(info.counter)) continue;
    known = true;
    errors += static_cast<std::int64_t>(difference.of(info.counter));
  }
  return known ? Cell{errors} : Cell{};
}

std::string guid_text(Guid guid) { return fmt::format("0x{:016x}", guid); }

/// Base class of lists from a database.
class ListCommand : public MonitorCommand {
 public:
  void add_options(CommandLine& line) override {
    arguments_.add_options(line, true);
    line.option("--sort", sort_, "Sort by this column").one_of(sort_text()).show_default();
    line.option("--top", top_, "Print only the first N rows").range(1, 1e9).type_name("N");
  }

  int run(const CommandLine&) override {
    const HistoryReader reader(arguments_.database);
    const TimeWindow window = arguments_.window(reader, default_window_ms);
    const std::shared_ptr<const FabricMap> map = reader.map_at(window.until_ms - 1);
    if (!map) {
      throw Error(ErrorKind::unreadable_input,
                  arguments_.database + ": the database has no sweeps yet");
    }
    const PortFilter filter(arguments_.node, *map);
    Table table;
    table.columns = columns();
    fill(table, *map, sums_of(reader, window), filter);
    sort(table);
    if (top_) table.rows.resize(std::min<std::size_t>(table.rows.size(), *top_));
    arguments_.write(table);
    return 0;
  }

 protected:
  virtual std::vector<TableColumn> columns() const = 0;
  /// Names of columns; the first is the default. "name" keeps the order of the map.
  virtual std::vector<std::string> sort_text() const {
    return {"out_percent", "waiting_percent", "errors", "name"};
  }
  virtual void fill(Table& table, const FabricMap& map, const AllSums& sums,
                    const PortFilter& filter) const = 0;

 private:
  void sort(Table& table) const {
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                     [&](const TableColumn& each) { return each.name == sort_; });
    if (column == table.columns.end()) return;
    const auto at = static_cast<std::size_t>(column - table.columns.begin());
    // Unknown values come last: the alternatives of a cell are in that order.
    std::stable_sort(table.rows.begin(), table.rows.end(),
                     [&](const auto& a, const auto& b) { return b[at] < a[at]; });
  }

  HistoryArguments arguments_;
  std::string sort_ = "out_percent";
  std::optional<unsigned> top_;

 protected:
  explicit ListCommand(std::string sort) : sort_(std::move(sort)) {}
};

const PortSums& sums_at(const AllSums& sums, Guid node, PortNumber number) {
  static const PortSums none;
  const auto found = sums.find({node, number});
  return found == sums.end() ? none : found->second;
}

class LinksCommand final : public ListCommand {
 public:
  LinksCommand() : ListCommand("out_percent") {}
  std::string name() const override { return "links"; }
  std::string summary() const override {
    return "Lists the links in both directions, the busiest first, from a database";
  }

 protected:
  std::vector<TableColumn> columns() const override {
    return {{"port", 0},        {"cabled_to", 0},       {"rate", 0},  {"out_GB_s", 3},
            {"out_percent", 1}, {"waiting_percent", 1}, {"errors", 0}};
  }
  void fill(Table& table, const FabricMap& map, const AllSums& sums,
            const PortFilter& filter) const override {
    for (const MapPort& port : map.ports) {
      const Guid guid = map.node_of(port).guid;
      if (port.peer == MapPort::no_peer || !filter.wants(guid, port.number)) continue;
      const PortDifference& difference = sums_at(sums, guid, port.number).difference;
      table.rows.push_back({port_name(map, port), port_name(map, map.ports[port.peer]),
                            to_string(port.rate), rate_cell(difference, Counter::transmit_bytes),
                            share_cell(utilisation(difference, Counter::transmit_bytes, port.rate)),
                            share_cell(waiting_share(difference)), errors_cell(difference)});
    }
  }
};

class PortsCommand final : public ListCommand {
 public:
  PortsCommand() : ListCommand("name") {}
  std::string name() const override { return "ports"; }
  std::string summary() const override { return "Lists the ports, from a database"; }

 protected:
  std::vector<std::string> sort_text() const override {
    return {"name", "out_percent", "in_percent", "waiting_percent", "errors"};
  }
  std::vector<TableColumn> columns() const override {
    return {{"guid", 0},    {"number", 0},      {"port", 0},       {"lid", 0},
            {"state", 0},   {"reading", 0},     {"rate", 0},       {"out_GB_s", 3},
            {"in_GB_s", 3}, {"out_percent", 1}, {"in_percent", 1}, {"waiting_percent", 1},
            {"errors", 0}};
  }
  void fill(Table& table, const FabricMap& map, const AllSums& sums,
            const PortFilter& filter) const override {
    for (const MapPort& port : map.ports) {
      const Guid guid = map.node_of(port).guid;
      if (!filter.wants(guid, port.number)) continue;
      const PortSums& sum = sums_at(sums, guid, port.number);
      const PortDifference& difference = sum.difference;
      table.rows.push_back({guid_text(guid), std::int64_t{port.number}, port_name(map, port),
                            std::int64_t{port.lid}, std::string(name_of(port.state)),
                            std::string(name_of(sum.status)), to_string(port.rate),
                            rate_cell(difference, Counter::transmit_bytes),
                            rate_cell(difference, Counter::receive_bytes),
                            share_cell(utilisation(difference, Counter::transmit_bytes, port.rate)),
                            share_cell(utilisation(difference, Counter::receive_bytes, port.rate)),
                            share_cell(waiting_share(difference)), errors_cell(difference)});
    }
  }
};

class NodesCommand final : public ListCommand {
 public:
  NodesCommand() : ListCommand("name") {}
  std::string name() const override { return "nodes"; }
  std::string summary() const override { return "Lists the nodes, from a database"; }

 protected:
  std::vector<std::string> sort_text() const override {
    return {"name", "out_GB_s", "in_GB_s", "errors", "active_ports"};
  }
  std::vector<TableColumn> columns() const override {
    return {{"guid", 0},     {"kind", 0},    {"lid", 0},    {"ports", 0}, {"active_ports", 0},
            {"out_GB_s", 3}, {"in_GB_s", 3}, {"errors", 0}, {"name", 0}};
  }
  void fill(Table& table, const FabricMap& map, const AllSums& sums,
            const PortFilter& filter) const override {
    for (const MapNode& node : map.nodes) {
      if (!filter.wants(node.guid)) continue;
      PortDifference all;
      double out = 0, in = 0;
      std::int64_t active = 0, lid = node.lid;
      for (std::uint32_t p = 0; p < node.ports; ++p) {
        const MapPort& port = map.ports[node.first_port + p];
        if (port.state == LinkState::active) ++active;
        if (lid == no_lid) lid = port.lid;
        const PortDifference& each = sums_at(sums, node.guid, port.number).difference;
        all.known |= each.known;
        all.ns = std::max(all.ns, each.ns);
        out += each.per_second(Counter::transmit_bytes) / 1e9;
        in += each.per_second(Counter::receive_bytes) / 1e9;
        for (std::size_t at = 0; at < counter_count; ++at) all.delta[at] += each.delta[at];
      }
      const char* kind = node.kind == NodeKind::switch_node ? "switch"
                         : node.kind == NodeKind::router    ? "router"
                                                            : "adapter";
      table.rows.push_back({guid_text(node.guid), std::string(kind), lid, std::int64_t{node.ports},
                            active, all.ns == 0 ? Cell{} : Cell{out},
                            all.ns == 0 ? Cell{} : Cell{in}, errors_cell(all), node.description});
    }
  }
};

class EventsCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "events"; }
  std::string summary() const override { return "Lists the events, from a database"; }

  void add_options(CommandLine& line) override {
    arguments_.add_options(line, false);
    line.option("--kind", kind_, "Print only events of this kind")
        .one_of(kinds())
        .type_name("KIND");
    line.option("--top", top_, "Print only the newest N events").range(1, 1e6).type_name("N");
  }

  int run(const CommandLine&) override {
    const HistoryReader reader(arguments_.database);
    EventQuery query;
    query.window = arguments_.window(reader, 0);
    query.kind = kind_;
    query.limit = top_ ? *top_ : std::size_t{1'000'000};
    const std::shared_ptr<const FabricMap> map = reader.map_at(query.window.until_ms - 1);
    const FabricMap empty;
    const PortFilter filter(arguments_.node, map ? *map : empty);
    query.node = filter.node();
    query.number = filter.port();
    const Table table = table_of(reader.events(query), map ? *map : empty);
    arguments_.write(table);
    return 0;
  }

 private:
  static std::vector<std::string> kinds() {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < event_kind_count; ++i) {
      all.emplace_back(name_of(static_cast<EventKind>(i)));
    }
    return all;
  }

  static std::string place(const StoredEvent& event, const FabricMap& map) {
    if (!event.port) return "";
    const auto node = map.find_node(event.port->node);
    const auto port = map.find_port(event.port->node, event.port->number);
    if (port) return port_name(map, map.ports[*port]);
    return node ? map.nodes[*node].description : guid_text(event.port->node);
  }

  static Table table_of(const std::vector<StoredEvent>& events, const FabricMap& map) {
    Table table;
    table.columns = {{"time", 0}, {"kind", 0}, {"where", 0}, {"text", 0}};
    for (const StoredEvent& event : events) {
      table.rows.push_back({time_text(event.time_ms), event.kind, place(event, map), event.text});
    }
    return table;
  }

  HistoryArguments arguments_;
  std::string kind_;
  std::optional<unsigned> top_;
};

}  // namespace

MonitorCommandPointer make_links_command() { return std::make_unique<LinksCommand>(); }
MonitorCommandPointer make_ports_command() { return std::make_unique<PortsCommand>(); }
MonitorCommandPointer make_nodes_command() { return std::make_unique<NodesCommand>(); }
MonitorCommandPointer make_events_command() { return std::make_unique<EventsCommand>(); }

}  // namespace pssp
