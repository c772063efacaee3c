// Faults that disconnect hosts leave fewer hosts, hence other bisections: their bandwidths are not
// comparable and excluded from the summary.

#include "tools/fault_impact/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text_table.h"
#include "base/version.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_displayed = 10;

bool is_comparable(const Impact& impact) {
  return impact.hosts_cut_off == 0 && impact.refused.empty();
}

struct Summary {
  std::size_t faults = 0, unusable = 0, cut_off = 0, refused = 0;
  double mean_bandwidth = 0, least_bandwidth = std::numeric_limits<double>::max();
  double mean_slowdown = 0, largest_slowdown = 0;
  double mean_changed_for_hosts = 0, mean_changed_for_management = 0;
  double mean_repair_ms = 0;
};

Summary summary_of(const FaultReport& report) {
  Summary summary;
  for (const Impact& each : report.impacts) {
    if (!each.refused.empty()) ++summary.refused;
    if (each.hosts_cut_off != 0) ++summary.cut_off;
    if (!is_comparable(each)) continue;
    ++summary.faults;
    if (!each.state.usable) ++summary.unusable;
    summary.mean_bandwidth += each.state.bandwidth;
    summary.least_bandwidth = std::min(summary.least_bandwidth, each.state.bandwidth);
    summary.mean_slowdown += each.state.slowdown;
    summary.largest_slowdown = std::max(summary.largest_slowdown, each.state.slowdown);
    summary.mean_changed_for_hosts += static_cast<double>(each.changed_for_hosts);
    summary.mean_changed_for_management += static_cast<double>(each.changed_for_management);
    summary.mean_repair_ms += each.repair_ms;
  }
  for (double* sum :
       {&summary.mean_bandwidth, &summary.mean_slowdown, &summary.mean_changed_for_hosts,
        &summary.mean_changed_for_management, &summary.mean_repair_ms}) {
    *sum /= static_cast<double>(summary.faults);
  }
  return summary;
}

std::string lanes_text(const Impact& impact) {
  return impact.state.lanes ? std::to_string(*impact.state.lanes) : "-";
}

/// Names of the first faults that `is_listed` selects.
template <class IsListed, class Remark>
std::string list_apart(const FaultReport& report, const char* headline, const IsListed& is_listed,
                       const Remark& remark) {
  std::string text;
  std::size_t count = 0;
  for (const Impact& each : report.impacts) {
    if (!is_listed(each) || ++count > most_displayed) continue;
    text += fmt::format("  {}: {}\n", each.fault.name, remark(each));
  }
  if (count == 0) return "";
  if (count > most_displayed) text += fmt::format("  and {} more\n", count - most_displayed);
  return fmt::format("\n{} ({})\n{}", headline, count, text);
}

std::string worst_text(const FaultReport& report) {
  std::vector<TableRow> columns;
  columns.push_back({"worst faults", "bandwidth", "loss", "S", "unreachable pairs",
                     "entries for hosts", "for management", "lanes"});
  std::size_t displayed = 0;
  for (const Impact& each : report.impacts) {
    if (!is_comparable(each) || ++displayed > most_displayed) continue;
    columns.push_back({each.fault.name, fmt::format("{:.4f}", each.state.bandwidth),
                       fmt::format("{:.4f}", report.intact.bandwidth - each.state.bandwidth),
                       fmt::format("{:.3f}", each.state.slowdown),
                       std::to_string(each.state.unreachable_pairs),
                       std::to_string(each.changed_for_hosts),
                       std::to_string(each.changed_for_management), lanes_text(each)});
  }
  return displayed == 0 ? "" : "\n" + text_table(columns, {.indent = 2});
}

Json to_json(const TableState& state) {
  Json json;
  json["ebb"] = state.bandwidth;
  json["S"] = state.slowdown;
  json["unreachable_pairs"] = state.unreachable_pairs;
  json["lanes"] = state.lanes ? Json(*state.lanes) : Json();
  json["usable"] = state.usable;
  return json;
}

Json to_json(const Summary& summary) {
  Json json;
  json["faults"] = summary.faults;
  json["unusable"] = summary.unusable;
  json["cut_hosts_off"] = summary.cut_off;
  json["refused"] = summary.refused;
  if (summary.faults == 0) return json;
  json["ebb_mean"] = summary.mean_bandwidth;
  json["ebb_least"] = summary.least_bandwidth;
  json["S_mean"] = summary.mean_slowdown;
  json["S_largest"] = summary.largest_slowdown;
  json["changed_for_hosts_mean"] = summary.mean_changed_for_hosts;
  json["changed_for_management_mean"] = summary.mean_changed_for_management;
  json["repair_ms"] = summary.mean_repair_ms;
  return json;
}

}  // namespace

void sort_by_loss(std::vector<Impact>& impacts) {
  std::ranges::stable_sort(impacts, {}, [](const Impact& each) { return each.state.bandwidth; });
}

std::string to_text(const FaultReport& report) {
  const Summary summary = summary_of(report);
  std::string text = fmt::format(
      "{}: {} single faults, repair {}, {} bisections each, the same for all, seed {}\n"
      "  {:<20} bandwidth {:.4f}, S {:.3f}\n",
      report.tables, report.impacts.size(), report.repair, report.patterns, report.seed, "intact",
      report.intact.bandwidth, report.intact.slowdown);
  if (summary.faults != 0) {
    text += fmt::format(
        "  {:<20} bandwidth {:.4f}, least {:.4f}; S {:.3f}, largest {:.3f}\n"
        "  {:<20} {:.1f} for hosts, {:.1f} for management\n",
        "after a fault", summary.mean_bandwidth, summary.least_bandwidth, summary.mean_slowdown,
        summary.largest_slowdown, "entries changed", summary.mean_changed_for_hosts,
        summary.mean_changed_for_management);
  }
  if (summary.unusable != 0) {
    text += fmt::format("  {:<20} {} faults leave unusable tables\n", "BROKEN", summary.unusable);
  }
  text += worst_text(report);
  text += list_apart(
      report, "Faults that cut hosts off", [](const Impact& each) { return each.hosts_cut_off; },
      [](const Impact& each) { return fmt::format("{} hosts", each.hosts_cut_off); });
  text += list_apart(
      report, "Faults without tables", [](const Impact& each) { return !each.refused.empty(); },
      [](const Impact& each) { return each.refused; });
  return text;
}

std::string to_json(const FaultReport& report) {
  Json json;
  json["tables"] = report.tables;
  json["repair"] = report.repair;
  json["patterns"] = report.patterns;
  json["seed"] = report.seed;
  json["intact"] = to_json(report.intact);
  json["summary"] = to_json(summary_of(report));
  json["faults"] = Json::array();
  for (const Impact& each : report.impacts) {
    Json fault;
    fault["name"] = each.fault.name;
    fault["kind"] = each.fault.switches.empty() ? "link" : "switch";
    fault["hosts_cut_off"] = each.hosts_cut_off;
    fault["refused"] = each.refused.empty() ? Json() : Json(each.refused);
    if (each.refused.empty()) {
      fault.update(to_json(each.state));
      fault["changed_for_hosts"] = each.changed_for_hosts;
      fault["changed_for_management"] = each.changed_for_management;
      fault["repair_ms"] = each.repair_ms;
    }
    json["faults"].push_back(std::move(fault));
  }
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
