#include "tools/simulate_application/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

}  // namespace

std::string to_text(const ApplicationReport& report) {
  std::string text = fmt::format(
      "{}: {} messages, {:.4g} bytes, {} ranks{}; network {}; o {}, L {}, eager up to {} bytes\n",
      report.application, report.messages, report.bytes, report.ranks,
      report.order.empty() ? "" : ", order " + report.order,
      report.network + (report.sharing == LinkSharing::max_min ? " by max-min" : ""),
      time_text(report.costs.overhead), time_text(report.costs.latency), report.costs.eager);
  std::size_t width = std::string_view("tables").size();
  for (const TablesTime& run : report.runs) width = std::max(width, run.tables.size());
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
  json["runs"] = nlohmann::ordered_json::array();
  for (const TablesTime& run : report.runs) {
    nlohmann::ordered_json& line = json["runs"].emplace_back();
    if (!run.tables.empty()) line["tables"] = run.tables;
    line["time_ns"] = ns(run.result.time);
    if (report.crossbar) line["crossbar_ns"] = ns(*report.crossbar);
    if (report.crossbar) line["eager_together"] = run.result.eager_together;
    if (const auto ratio = ratio_of(run.result.time, report.crossbar)) line["ratio"] = *ratio;
    nlohmann::ordered_json& ends = line["rank_ends_ns"] = nlohmann::ordered_json::array();
    for (const PlayTime end : run.result.rank_ends) ends.push_back(ns(end));
  }
  return dump_json(json);
}

}  // namespace pssp
