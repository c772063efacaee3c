#include "evaluator/report/lane_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "evaluator/report/text_writer.h"

namespace pssp {
namespace {

void write_lanes(TextWriter& writer, const AssignedLanes& lanes) {
  const std::uint64_t all =
      std::accumulate(lanes.pairs.begin(), lanes.pairs.end(), std::uint64_t{0});
  std::vector<TableRow> rows{{"lane", "pairs", "share", "dependencies"}};
  for (std::size_t lane = 0; lane < lanes.pairs.size(); ++lane) {
    const double share = 100.0 * static_cast<double>(lanes.pairs[lane]) /
                         static_cast<double>(std::max<std::uint64_t>(all, 1));
    rows.push_back({fmt::to_string(lane), fmt::to_string(lanes.pairs[lane]),
                    fmt::format("{:.2f} %", share),
                    fmt::to_string(lanes.report.dependencies[lane])});
  }
  writer.table(rows, {.indent = 2, .flush_left = {false}});
}

void write_cycle(TextWriter& writer, const Fabric& fabric, const LaneReport& report) {
  writer.line(fmt::format("lane {}: {} channels wait for each other in a cycle and can deadlock:",
                          report.cycle_lane, report.cycle.size()));
  for (const ChannelId channel : report.cycle) writer.line(fabric.channel_label(channel));
}

}  // namespace

std::string describe_lanes(std::optional<unsigned> needed) {
  if (!needed) return "2 or more; --count-lanes searches for how many";
  if (*needed > max_data_lanes) return fmt::format("more than {}", max_data_lanes);
  return *needed == 1 ? "1" : fmt::format("{} suffice", *needed);
}

std::string to_text(const Fabric& fabric, const AssignedLanes& lanes) {
  const LaneReport& report = lanes.report;
  TextWriter writer;
  writer.section(fmt::format("Virtual lanes by {}: {}", lanes.name,
                             lanes.is_usable() ? "free of deadlocks" : "NOT SAFE"));
  write_lanes(writer, lanes);
  if (lanes.is_usable()) writer.line("no lane's channel dependency graph has a cycle");
  if (report.routes_without_level != 0) {
    writer.line(fmt::format("{} routes have no service level, for example the route {}",
                            report.routes_without_level, report.example_without_level));
  }
  if (report.lanes > max_data_lanes) {
    writer.line(
        fmt::format("lane {} is for subnet management alone: it carries no data", max_data_lanes));
  }
  if (!report.cycle.empty()) write_cycle(writer, fabric, report);
  return writer.take();
}

}  // namespace pssp
