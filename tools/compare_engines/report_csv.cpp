// Unrounded numbers; unknown values are empty.

#include <fmt/format.h>

#include "evaluator/report/spreadsheet_field.h"
#include "tools/compare_engines/reports.h"

namespace pssp {
namespace {

constexpr const char* headings =
    "engine,origin,state,bandwidth,stderr,interval_low,interval_high,"
    "index,index_bound,hops_mean,hops_max,lanes,credit_loop,usable,"
    "routing_ms,peak_memory_kib,seconds,difference,adjusted_p,reason,S,"
    "score,shifts,leaf_pairs,node_jobs_16,node_jobs_64,"
    "lids,bandwidth_all_lids,S_all_lids,score_all_lids,"
    "servers_one,servers_job,servers_all";

template <class Value>
std::string field(const std::optional<Value>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string score_fields(const TableScore& score) {
  std::optional<double> low, high;
  if (score.interval) {
    low = score.interval->low;
    high = score.interval->high;
  }
  const std::string memory =
      score.peak_memory_kib == 0 ? std::string() : std::to_string(score.peak_memory_kib);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", field(score.bandwidth),
                     field(score.standard_error), field(low), field(high), field(score.index),
                     field(score.index_bound), field(score.hops_mean), field(score.hops_max),
                     field(score.lanes), field(score.credit_loop), score.usable, score.routing_ms,
                     memory);
}

/// After the older columns, whose positions must not change.
std::string structured_fields(const std::optional<TableScore>& score) {
  if (!score || !score->structured) return ",,,,,";
  const StructuredFigures& figures = *score->structured;
  return fmt::format("{},{},{},{},{},{}", figures.slowdown, figures.score,
                     field(figures.time_of("shifts")), field(figures.time_of("leaf_pairs")),
                     field(figures.time_of("node_jobs_16")),
                     field(figures.time_of("node_jobs_64")));
}

/// After these; empty with one LID per host.
std::string striped_fields(const std::optional<TableScore>& score) {
  if (!score || !score->striped) return ",,,";
  const StripedFigures& figures = *score->striped;
  return fmt::format("{},{},{},{}", figures.lids, field(figures.bandwidth), field(figures.slowdown),
                     field(figures.score));
}

/// The last ones; empty without servers.
std::string server_fields(const std::optional<TableScore>& score) {
  if (!score || !score->structured) return ",,";
  const StructuredFigures& figures = *score->structured;
  return fmt::format("{},{},{}", field(figures.time_of("servers_one")),
                     field(figures.time_of("servers_job")), field(figures.time_of("servers_all")));
}

}  // namespace

std::string comparison_csv(const EngineComparison& comparison) {
  // After all others, and only with several LMCs, so that positions do not change for older
  // readers.
  const bool with_lmc = comparison.lmcs.size() > 1;
  std::string text = headings;
  if (with_lmc) text += ",lmc";
  for (const std::string& name : comparison.applications) text += "," + spreadsheet_field(name);
  text += '\n';
  for (const EngineResult& each : comparison.results) {
    const std::string difference =
        each.difference ? fmt::format("{},{}", each.difference->mean, each.difference->adjusted_p)
                        : ",";
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{}", spreadsheet_field(each.engine),
        spreadsheet_field(each.is_opensms ? "opensm" : "plugin"), spreadsheet_field(each.state),
        each.score ? score_fields(*each.score) : std::string(12, ','), each.seconds, difference,
        each.reasons.empty() ? "" : spreadsheet_field(each.reasons.front()),
        structured_fields(each.score), striped_fields(each.score), server_fields(each.score));
    if (with_lmc) text += fmt::format(",{}", each.lmc);
    for (std::size_t i = 0; i < comparison.applications.size(); ++i) {
      text += i < each.applications.size() ? fmt::format(",{}", each.applications[i].ratio) : ",";
    }
    text += '\n';
  }
  return text;
}

}  // namespace pssp
