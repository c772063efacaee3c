#include "tools/simulate_application/answer/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/csv_rows.h"
#include "base/json_text.h"
#include "simulator/values.h"

namespace pssp {
namespace {

constexpr double picoseconds_in_ns = 1e3;
constexpr double picoseconds_in_ms = 1e9;

std::optional<double> ratio_of(PlayTime time, std::optional<PlayTime> other) {
  if (!other || *other == 0) return std::nullopt;
  return static_cast<double>(time) / static_cast<double>(*other);
}

std::string difference(PlayTime time, PlayTime first) {
  const std::optional<double> ratio = ratio_of(time, first);
  constexpr double percent = 100;
  return ratio ? fmt::format("{:+.1f} %", (*ratio - 1) * percent) : "-";
}

constexpr const char* minimal_ways = "all minimal ways";

/// "itself 70 %, halo:.. 30 %", the largest first; what is below half a hundredth is left out.
std::string holders_text(const ApplicationReport& report, std::size_t job, const JobTime& time) {
  std::vector<std::size_t> order;
  for (std::size_t by = 0; by < time.held_up_by.size(); ++by) {
    constexpr double least = 0.005;
    if (time.held_up_by[by] >= least) order.push_back(by);
  }
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t by) { return time.held_up_by[by]; });
  constexpr double percent = 100;
  std::string text;
  for (const std::size_t by : order) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ",
                        by == job ? "itself" : report.jobs[by], time.held_up_by[by] * percent);
  }
  if (time.held_up_by.empty()) return "-";
  return text.empty() ? "nobody" : text;
}

std::string jobs_text(const ApplicationReport& report, const TablesTime& run) {
  if (run.jobs.empty()) return {};
  std::size_t width = std::string_view("job").size();
  for (const std::string& job : report.jobs) width = std::max(width, job.size());
  std::string text = fmt::format("jobs{}{}\n  {:<{}}  {:>14}  {:>14}  {:>14}  held up by\n",
                                 run.tables.empty() ? "" : " with ", run.tables, "job", width,
                                 "together ms", "alone ms", "together/alone");
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    const JobTime& job = run.jobs[j];
    const std::optional<double> ratio = ratio_of(job.together, job.alone);
    text += fmt::format("  {:<{}}  {:>14.6f}  {:>14.6f}  {:>14}  {}\n", report.jobs[j], width,
                        static_cast<double>(job.together) / picoseconds_in_ms,
                        static_cast<double>(job.alone) / picoseconds_in_ms,
                        ratio ? fmt::format("{:.3f}", *ratio) : "-", holders_text(report, j, job));
  }
  return text;
}

constexpr std::array part_names{"computing", "overhead",   "latency",
                                "wire",      "congestion", "waiting"};
static_assert(part_names.size() == path_part_count);

/// Of the messages of a path the one that took longest beside what it would have alone.
std::string slowest_text(const PathReport& path) {
  const PathMessage* slowest = nullptr;
  double most = 0;
  for (const PathMessage& message : path.messages) {
    const double ratio = ratio_of(message.left - message.entered, message.alone).value_or(1);
    if (slowest != nullptr && ratio <= most) continue;
    slowest = &message;
    most = ratio;
  }
  if (slowest == nullptr) return {};
  return fmt::format(
      "  slowest message of it: rank {} -> {}, {} bytes, {:.6f} ms in the network, {:.2f} times as "
      "long as alone\n",
      slowest->from, slowest->to, slowest->bytes,
      static_cast<double>(slowest->left - slowest->entered) / picoseconds_in_ms, most);
}

std::string path_text(const TablesTime& run) {
  if (!run.path) return {};
  std::string parts;
  constexpr double percent = 100;
  for (std::size_t i = 0; i < path_part_count; ++i) {
    const std::optional<double> share = ratio_of(run.path->parts[i], run.result.time);
    if (run.path->parts[i] == 0) continue;
    parts += fmt::format(", {:.1f} % {}", share.value_or(0) * percent, part_names[i]);
  }
  return fmt::format("critical path{}{}: ends at rank {}, {} messages{}\n",
                     run.tables.empty() ? "" : " with ", run.tables, run.path->last_rank,
                     run.path->messages.size(), parts) +
         slowest_text(*run.path);
}

}  // namespace

PathReport path_report(const Schedule& schedule, const PlayRecord& record,
                       const CriticalPath& path) {
  PathReport result;
  result.parts = path.parts;
  if (!path.segments.empty()) {
    const PathSegment& last = path.segments.back();
    result.last_rank = schedule.rank_of(last.operation);
  }
  for (const std::uint32_t send : path.messages) {
    const Operation& operation = schedule.operation(send);
    const OperationRecord& of = record[send];
    result.messages.push_back(
        {schedule.rank_of(send), operation.peer, operation.size, of.entered, of.left, of.alone});
  }
  return result;
}

std::string to_text(const ApplicationReport& report) {
  std::string text = fmt::format(
      "{}: {} messages, {:.4g} bytes, {} ranks{}; network {}; o {}, L {}, eager up to {} bytes\n",
      report.application, report.messages, report.bytes, report.ranks,
      report.order.empty() ? "" : ", order " + report.order,
      report.network + (report.sharing == LinkSharing::max_min ? " by max-min" : ""),
      time_text(report.costs.overhead), time_text(report.costs.latency), report.costs.eager);
  std::size_t width = std::string_view("tables").size();
  for (const TablesTime& run : report.runs) width = std::max(width, run.tables.size());
  if (report.spread) width = std::max(width, std::string_view(minimal_ways).size());
  text += fmt::format("  {:<{}}  {:>14}  {:>11}  {:>9}\n", "tables", width, "time ms",
                      "of crossbar", "to first");
  for (const TablesTime& run : report.runs) {
    const PlayTime time = run.result.time;
    const std::optional<double> ratio = ratio_of(time, report.crossbar);
    text += fmt::format(
        "  {:<{}}  {:>14.6f}  {:>11}  {:>9}\n", run.tables.empty() ? "-" : run.tables, width,
        static_cast<double>(time) / picoseconds_in_ms, ratio ? fmt::format("{:.3f}", *ratio) : "-",
        &run == report.runs.data() ? "(first)" : difference(time, report.runs.front().result.time));
  }
  if (report.spread) {
    const std::optional<double> ratio = ratio_of(*report.spread, report.crossbar);
    text += fmt::format("  {:<{}}  {:>14.6f}  {:>11}  {:>9}\n", minimal_ways, width,
                        static_cast<double>(*report.spread) / picoseconds_in_ms,
                        ratio ? fmt::format("{:.3f}", *ratio) : "-",
                        difference(*report.spread, report.runs.front().result.time));
  }
  for (const TablesTime& run : report.runs) text += path_text(run);
  for (const TablesTime& run : report.runs) text += jobs_text(report, run);
  return text;
}

std::string per_rank_csv(const ApplicationReport& report) {
  std::string text = "\"tables\",\"rank\",\"end_ns\",\"computing_ns\",\"overhead_ns\"\n";
  const auto ns = [](PlayTime time) { return static_cast<double>(time) / picoseconds_in_ns; };
  for (const TablesTime& run : report.runs) {
    for (std::size_t r = 0; r < run.result.rank_ends.size(); ++r) {
      text +=
          fmt::format("{},{},{},{},{}\n", csv_field(run.tables), r, ns(run.result.rank_ends[r]),
                      ns(run.result.rank_uses[r].computing), ns(run.result.rank_uses[r].overhead));
    }
  }
  return text;
}

std::string to_json(const ApplicationReport& report) {
  const auto ns = [](PlayTime time) { return static_cast<double>(time) / picoseconds_in_ns; };
  nlohmann::ordered_json json;
  json["application"] = report.application;
  json["network"] = report.network;
  if (report.crossbar) {
    json["sharing"] = report.sharing == LinkSharing::max_min ? "max-min" : "equal";
  }
  json["ranks"] = report.ranks;
  json["messages"] = report.messages;
  json["bytes"] = report.bytes;
  if (!report.order.empty()) {
    json["order"] = report.order;
    json["seed"] = report.seed;
  }
  json["overhead_ns"] = ns(report.costs.overhead);
  json["latency_ns"] = ns(report.costs.latency);
  json["eager_bytes"] = report.costs.eager;
  if (report.spread) json["spread_ns"] = ns(*report.spread);
  json["runs"] = nlohmann::ordered_json::array();
  for (const TablesTime& run : report.runs) {
    nlohmann::ordered_json& line = json["runs"].emplace_back();
    if (!run.tables.empty()) line["tables"] = run.tables;
    line["time_ns"] = ns(run.result.time);
    if (report.crossbar) line["crossbar_ns"] = ns(*report.crossbar);
    if (report.crossbar) line["eager_together"] = run.result.eager_together;
    if (const auto ratio = ratio_of(run.result.time, report.crossbar)) line["ratio"] = *ratio;
    if (run.events) line["events"] = *run.events;
    if (run.path) {
      nlohmann::ordered_json& path = line["critical_path"];
      for (std::size_t i = 0; i < path_part_count; ++i) {
        path[fmt::format("{}_ns", part_names[i])] = ns(run.path->parts[i]);
      }
      path["messages"] = nlohmann::ordered_json::array();
      for (const PathMessage& message : run.path->messages) {
        path["messages"].push_back({{"from", message.from},
                                    {"to", message.to},
                                    {"bytes", message.bytes},
                                    {"entered_ns", ns(message.entered)},
                                    {"left_ns", ns(message.left)},
                                    {"alone_ns", ns(message.alone)}});
      }
    }
    for (std::size_t j = 0; j < run.jobs.size(); ++j) {
      const JobTime& job = run.jobs[j];
      nlohmann::ordered_json& of = line["jobs"].emplace_back();
      of["job"] = report.jobs[j];
      of["together_ns"] = ns(job.together);
      of["alone_ns"] = ns(job.alone);
      if (const auto ratio = ratio_of(job.together, job.alone)) of["ratio"] = *ratio;
      of["held_up_by"] = job.held_up_by;
    }
    nlohmann::ordered_json& ends = line["rank_ends_ns"] = nlohmann::ordered_json::array();
    for (const PlayTime end : run.result.rank_ends) ends.push_back(ns(end));
  }
  return dump_json(json);
}

}  // namespace pssp
