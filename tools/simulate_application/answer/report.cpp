#include "tools/simulate_application/answer/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/csv_rows.h"
#include "base/json_text.h"
#include "base/text_table.h"
#include "simulator/report/losses_json.h"
#include "simulator/values.h"

namespace pssp {
namespace {

constexpr double picoseconds_in_ns = 1e3;
constexpr double picoseconds_in_ms = 1e9;

double ns(ReplayTime time) { return static_cast<double>(time) / picoseconds_in_ns; }

std::optional<double> ratio_of(ReplayTime time, std::optional<ReplayTime> other) {
  if (!other || *other == 0) return std::nullopt;
  return static_cast<double>(time) / static_cast<double>(*other);
}

std::string ms_text(ReplayTime time) {
  return fmt::format("{:.6f}", static_cast<double>(time) / picoseconds_in_ms);
}

std::string ratio_text(ReplayTime time, std::optional<ReplayTime> other) {
  const std::optional<double> ratio = ratio_of(time, other);
  return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

std::string difference(ReplayTime time, ReplayTime first) {
  const std::optional<double> ratio = ratio_of(time, first);
  constexpr double percent = 100;
  return ratio ? fmt::format("{:+.1f} %", (*ratio - 1) * percent) : "-";
}

constexpr const char* minimal_paths = "all minimal paths";

/// "itself 70 %, halo:.. 30 %", the largest first; shares below half a percent are omitted.
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
  return text.empty() ? "no job" : text;
}

std::string jobs_text(const ApplicationReport& report, const TablesTime& run) {
  if (run.jobs.empty()) return {};
  std::vector<TableRow> rows{{"job", "together ms", "alone ms", "together/alone", "held up by"}};
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    const JobTime& job = run.jobs[j];
    rows.push_back({report.jobs[j], ms_text(job.together), ms_text(job.alone),
                    ratio_text(job.together, job.alone), holders_text(report, j, job)});
  }
  return fmt::format("jobs{}{}\n", run.tables.empty() ? "" : " with ", run.tables) +
         text_table(rows, {.indent = 2, .flush_left = {true, false, false, false, true}});
}

constexpr std::array part_names{"computing", "overhead",   "latency",
                                "wire",      "congestion", "waiting"};
static_assert(part_names.size() == path_part_count);

/// The message of a path with the largest excess over its time alone.
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
      "  its slowest message: rank {} -> {}, {} bytes, {:.6f} ms in the network, {:.2f} times as "
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

/// The number of packets that arrived after a later one.
std::string overtaken_text(const ApplicationReport& report, const TablesTime& run) {
  if (report.adaptive == "none") return {};
  constexpr double percent = 100;
  return fmt::format(
      "adaptive with {}{}: {} of {} packets were overtaken by a later one, {:.1f} %\n", run.tables,
      report.seeds > 1 ? fmt::format(", seed {}", run.seed) : "", run.overtaken, run.packets,
      percent * static_cast<double>(run.overtaken) /
          static_cast<double>(std::max<std::uint64_t>(run.packets, 1)));
}

/// The losses during changes of the fabric, and whether these were complete at the end.
std::string lost_text(const ApplicationReport& report, const TablesTime& run) {
  if (report.changes.empty()) return {};
  std::string text = fmt::format("changes with {}{}: {}\n", run.tables,
                                 report.seeds > 1 ? fmt::format(", seed {}", run.seed) : "",
                                 losses_text(run.losses));
  for (const ChangeSummary& change : report.changes) {
    if (change.time < run.result.time) continue;
    text += fmt::format("  the run ended before the change at {}\n", time_text(change.time));
    break;
  }
  return text;
}

/// The number of congestion notifications.
std::string notified_text(const ApplicationReport& report, const TablesTime& run) {
  if (report.congestion == "off") return {};
  return fmt::format("congestion control by {} with {}{}: hosts were notified {} times\n",
                     report.congestion, run.tables,
                     report.seeds > 1 ? fmt::format(", seed {}", run.seed) : "", run.notifications);
}

std::string name_of(const TablesTime& run) { return run.tables.empty() ? "-" : run.tables; }

/// One line per set of tables.
std::string times_text(const ApplicationReport& report) {
  std::vector<TableRow> rows{{"tables", "time ms", "of crossbar", "to first"}};
  const TablesTime& first = report.runs.front();
  const auto add = [&](const std::string& name, ReplayTime time, const std::string& to_first) {
    rows.push_back({name, ms_text(time), ratio_text(time, first.crossbar), to_first});
  };
  for (const TablesTime& run : report.runs) {
    add(name_of(run), run.result.time,
        &run == &first ? "(first)" : difference(run.result.time, first.result.time));
  }
  for (const ReplayTime time : report.spread) {
    add(minimal_paths, time, difference(time, first.result.time));
  }
  return text_table(rows, {.indent = 2});
}

std::string with_interval(const MeanEstimate& estimate, double unit, int digits) {
  return fmt::format("{:.{}f} +- {:.{}f}", estimate.mean / unit, digits,
                     (estimate.upper_95 - estimate.mean) / unit, digits);
}

/// One line per set of tables, with means over seeds.
std::string means_text(const ApplicationReport& report) {
  std::vector<TableRow> rows{{"tables", "time ms", "of crossbar", "to first"}};
  constexpr double percent = 0.01;
  for (std::size_t i = 0; i < report.tables(); ++i) {
    const SeedMeans means = means_of(report, i);
    rows.push_back({name_of(report.runs[i]), with_interval(means.time, picoseconds_in_ms, 6),
                    with_interval(means.ratio, 1, 3),
                    i == 0 ? "(first)"
                           : fmt::format("{}{} %", means.to_first.mean < 0 ? "" : "+",
                                         with_interval(means.to_first, percent, 1))});
  }
  if (!report.spread.empty()) {
    const std::vector<double> times(report.spread.begin(), report.spread.end());
    rows.push_back({minimal_paths, with_interval(mean_of(times), picoseconds_in_ms, 6), "", ""});
  }
  return fmt::format("  means over {} orders, seeds {} to {}, with 95 % intervals\n", report.seeds,
                     report.seed, report.seed + report.seeds - 1) +
         text_table(rows, {.indent = 2});
}

nlohmann::ordered_json estimate_json(const MeanEstimate& estimate, double unit) {
  return {{"mean", estimate.mean / unit},
          {"interval", {estimate.lower_95 / unit, estimate.upper_95 / unit}}};
}

nlohmann::ordered_json means_json(const ApplicationReport& report) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < report.tables(); ++i) {
    const SeedMeans means = means_of(report, i);
    nlohmann::ordered_json& of = all.emplace_back();
    if (!report.runs[i].tables.empty()) of["tables"] = report.runs[i].tables;
    of["time_ns"] = estimate_json(means.time, picoseconds_in_ns);
    of["ratio"] = estimate_json(means.ratio, 1);
    of["to_first"] = estimate_json(means.to_first, 1);
  }
  return all;
}

}  // namespace

SeedMeans means_of(const ApplicationReport& report, std::size_t tables) {
  std::vector<double> times, ratios, to_first;
  for (std::size_t i = tables; i < report.runs.size(); i += report.tables()) {
    const TablesTime& run = report.runs[i];
    times.push_back(static_cast<double>(run.result.time));
    ratios.push_back(ratio_of(run.result.time, run.crossbar).value_or(1));
    to_first.push_back(ratio_of(run.result.time, report.runs[i - tables].result.time).value_or(1) -
                       1);
  }
  return {mean_of(times), mean_of(ratios), mean_of(to_first)};
}

bool is_precise(const ApplicationReport& report, double precision) {
  if (report.seeds < 2) return false;
  for (std::size_t i = 0; i < report.tables(); ++i) {
    const MeanEstimate time = means_of(report, i).time;
    if (time.upper_95 - time.mean > precision * time.mean) return false;
  }
  return true;
}

PathReport path_report(const Schedule& schedule, const ReplayRecord& record,
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
      report.network + (report.sharing == LinkSharing::max_min ? " by max-min" : "") +
          (report.adaptive == "none" ? "" : ", adaptive by " + report.adaptive),
      time_text(report.costs.overhead), time_text(report.costs.latency), report.costs.eager);
  text += changes_text(report.changes);
  text += report.seeds == 1 ? times_text(report) : means_text(report);
  for (const TablesTime& run : report.runs) text += overtaken_text(report, run);
  for (const TablesTime& run : report.runs) text += notified_text(report, run);
  for (const TablesTime& run : report.runs) text += lost_text(report, run);
  for (const TablesTime& run : report.runs) text += path_text(run);
  for (const TablesTime& run : report.runs) text += jobs_text(report, run);
  return text;
}

std::string runs_csv(const ApplicationReport& report) {
  std::string text =
      "\"tables\",\"order\",\"seed\",\"time_ns\",\"crossbar_ns\",\"ratio\",\"messages\","
      "\"bytes\"\n";
  for (const TablesTime& run : report.runs) {
    const std::optional<double> ratio = ratio_of(run.result.time, run.crossbar);
    text += fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(run.tables), csv_field(report.order),
                        run.seed, ns(run.result.time),
                        run.crossbar ? fmt::to_string(ns(*run.crossbar)) : "",
                        ratio ? fmt::to_string(*ratio) : "", report.messages, report.bytes);
  }
  return text;
}

std::string per_rank_csv(const ApplicationReport& report) {
  const bool several = report.seeds > 1;
  std::string text =
      fmt::format("\"tables\",{}\"rank\",\"end_ns\",\"computing_ns\",\"overhead_ns\"\n",
                  several ? "\"seed\"," : "");
  for (const TablesTime& run : report.runs) {
    for (std::size_t r = 0; r < run.result.rank_ends.size(); ++r) {
      text +=
          fmt::format("{},{}{},{},{},{}\n", csv_field(run.tables),
                      several ? fmt::format("{},", run.seed) : "", r, ns(run.result.rank_ends[r]),
                      ns(run.result.rank_uses[r].computing), ns(run.result.rank_uses[r].overhead));
    }
  }
  return text;
}

std::string to_json(const ApplicationReport& report) {
  nlohmann::ordered_json json;
  json["application"] = report.application;
  json["network"] = report.network;
  if (report.adaptive != "none") json["adaptive"] = report.adaptive;
  if (report.congestion != "off") json["congestion_control"] = report.congestion;
  if (report.runs.front().crossbar) {
    json["sharing"] = report.sharing == LinkSharing::max_min ? "max-min" : "equal";
  }
  if (!report.changes.empty()) json["changes"] = changes_json(report.changes);
  json["ranks"] = report.ranks;
  json["messages"] = report.messages;
  json["bytes"] = report.bytes;
  if (!report.order.empty()) {
    json["order"] = report.order;
    json["seed"] = report.seed;
  }
  if (report.seeds > 1) json["seeds"] = report.seeds;
  json["overhead_ns"] = ns(report.costs.overhead);
  json["latency_ns"] = ns(report.costs.latency);
  json["eager_bytes"] = report.costs.eager;
  if (!report.spread.empty()) {
    const std::vector<double> times(report.spread.begin(), report.spread.end());
    json["spread_ns"] = mean_of(times).mean / picoseconds_in_ns;
  }
  if (report.seeds > 1) json["means"] = means_json(report);
  json["runs"] = nlohmann::ordered_json::array();
  for (const TablesTime& run : report.runs) {
    nlohmann::ordered_json& line = json["runs"].emplace_back();
    if (!run.tables.empty()) line["tables"] = run.tables;
    if (report.seeds > 1) line["seed"] = run.seed;
    line["time_ns"] = ns(run.result.time);
    if (run.crossbar) line["crossbar_ns"] = ns(*run.crossbar);
    if (run.crossbar) line["eager_together"] = run.result.eager_together;
    if (const auto ratio = ratio_of(run.result.time, run.crossbar)) line["ratio"] = *ratio;
    if (run.events) line["events"] = *run.events;
    if (report.adaptive != "none") {
      line["packets"] = run.packets;
      line["overtaken"] = run.overtaken;
    }
    if (report.congestion != "off") line["notifications"] = run.notifications;
    if (!report.changes.empty()) line["losses"] = losses_json(run.losses);
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
    for (const ReplayTime end : run.result.rank_ends) ends.push_back(ns(end));
  }
  return dump_json(json);
}

}  // namespace pssp
