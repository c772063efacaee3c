#include "tools/dry_run/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text_table.h"

namespace pssp {
namespace {

std::string number(std::optional<double> value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

TableRow row_of(const std::string& name, const TableScore& score) {
  const std::string_view cycle = !score.credit_loop ? "?" : *score.credit_loop ? "yes" : "no";
  return {name,
          number(score.bandwidth, 4) + " +- " + number(score.standard_error, 4),
          number(score.index, 0),
          number(score.hops_mean, 3),
          std::string(cycle),
          score.lanes ? fmt::to_string(*score.lanes) : "-",
          number(score.routing_ms, 1)};
}

/// All scores have the same hosts.
std::string hosts_of(const TableScore& score) {
  const std::string without = score.end_ports_without_lid == 0
                                  ? ""
                                  : fmt::format(", {} without LID", score.end_ports_without_lid);
  return fmt::format(
      "\nhosts: {} end ports in traffic, of {}{}, at {} switches; all figures refer to these "
      "hosts\n",
      score.hosts, score.end_ports, without, score.switches);
}

}  // namespace

std::string comparison_table(const std::vector<ComparedEngine>& engines,
                             const std::string& folder) {
  std::vector<TableRow> rows{
      {"engine", "eff. bisection bw", "max EFI", "mean hops", "cycle", "lanes", "routing ms"}};
  for (const ComparedEngine& each : engines) {
    if (!each.score) {
      rows.push_back({each.name, "no tables"});
      continue;
    }
    const TableScore& score = *each.score;
    rows.push_back(row_of(each.name, score));
    if (std::string defects = defects_of(score); !defects.empty()) {
      rows.push_back({"", std::move(defects)});
    }
  }
  std::string text = text_table(rows);
  const auto any = std::ranges::find_if(
      engines, [](const ComparedEngine& each) { return each.score.has_value(); });
  if (any != engines.end()) text += hosts_of(*any->score);
  return text +
         "eff. bisection bw: effective bisection bandwidth, as a share of the link bandwidth, and "
         "its standard error\n"
         "max EFI: largest edge forwarding index, the routes over the busiest channel between "
         "switches\n"
         "cycle: credit loop in the routes, regardless of virtual lanes; lanes: virtual lanes "
         "needed to avoid deadlocks\n"
         "routing ms: routing phase of opensm, according to its log\n"
         "Tables, logs and reports: " +
         folder + "\n";
}

}  // namespace pssp
