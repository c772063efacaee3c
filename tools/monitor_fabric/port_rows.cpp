#include "tools/monitor_fabric/port_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_text.h"
#include "base/text_table.h"
#include "base/untrusted_text.h"
#include "fabric/nodes/node_description.h"
#include "monitor/counters/counter_set.h"
#include "monitor/counters/state_names.h"

namespace pssp {
namespace {

using RowsJson = nlohmann::ordered_json;

/// A port is idle if its share of the link is below this, and nothing waits or counts errors.
constexpr double idle_share = 1e-3;

std::uint64_t errors_of(const PortDifference& difference) {
  std::uint64_t errors = 0;
  for (const CounterInfo& info : counter_table()) {
    if (info.unit == CounterUnit::events) errors += difference.of(info.counter);
  }
  return errors;
}

PortRow row_of(const TwoSweeps& sweeps, std::uint32_t p) {
  const PortDifference& difference = sweeps.differences[p];
  const LinkRate rate = sweeps.after->map->ports[p].rate;
  PortRow row;
  row.port = p;
  row.out = utilisation(difference, Counter::transmit_bytes, rate);
  row.in = utilisation(difference, Counter::receive_bytes, rate);
  row.waiting = waiting_share(difference);
  row.errors = errors_of(difference);
  row.idle = sweeps.after->status[p] == PortStatus::read && difference.saturated == 0 &&
             row.errors == 0 && row.waiting <= idle_share && std::max(row.out, row.in) < idle_share;
  return row;
}

/// A port without a cable has no row.
bool has_row(const Snapshot& snapshot, std::uint32_t p) {
  return snapshot.status[p] != PortStatus::not_active ||
         snapshot.map->ports[p].peer != MapPort::no_peer;
}

std::string percent(double share) { return share < 0 ? "-" : fmt::format("{:.1f}", 100 * share); }

std::string gigabytes(const PortDifference& difference, Counter counter) {
  if (difference.ns == 0 || !difference.has(counter)) return "-";
  return fmt::format("{:.3f}", difference.per_second(counter) / 1e9);
}

/// Names of increased counters; else the status, unless it is the normal one.
std::string notes(const TwoSweeps& sweeps, const PortRow& row) {
  const PortDifference& difference = sweeps.differences[row.port];
  const PortStatus status = sweeps.after->status[row.port];
  std::string text;
  if (status != PortStatus::read) text = name_of(status);
  for (const CounterInfo& info : counter_table()) {
    const std::uint64_t count = difference.of(info.counter);
    if (info.unit != CounterUnit::events || count == 0) continue;
    text += fmt::format("{}{} +{}", text.empty() ? "" : ", ", info.name, count);
  }
  for (const CounterInfo& info : counter_table()) {
    const CounterMask bit = mask_of(info.counter);
    if ((difference.saturated & bit) != 0) {
      text += fmt::format("{}{} saturated", text.empty() ? "" : ", ", info.name);
    } else if ((difference.reset & bit) != 0) {
      text += fmt::format("{}{} was cleared", text.empty() ? "" : ", ", info.name);
    }
  }
  return text;
}

std::string peer_name(const FabricMap& map, const MapPort& port) {
  return port.peer == MapPort::no_peer ? "" : port_name(map, map.ports[port.peer]);
}

// ---- JSON ----

/// Why a counter has no value, or no rate.
std::string_view reason_of(const TwoSweeps& sweeps, std::uint32_t p, CounterMask bit) {
  const Snapshot& snapshot = *sweeps.after;
  const PortDifference& difference = sweeps.differences[p];
  if (snapshot.status[p] != PortStatus::read) return name_of(snapshot.status[p]);
  if ((snapshot.known[p] & bit) == 0) return "not supported by the node";
  if ((difference.saturated & bit) != 0) return "saturated";
  if (difference.reset != 0) return "reset";
  if ((difference.implausible & bit) != 0) return "implausible";
  return "only one reading";
}

RowsJson share_json(double share) { return share < 0 ? RowsJson(nullptr) : RowsJson(share); }

void add_counters(const TwoSweeps& sweeps, std::uint32_t p, RowsJson& json) {
  const Snapshot& snapshot = *sweeps.after;
  const PortDifference& difference = sweeps.differences[p];
  const auto values = snapshot.counters(p);
  RowsJson counters = RowsJson::object();
  RowsJson rates = RowsJson::object();
  for (std::size_t i = 0; i < counter_count; ++i) {
    const CounterInfo& info = counter_table()[i];
    const CounterMask bit = mask_of(info.counter);
    const std::string name(info.name);
    const bool is_read = snapshot.status[p] == PortStatus::read && (snapshot.known[p] & bit) != 0;
    counters[name] = is_read ? RowsJson(values[i]) : RowsJson(nullptr);
    if (!is_read) counters[name + "_reason"] = reason_of(sweeps, p, bit);
    const bool has_rate = difference.ns != 0 && difference.has(info.counter);
    rates[name] = has_rate ? RowsJson(difference.per_second(info.counter)) : RowsJson(nullptr);
    if (!has_rate) rates[name + "_reason"] = reason_of(sweeps, p, bit);
  }
  json["counters"] = std::move(counters);
  json["rates"] = std::move(rates);
}

RowsJson peer_json(const FabricMap& map, const MapPort& port) {
  if (port.peer == MapPort::no_peer) return nullptr;
  const MapPort& peer = map.ports[port.peer];
  const MapNode& node = map.node_of(peer);
  return {{"guid", fmt::format("0x{:016x}", node.guid)},
          {"port", peer.number},
          {"name", untrusted_text(node.description)}};
}

RowsJson row_json(const TwoSweeps& sweeps, const PortRow& row) {
  const FabricMap& map = *sweeps.after->map;
  const MapPort& port = map.ports[row.port];
  const MapNode& node = map.node_of(port);
  RowsJson json;
  json["guid"] = fmt::format("0x{:016x}", node.guid);
  json["port"] = port.number;
  json["name"] = untrusted_text(node.description);
  json["kind"] = node.kind == NodeKind::switch_node ? "switch"
                 : node.kind == NodeKind::router    ? "router"
                                                    : "adapter";
  json["lid"] = port.lid;
  json["state"] = name_of(port.state);
  json["rate"] = to_string(port.rate);
  json["rate_mbits"] = port.rate.capacity();
  json["peer"] = peer_json(map, port);
  json["status"] = name_of(sweeps.after->status[row.port]);
  json["seconds"] = static_cast<double>(sweeps.differences[row.port].ns) / 1e9;
  json["utilisation"] = {{"transmit", share_json(row.out)}, {"receive", share_json(row.in)}};
  json["waiting_share"] = share_json(row.waiting);
  add_counters(sweeps, row.port, json);
  return json;
}

}  // namespace

std::string port_name(const FabricMap& map, const MapPort& port) {
  return port_label(untrusted_text(map.node_of(port).description), port.number);
}

std::vector<PortRow> port_rows(const TwoSweeps& sweeps) {
  std::vector<PortRow> rows;
  for (std::uint32_t p = 0; p < sweeps.differences.size(); ++p) {
    if (has_row(*sweeps.after, p)) rows.push_back(row_of(sweeps, p));
  }
  std::ranges::stable_sort(rows, std::ranges::greater{},
                           [](const PortRow& row) { return std::max(row.out, row.in); });
  return rows;
}

std::string rows_text(const TwoSweeps& sweeps, const std::vector<PortRow>& rows) {
  const FabricMap& map = *sweeps.after->map;
  std::vector<TableRow> lines{
      {"port", "cabled to", "rate", "out GB/s", "in GB/s", "out %", "in %", "wait %", "notes"}};
  for (const PortRow& row : rows) {
    const MapPort& port = map.ports[row.port];
    const PortDifference& difference = sweeps.differences[row.port];
    lines.push_back({port_name(map, port), peer_name(map, port), to_string(port.rate),
                     gigabytes(difference, Counter::transmit_bytes),
                     gigabytes(difference, Counter::receive_bytes), percent(row.out),
                     percent(row.in), percent(row.waiting), notes(sweeps, row)});
  }
  return text_table(lines,
                    {.flush_left = {true, true, false, false, false, false, false, false, true}});
}

std::string figures_text(const TwoSweeps& sweeps) {
  constexpr double mad_bytes = 256;
  const SweepFigures& figures = sweeps.after->figures;
  const double apart = static_cast<double>(sweeps.after->begin_ns - sweeps.before->begin_ns) / 1e9;
  return fmt::format(
      "{} of {} ports answered, {:.2f} s apart; a sweep: {:.3f} s, {} MADs, {:.2f} MB each way\n",
      figures.answered, figures.asked, apart, static_cast<double>(figures.duration_ns) / 1e9,
      figures.mads, static_cast<double>(figures.mads) * mad_bytes / 1e6);
}

std::string rows_csv(const TwoSweeps& sweeps, const std::vector<PortRow>& rows) {
  const Snapshot& snapshot = *sweeps.after;
  const FabricMap& map = *snapshot.map;
  std::string text =
      "guid,port,name,peer,rate_mbits,status,seconds,transmit_utilisation,receive_utilisation,"
      "waiting_share";
  for (const CounterInfo& info : counter_table()) text += fmt::format(",{}", info.name);
  for (const CounterInfo& info : counter_table()) text += fmt::format(",{}_per_s", info.name);
  text += '\n';
  const auto share = [](double value) { return value < 0 ? "" : fmt::format("{:.6f}", value); };
  for (const PortRow& row : rows) {
    const MapPort& port = map.ports[row.port];
    const MapNode& node = map.node_of(port);
    const PortDifference& difference = sweeps.differences[row.port];
    text += fmt::format("0x{:016x},{},{},{},{},{},{:.6f},{},{},{}", node.guid, port.number,
                        csv_text(node.description), csv_text(peer_name(map, port)),
                        port.rate.capacity(), name_of(snapshot.status[row.port]),
                        static_cast<double>(difference.ns) / 1e9, share(row.out), share(row.in),
                        share(row.waiting));
    const auto values = snapshot.counters(row.port);
    for (std::size_t i = 0; i < counter_count; ++i) {
      const bool is_read = snapshot.status[row.port] == PortStatus::read &&
                           (snapshot.known[row.port] & mask_of(Counter(i))) != 0;
      text += is_read ? fmt::format(",{}", values[i]) : ",";
    }
    for (std::size_t i = 0; i < counter_count; ++i) {
      const bool has_rate = difference.ns != 0 && difference.has(Counter(i));
      text += has_rate ? fmt::format(",{}", difference.per_second(Counter(i))) : ",";
    }
    text += '\n';
  }
  return text;
}

std::string rows_json(const TwoSweeps& sweeps, const std::vector<PortRow>& rows) {
  const SweepFigures& figures = sweeps.after->figures;
  RowsJson json;
  json["time"] = sweeps.after->time_ms;
  json["sweep"] = {{"asked", figures.asked},
                   {"answered", figures.answered},
                   {"mads", figures.mads},
                   {"timed_out", figures.timed_out},
                   {"duration_ms", static_cast<double>(figures.duration_ns) / 1e6}};
  json["ports"] = RowsJson::array();
  for (const PortRow& row : rows) json["ports"].push_back(row_json(sweeps, row));
  return dump_json(json);
}

}  // namespace pssp
