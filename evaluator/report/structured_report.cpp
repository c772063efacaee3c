#include "evaluator/report/structured_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text_table.h"

// Times are shown with the bound: a pattern that takes three times as long as a single flow may be
// as fast as the cables permit.

namespace pssp {
namespace {

std::string order_text(const std::string& order) {
  if (order == "name") return "in order of their names";
  if (order == "guid") return "in order of their port GUIDs";
  if (order == "leaf") return "leaf by leaf";
  return "in the order of " + order;
}

std::string headline(const StructuredTraffic& traffic) {
  std::string text =
      fmt::format("Structured traffic ({} hosts {}", traffic.hosts, order_text(traffic.host_order));
  if (traffic.without_lid != 0) text += fmt::format("; {} without a LID", traffic.without_lid);
  if (traffic.on_other_islands != 0) {
    text += fmt::format("; {} on other islands left out", traffic.on_other_islands);
  }
  return text + ")\n";
}

std::string time_text(double time) { return fmt::format("{:.3f}", time); }

std::string phases_text(const PatternTime& pattern) {
  return fmt::format("{}{}", pattern.phases, pattern.sampled ? "*" : "");
}

bool any_sampled(const SuiteTimes& times) {
  return std::ranges::any_of(times.patterns, &PatternTime::sampled);
}

constexpr std::string_view note_on_sampling =
    "  *: only every seventh phase; --all-phases uses all phases\n";

std::string note_on_unrouted(const SuiteTimes& times) {
  if (times.unrouted == 0) return "";
  return fmt::format(
      "  {} flows do not arrive and load no link, so these figures are too optimistic\n",
      times.unrouted);
}

/// Describes the servers that the patterns with servers write to.
std::string note_on_servers(const StructuredTraffic& traffic) {
  if (traffic.times.find("servers_one") == nullptr) return "";
  return fmt::format("  servers: {} of the hosts, {}\n", traffic.servers,
                     traffic.servers_are_by_node_type
                         ? "by their node type"
                         : "the last host of each switch, because no node type identifies servers");
}

}  // namespace

std::string describe_striping(const LidUse& use) {
  return fmt::format("flows are striped over {} LIDs of each host; {}", use.lids,
                     use.striping == Striping::slowest ? "the slowest part decides"
                                                       : "each part is as fast as its path");
}

std::string summary_line(const StructuredTraffic& traffic) {
  if (traffic.left_out) {
    return "not computed: it would take more than a second and a tenth of the bisections' time "
           "(--structured-suite computes it)";
  }
  if (traffic.times.patterns.empty()) return "undefined: fewer than two hosts";
  std::string slowdowns;
  for (const PatternTime& each : traffic.times.patterns) {
    if (!each.in_summary) continue;
    slowdowns +=
        fmt::format("{}{} {:.2f}", slowdowns.empty() ? "" : ", ", each.name, each.slowdown);
  }
  return fmt::format("S {:.2f} ({})", traffic.times.structured_slowdown, slowdowns);
}

std::string to_text(const StructuredTraffic& traffic) {
  const SuiteTimes& times = traffic.times;
  std::string text = headline(traffic);
  if (times.patterns.empty()) return text + "  undefined: fewer than two hosts\n";
  std::vector<TableRow> columns;
  columns.push_back({"pattern", "phases", "time", "bound", "slowdown", "mean congestion", "in S"});
  for (const PatternTime& each : times.patterns) {
    columns.push_back({std::string(each.name), phases_text(each), time_text(each.time),
                       time_text(each.bound), time_text(each.slowdown),
                       time_text(each.mean_congestion), each.in_summary ? "yes" : "-"});
  }
  text += text_table(columns, {.indent = 2});
  if (any_sampled(times)) text += note_on_sampling;
  text += note_on_servers(traffic);
  if (traffic.lids.lids > 1) text += fmt::format("  {}\n", describe_striping(traffic.lids));
  text += fmt::format("  {:<20} {:.4f} (mean slowdown of the patterns marked in S", "S",
                      times.structured_slowdown);
  if (times.find("rails") != nullptr) {
    text += fmt::format("; without rails {:.4f}", times.without_rails);
  }
  text += ")\n";
  text += fmt::format("  {:<20} {:.5f}\n", "eBB", traffic.bandwidth);
  text += fmt::format("  {:<20} {:.5f} (eBB / S^0.25)\n", "score", traffic.score);
  return text + note_on_unrouted(times);
}

std::string to_text(const std::vector<std::string>& names,
                    const std::vector<StructuredTraffic>& traffic) {
  std::string text = headline(traffic.front());
  const SuiteTimes& first = traffic.front().times;
  if (first.patterns.empty()) return text + "  undefined: fewer than two hosts\n";
  std::vector<TableRow> columns;
  std::vector<std::string> heading{"time of", "phases", "bound"};
  heading.insert(heading.end(), names.begin(), names.end());
  columns.push_back(std::move(heading));
  for (std::size_t p = 0; p < first.patterns.size(); ++p) {
    const PatternTime& pattern = first.patterns[p];
    std::vector<std::string> cells{std::string(pattern.name), phases_text(pattern),
                                   time_text(pattern.bound)};
    for (const StructuredTraffic& each : traffic) {
      cells.push_back(time_text(each.times.patterns[p].time));
    }
    columns.push_back(std::move(cells));
  }
  const auto summary = [&](const char* name, const auto& value) {
    std::vector<std::string> cells{name, "", ""};
    for (const StructuredTraffic& each : traffic) cells.push_back(value(each));
    columns.push_back(std::move(cells));
  };
  summary("S", [](const StructuredTraffic& each) {
    return fmt::format("{:.4f}", each.times.structured_slowdown);
  });
  summary("eBB",
          [](const StructuredTraffic& each) { return fmt::format("{:.5f}", each.bandwidth); });
  summary("score", [](const StructuredTraffic& each) { return fmt::format("{:.5f}", each.score); });
  text += text_table(columns, {.indent = 2});
  if (any_sampled(first)) text += note_on_sampling;
  text += note_on_servers(traffic.front());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (traffic[i].lids.lids > 1)
      text += fmt::format("  {}: {}\n", names[i], describe_striping(traffic[i].lids));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (traffic[i].times.unrouted == 0) continue;
    text += fmt::format("  {}:\n{}", names[i], note_on_unrouted(traffic[i].times));
  }
  return text;
}

}  // namespace pssp
