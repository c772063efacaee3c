// If a port was cleared or did not answer in an interval, the interval is missing in its sums and
// counted as a gap; its traffic is not estimated. After changes of the topology, ports are matched
// by GUID and number; removed ports are left out.

#include "tools/monitor_fabric/recorded_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/monitor_fabric/port_rows.h"
#include "tools/monitor_fabric/table.h"

namespace pssp {
namespace {

using RecordingJson = nlohmann::ordered_json;

constexpr double used_share = 1e-3;
constexpr double bytes_of_gigabyte = 1e9;

void add_interval(const PortDifference& difference, LinkRate rate, RecordedUse::Port& port) {
  if (difference.ns == 0 || !difference.has(Counter::transmit_bytes)) {
    ++port.gaps;
    return;
  }
  port.sum.ns += difference.ns;
  port.sum.known |= difference.known;
  port.sum.saturated = difference.saturated;
  for (std::size_t i = 0; i < counter_count; ++i) port.sum.delta[i] += difference.delta[i];
  port.peak = std::max(port.peak, utilisation(difference, Counter::transmit_bytes, rate));
}

Cell recorded_percent(double share) { return share < 0 ? Cell{} : Cell{100 * share}; }

Table table_of(const RecordedUse& use, const std::vector<std::uint32_t>& ports) {
  const FabricMap& map = *use.last()->map;
  Table table;
  table.columns = {{"from", 0},         {"to", 0},           {"gigabytes", 3}, {"mean_percent", 1},
                   {"peak_percent", 1}, {"wait_percent", 1}, {"gaps", 0}};
  for (const std::uint32_t p : ports) {
    const MapPort& port = map.ports[p];
    const RecordedUse::Port& of = use.ports()[p];
    const double mean = utilisation(of.sum, Counter::transmit_bytes, port.rate);
    table.rows.push_back(
        {port_name(map, port),
         port.peer == MapPort::no_peer ? std::string() : port_name(map, map.ports[port.peer]),
         static_cast<double>(of.sum.of(Counter::transmit_bytes)) / bytes_of_gigabyte,
         recorded_percent(mean), recorded_percent(of.peak), recorded_percent(waiting_share(of.sum)),
         static_cast<std::int64_t>(of.gaps)});
  }
  return table;
}

}  // namespace

void RecordedUse::move_to(const Snapshot& snapshot) {
  if (last_->map == snapshot.map) return;
  std::vector<Port> moved(snapshot.map->ports.size());
  for (std::uint32_t p = 0; p < moved.size(); ++p) {
    const MapPort& port = snapshot.map->ports[p];
    const auto was = last_->map->find_port(snapshot.map->node_of(port).guid, port.number);
    if (was) moved[p] = ports_[*was];
  }
  ports_ = std::move(moved);
}

void RecordedUse::add(const SnapshotPointer& snapshot) {
  ++sweeps_;
  if (!last_) {
    first_ = last_ = snapshot;
    ports_.resize(snapshot->map->ports.size());
    return;
  }
  const std::vector<PortDifference> intervals = differences(*last_, *snapshot);
  move_to(*snapshot);
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    if (snapshot->status[p] == PortStatus::not_active) continue;
    add_interval(intervals[p], snapshot->map->ports[p].rate, ports_[p]);
  }
  last_ = snapshot;
}

double RecordedUse::seconds() const {
  return static_cast<double>(last_->begin_ns - first_->begin_ns) / 1e9;
}

std::vector<std::uint32_t> RecordedUse::used() const {
  std::vector<std::uint32_t> list;
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const double share =
        utilisation(ports_[p].sum, Counter::transmit_bytes, last_->map->ports[p].rate);
    if (share >= used_share || waiting_share(ports_[p].sum) >= used_share) list.push_back(p);
  }
  std::ranges::stable_sort(list, std::greater<>(), [&](std::uint32_t p) {
    return ports_[p].sum.of(Counter::transmit_bytes);
  });
  return list;
}

std::vector<double> RecordedUse::bytes_by_channel() const {
  const FabricMap& map = *last_->map;
  const Fabric& fabric = *map.fabric;
  std::vector<double> bytes(fabric.channel_count(), 0);
  for (std::uint32_t c = 0; c < bytes.size(); ++c) {
    const Guid guid = fabric.switch_at(SwitchId(fabric.channel_tail()[c])).guid;
    const auto port = map.find_port(guid, fabric.channel_out_port()[c]);
    if (port) bytes[c] = static_cast<double>(ports_[*port].sum.of(Counter::transmit_bytes));
  }
  return bytes;
}

std::string recording_text(const RecordedUse& use, const RecordingLabel& label, std::size_t top) {
  std::vector<std::uint32_t> ports = use.used();
  const std::size_t used = ports.size();
  ports.resize(std::min(used, top));
  std::string text = fmt::format("{:.1f} s, {} sweeps, {} channels were used\n", use.seconds(),
                                 use.sweeps(), used);
  if (!label.command.empty()) {
    text += fmt::format("{} ended with status {}\n", label.command, label.status);
  }
  if (used != 0) text += "\n" + table_text(table_of(use, ports));
  if (used > ports.size()) {
    text += fmt::format("{} more: --top {} shows all, --json has all\n", used - ports.size(), used);
  }
  return text;
}

std::string recording_json(const RecordedUse& use, const RecordingLabel& label) {
  RecordingJson json{
      {"name", label.name},
      {"command", label.command.empty() ? RecordingJson(nullptr) : RecordingJson(label.command)},
      {"status", label.command.empty() ? RecordingJson(nullptr) : RecordingJson(label.status)},
      {"start_ms", label.start_ms},
      {"end_ms", label.end_ms},
      {"seconds", use.seconds()},
      {"sweeps", use.sweeps()}};
  json["channels"] = RecordingJson::parse(table_json(table_of(use, use.used())));
  return json.dump(1) + "\n";
}

}  // namespace pssp
