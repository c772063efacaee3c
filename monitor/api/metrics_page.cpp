#include "monitor/api/metrics_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/untrusted_text.h"
#include "base/version.h"
#include "fabric/line_coding.h"
#include "monitor/api/views.h"
#include "monitor/counters/verdict_record.h"

// The format has one line for each sample, so the page is written without a library. A library that
// first builds a tree of half a million samples needs several hundred megabytes. All samples of a
// family must follow one head, so the outer loop is over counters and the inner one over ports. The
// labels of a port are the same in each family and are formatted once.
//
// OpenMetrics differs in the head of counters (the name of the family has no _total), in the unit
// of times, and in its last line.

namespace pssp {
namespace {

constexpr std::size_t piece_size = 64 << 10;

std::string escaped_label(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// The text after the labels of a sample with value 0, and the number of its characters before the
/// value.
constexpr std::string_view zero_end = "} 0\n";
constexpr std::size_t zero_before = 2;

class MetricsWriter {
 public:
  MetricsWriter(const MetricsChoice& choice, const std::function<void(std::string_view)>& piece)
      : choice_(choice), piece_(piece) {}

  void head(std::string_view name, std::string_view type, std::string_view help) {
    std::string_view family = name;
    if (choice_.openmetrics && type == "counter") family.remove_suffix(6);  // _total
    write("# HELP {} {}\n# TYPE {} {}\n", family, help, family, type);
  }
  template <class Number>
  void sample(std::string_view name, std::string_view labels, Number number) {
    write("{}{{{}}} {}\n", name, labels, number);
  }
  /// Like sample(), without the cost of formatting, for the counters that make up most of the page.
  /// `begin` is the name and its brace; `ended` is the labels and `zero_end`, because most of these
  /// numbers are 0.
  void count(std::string_view begin, std::string_view ended, std::uint64_t number) {
    text_.append(begin);
    if (number == 0) {
      text_.append(ended);
    } else {
      const fmt::format_int digits(number);
      text_.append(ended.substr(0, ended.size() - zero_end.size() + zero_before))
          .append(digits.data(), digits.size())
          .append(1, '\n');
    }
    hand_over();
  }
  template <class Number>
  void single(std::string_view name, std::string_view type, std::string_view help, Number number) {
    head(name, type, help);
    write("{} {}\n", name, number);
  }
  void end() {
    if (choice_.openmetrics) text_ += "# EOF\n";
    piece_(text_);
    text_.clear();
  }

 private:
  template <class... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    hand_over();
  }
  void hand_over() {
    if (text_.size() < piece_size) return;
    piece_(text_);
    text_.clear();
  }

  const MetricsChoice& choice_;
  const std::function<void(std::string_view)>& piece_;
  std::string text_;
};

/// The ports of one kind of node, with their labels.
struct Family {
  std::string_view prefix, label;  ///< "infiniband_switch", "switch"
  std::vector<std::uint32_t> ports;
  std::vector<std::string> ended;  ///< labels and zero_end

  std::string_view labels(std::size_t i) const {
    return std::string_view(ended[i]).substr(0, ended[i].size() - zero_end.size());
  }
};

Family ports_of(const LiveView& view, bool switches) {
  Family family;
  family.prefix = switches ? "infiniband_switch" : "infiniband_hca";
  family.label = switches ? "switch" : "hca";
  for (std::uint32_t p = 0; p < view.map().ports.size(); ++p) {
    const MapPort& port = view.map().ports[p];
    const MapNode& node = view.map().node_of(port);
    if ((node.kind == NodeKind::switch_node) != switches) continue;
    family.ports.push_back(p);
    family.ended.push_back(fmt::format(R"(guid="0x{:016x}",port="{}",{}="{}"{})", node.guid,
                                       port.number, family.label,
                                       escaped_label(view.name_of_port(p)), zero_end));
  }
  return family;
}

void write_port_counters(MetricsWriter& out, const LiveView& view, const Family& family,
                         const MetricsChoice& choice) {
  const Snapshot& snapshot = *view.snapshot;
  for (const CounterInfo& info : counter_table()) {
    const std::string name = fmt::format("{}_port_{}_total", family.prefix, info.metric);
    const std::string begin = name + "{";
    bool begun = false;
    for (std::size_t i = 0; i < family.ports.size(); ++i) {
      const std::uint32_t port = family.ports[i];
      if ((snapshot.known[port] & mask_of(info.counter)) == 0) continue;
      const std::uint64_t count = snapshot.counters(port)[static_cast<std::size_t>(info.counter)];
      if (count == 0 && info.unit == CounterUnit::events && !choice.zeros) continue;
      if (!begun) {
        out.head(name, "counter",
                 fmt::format("{} of InfiniBand ports{}", info.wire_name,
                             info.unit == CounterUnit::bytes ? ", in bytes" : ""));
      }
      begun = true;
      out.count(begin, family.ended[i], count);
    }
  }
}

/// Writes the head of a family with its first sample, because promtool and OpenMetrics do not allow
/// empty families.
template <class Value>
void write_port_gauge(MetricsWriter& out, const Family& family, const std::string& name,
                      std::string_view help, const Value& value) {
  bool begun = false;
  for (std::size_t i = 0; i < family.ports.size(); ++i) {
    const std::optional<double> number = value(family.ports[i]);
    if (!number) continue;
    if (!begun) out.head(name, "gauge", help);
    begun = true;
    out.sample(name, family.labels(i), *number);
  }
}

void write_port_gauges(MetricsWriter& out, const LiveView& view, const Family& family) {
  const FabricMap& map = view.map();
  const std::string prefix(family.prefix);
  write_port_gauge(out, family, prefix + "_port_rate_bytes_per_second",
                   "Data rate of the link, one direction.",
                   [&](std::uint32_t p) -> std::optional<double> {
                     if (!map.ports[p].rate.stated()) return std::nullopt;
                     return map.ports[p].rate.capacity() * 1e6 / 8;
                   });
  write_port_gauge(out, family, prefix + "_port_raw_rate_bytes_per_second",
                   "Rate of the link with its line coding, one direction.",
                   [&](std::uint32_t p) -> std::optional<double> {
                     const auto megabits = signalled_capacity(map.ports[p].rate);
                     if (!megabits) return std::nullopt;
                     return *megabits * 1e6 / 8;
                   });
  write_port_gauge(out, family, prefix + "_port_state",
                   "PortState: 1 down, 2 initialize, 3 armed, 4 active.",
                   [&](std::uint32_t p) -> std::optional<double> {
                     return static_cast<double>(map.ports[p].state);
                   });
}

std::string_view uplink_type(NodeKind kind) {
  return kind == NodeKind::switch_node ? "SW" : kind == NodeKind::router ? "RT" : "CA";
}

void write_uplinks(MetricsWriter& out, const LiveView& view, const Family& family) {
  const FabricMap& map = view.map();
  const std::string name = fmt::format("{}_uplink_info", family.prefix);
  bool begun = false;
  for (std::size_t i = 0; i < family.ports.size(); ++i) {
    const std::uint32_t peer = map.ports[family.ports[i]].peer;
    if (peer == MapPort::no_peer) continue;
    if (!begun) out.head(name, "gauge", "Port at the other end of the cable.");
    begun = true;
    const MapNode& node = map.node_of(map.ports[peer]);
    out.sample(name,
               fmt::format("{},uplink=\"{}\",uplink_guid=\"0x{:016x}\",uplink_port=\"{}\","
                           "uplink_type=\"{}\",uplink_lid=\"{}\"",
                           family.labels(i), escaped_label(view.name_of_port(peer)), node.guid,
                           map.ports[peer].number, uplink_type(node.kind),
                           node.lid != no_lid ? node.lid : map.ports[peer].lid),
               1);
  }
}

void write_node_info(MetricsWriter& out, const LiveView& view, const Family& family) {
  const bool switches = family.label == "switch";
  const std::string name = fmt::format("{}_info", family.prefix);
  bool begun = false;
  for (std::size_t n = 0; n < view.map().nodes.size(); ++n) {
    const MapNode& node = view.map().nodes[n];
    if ((node.kind == NodeKind::switch_node) != switches) continue;
    if (!begun) out.head(name, "gauge", "A node of the fabric.");
    begun = true;
    out.sample(
        name,
        fmt::format(R"(guid="0x{:016x}",{}="{}",lid="{}")", node.guid, family.label,
                    escaped_label((*view.names)[n]),
                    node.lid != no_lid || node.ports == 0 ? node.lid
                                                          : view.map().ports[node.first_port].lid),
        1);
  }
}

/// Labels of a port that are independent of the kind of its node.
std::string own_labels(const LiveView& view, std::uint32_t port) {
  const MapPort& self = view.map().ports[port];
  return fmt::format(R"(guid="0x{:016x}",port="{}",node="{}")", view.map().node_of(self).guid,
                     self.number, escaped_label(view.name_of_port(port)));
}

void write_use(MetricsWriter& out, const LiveView& view, std::string_view name,
               std::string_view help, double ChannelUseView::*member, const MetricsChoice& choice) {
  bool begun = false;
  for (std::size_t c = 0; c < view.channels.size(); ++c) {
    const std::uint32_t port = view.channels[c];
    const bool is_switch = view.map().node_of(view.map().ports[port]).kind == NodeKind::switch_node;
    const double value = view.use[c].*member;
    if (value < 0 || !(is_switch ? choice.switches : choice.adapters)) continue;
    if (!begun) out.head(name, "gauge", help);
    begun = true;
    out.sample(name, own_labels(view, port), value);
  }
}

/// Ports of acknowledged faults.
std::set<PortKey> acknowledged_ports(const LiveView& view) {
  std::set<PortKey> ports;
  if (view.facts.incidents == nullptr) return ports;
  for (const FabricFault& fault : view.facts.incidents->faults) {
    const bool is_known =
        valid_acknowledgement(view.facts.acknowledged, fault.id, view.snapshot->time_ms) != nullptr;
    if (!is_known) continue;
    for (const IncidentFinding& finding : fault.findings) ports.insert(finding.port.key);
  }
  return ports;
}

void write_verdicts(MetricsWriter& out, const LiveView& view) {
  const std::set<PortKey> acknowledged = acknowledged_ports(view);
  bool begun = false;
  for (std::uint32_t p = 0; p < view.levels.size(); ++p) {
    if (view.levels[p] == VerdictLevel::good) continue;
    if (!begun) {
      out.head("pssp_port_verdict", "gauge",
               "Worst verdict of each port that is not good, as the label level.");
    }
    begun = true;
    const MapPort& port = view.map().ports[p];
    const bool is_known = acknowledged.contains(view.map().key_of(port));
    out.sample("pssp_port_verdict",
               fmt::format("{},level=\"{}\"{}", own_labels(view, p), name_of(view.levels[p]),
                           is_known ? ",acknowledged=\"true\"" : ""),
               1);
  }
}

void write_fault(MetricsWriter& out, const IncidentPort& at, std::string_view what, Level level) {
  out.sample(
      "pssp_fault",
      fmt::format(R"(guid="0x{:016x}",port="{}",node="{}",what="{}",level="{}")", at.key.node,
                  at.key.number, escaped_label(at.name), escaped_label(what), name_of(level)),
      1);
}

/// One sample for each incident, so that one fault raises one alert.
void write_faults(MetricsWriter& out, const LiveView& view) {
  if (view.facts.incidents == nullptr) return;
  const IncidentList& incidents = *view.facts.incidents;
  if (!incidents.faults.empty() || !incidents.congestion.empty()) {
    out.head("pssp_fault", "gauge", "Faults, one for each cable or node, and congestion by cause.");
  }
  for (const FabricFault& each : incidents.faults) {
    const IncidentFinding& first = each.findings.front();
    write_fault(out, each.peer ? first.port : each.end, first.what, each.level);
  }
  for (const CongestionGroup& each : incidents.congestion) {
    write_fault(out, each.target, info_of(Counter::transmit_wait).name, Level::watch);
  }
}

void write_cabling(MetricsWriter& out, const LiveView& view) {
  if (view.facts.cabling == nullptr) return;
  out.head("pssp_cabling_statements", "gauge",
           "Differences of the cabling from the plan, by kind.");
  for (const auto& [kind, number] : view.facts.cabling->kinds) {
    out.sample("pssp_cabling_statements", fmt::format("kind=\"{}\"", kind),
               static_cast<double>(number));
  }
}

/// True if the node is unfit because of a fault of a port, which pssp_fault already reports.
bool has_faulty_port(const LiveView& view, const NodeFit& node) {
  return std::ranges::any_of(node.reasons, [&](const FitReason& reason) {
    const auto port = view.map().find_port(reason.port.node, reason.port.number);
    return port && std::ranges::count(view.facts.verdicts, *port, &VerdictView::port) != 0;
  });
}

/// Nodes of unknown state have no sample, so that no alert is based on an unknown value.
void write_fits(MetricsWriter& out, const LiveView& view) {
  if (view.facts.fit == nullptr) return;
  bool begun = false;
  for (const NodeFit& each : view.facts.fit->nodes()) {
    if (each.level == Level::unknown) continue;
    if (!begun) {
      out.head("pssp_node_fit", "gauge", "Fitness of a node for jobs: 0 yes, 1 watch, 2 no.");
    }
    begun = true;
    const int value = each.level == Level::bad ? 2 : each.level == Level::watch ? 1 : 0;
    out.sample("pssp_node_fit",
               fmt::format(R"(node="{}",cause="{}")", escaped_label(untrusted_text(each.name)),
                           has_faulty_port(view, each) ? "port" : "node"),
               value);
  }
}

void write_groups(MetricsWriter& out, const LiveView& view) {
  std::map<std::string_view, std::uint64_t> states, kinds;
  for (const MapPort& port : view.map().ports) ++states[name_of(port.state)];
  for (const MapNode& node : view.map().nodes) ++kinds[name_of(node.kind)];
  out.head("pssp_monitor_ports", "gauge", "Ports by the state of their link.");
  for (const auto& [state, count] : states) {
    out.sample("pssp_monitor_ports", fmt::format("state=\"{}\"", state), count);
  }
  out.head("pssp_monitor_nodes", "gauge", "Nodes by kind.");
  for (const auto& [kind, count] : kinds) {
    out.sample("pssp_monitor_nodes", fmt::format("kind=\"{}\"", kind), count);
  }
}

void write_managers(MetricsWriter& out, const LiveView& view) {
  if (!view.facts.managers.empty()) {
    out.head("pssp_manager_info", "gauge", "Subnet managers of the fabric.");
  }
  for (const ManagerView& each : view.facts.managers) {
    out.sample("pssp_manager_info",
               fmt::format(R"(guid="0x{:016x}",lid="{}",priority="{}",state="{}")", each.guid,
                           each.lid, each.priority, escaped_label(untrusted_text(each.state))),
               1);
  }
  out.single("pssp_manager_changes_total", "counter", "Changes of the master subnet manager.",
             view.facts.manager_changes);
  out.single("pssp_reroutes_total", "counter", "Changes of the forwarding tables.",
             view.facts.reroutes);
}

void write_own(MetricsWriter& out, const LiveView& view) {
  const SweepFigures& figures = view.snapshot->figures;
  out.single("pssp_monitor_sweep_duration_seconds", "gauge", "Duration of the last sweep.",
             static_cast<double>(figures.duration_ns) / 1e9);
  out.single("pssp_monitor_sweeps_total", "counter", "Sweeps since the start.", view.sweeps);
  out.single("pssp_monitor_sweeps_late_total", "counter", "Sweeps longer than the interval.",
             view.late_sweeps);
  out.single("pssp_monitor_mads_sent_total", "counter", "Requests for counters, retries included.",
             view.mads);
  out.single("pssp_monitor_mads_timed_out_total", "counter", "Requests that timed out.",
             view.timed_out);
  out.single("pssp_monitor_implausible_total", "counter",
             "Counter differences rejected as implausible.", view.implausible);
  out.single("pssp_monitor_last_sweep_timestamp_seconds", "gauge", "Start time of the last sweep.",
             fmt::format("{:.3f}", static_cast<double>(view.snapshot->time_ms) / 1e3));
  if (view.facts.database) {
    out.single("pssp_monitor_database_bytes", "gauge", "Size of the history on disk.",
               view.facts.database->bytes);
  }
  write_groups(out, view);
  write_managers(out, view);
}

}  // namespace

MetricsChoice metrics_choice(const Target& target, const MetricsChoice& otherwise) {
  target.allow({"select", "all"});
  MetricsChoice choice = otherwise;
  choice.zeros = target.flag("all", otherwise.zeros);
  const std::vector<std::string> parts = target.list("select");
  if (parts.empty()) return choice;
  choice.switches = choice.adapters = choice.own = false;
  for (const std::string& each : parts) {
    bool* const known = each == "switch" ? &choice.switches
                        : each == "hca"  ? &choice.adapters
                        : each == "own"  ? &choice.own
                                         : nullptr;
    if (known == nullptr) {
      throw ApiError{400, fmt::format("invalid value: select={}", untrusted_text(each)),
                     "select must be a list of switch, hca, own"};
    }
    *known = true;
  }
  return choice;
}

void write_metrics(const LiveView* view, const MetricsChoice& choice, std::size_t event_streams,
                   const std::function<void(std::string_view)>& piece) {
  MetricsWriter out(choice, piece);
  if (view != nullptr) {
    for (const bool switches : {true, false}) {
      if (!(switches ? choice.switches : choice.adapters)) continue;
      const Family family = ports_of(*view, switches);
      write_port_counters(out, *view, family, choice);
      write_port_gauges(out, *view, family);
      write_node_info(out, *view, family);
      write_uplinks(out, *view, family);
    }
    write_use(out, *view, "pssp_port_utilisation",
              "Rate at which the port sent data, relative to the data rate of the link.",
              &ChannelUseView::utilisation, choice);
    write_use(out, *view, "pssp_port_waiting_share",
              "Share of the time in which the port had data to send but could not send.",
              &ChannelUseView::waiting_share, choice);
    write_verdicts(out, *view);
    write_faults(out, *view);
    if (choice.own) {
      write_own(out, *view);
      write_cabling(out, *view);
      write_fits(out, *view);
    }
  }
  if (choice.own) {
    out.single("pssp_monitor_event_streams", "gauge", "Browsers connected to the event stream.",
               event_streams);
    out.head("pssp_monitor_build_info", "gauge", "Version of the monitor.");
    out.sample("pssp_monitor_build_info", fmt::format("version=\"{}\"", version()), 1);
  }
  out.end();
}

}  // namespace pssp
