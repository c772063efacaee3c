// The text report: one row per engine, best first, remarks on engines without tables, the
// recommendation, and the meaning of the columns.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>

#include "base/text_table.h"
#include "tools/compare_engines/reports.h"

namespace pssp {
namespace {

constexpr std::array displayed_patterns{"shifts",       "leaf_pairs",  "node_jobs_16",
                                        "node_jobs_64", "servers_one", "servers_job"};
constexpr std::size_t longest_reason = 160;

constexpr const char* legend =
    "bandwidth: effective bisection bandwidth, as a share of the link bandwidth\n"
    "S: structured slowdown, time of structured traffic relative to its lower bound; shifts, leaf "
    "pairs, jobs of 16 and of\n"
    "   64 neighboring nodes, nodes that write to one server each, jobs of 64 to all servers: "
    "mean time\n"
    "   of a phase, 1 for a single flow\n"
    "index: edge forwarding index, the routes over the busiest channel; bound: lower bound of any "
    "routing\n"
    "lanes: virtual lanes needed to avoid deadlocks; credit loop: in the routes, regardless of "
    "lanes\n"
    "routing ms: routing phase of opensm, according to its log; MiB: peak memory of opensm\n";

constexpr const char* striped_legend =
    "all LIDs, S all: bandwidth and S of flows that are striped over all LIDs of their hosts, "
    "limited\n"
    "   by the slowest part; all other columns are for base LIDs\n";

constexpr const char* application_legend =
    "applications: run time, relative to the run time on a crossbar of the same hosts\n";

std::string number(const std::optional<double>& value, int decimals) {
  return value ? rounded_text(*value, decimals) : "-";
}

/// S, then the patterns with their own columns.
std::vector<std::string> structured_cells(const TableScore& score) {
  if (!score.structured) {
    std::vector<std::string> unknown(std::size(displayed_patterns) + 1, "-");
    return unknown;
  }
  std::vector<std::string> cells{rounded_text(score.structured->slowdown, 2)};
  for (const char* pattern : displayed_patterns)
    cells.push_back(number(score.structured->time_of(pattern), 2));
  return cells;
}

/// The optional columns.
struct Columns {
  bool with_lmc;      ///< several LMCs
  bool with_striped;  ///< flows over all LIDs
  std::size_t applications;
};
Columns columns_of(const EngineComparison& comparison) {
  return {comparison.lmcs.size() > 1, comparison.lmcs.back() != 0, comparison.applications.size()};
}

/// All values or none: '-' for unusable tables.
std::vector<std::string> application_cells(const EngineResult& result, std::size_t asked_for) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < asked_for; ++i) {
    cells.push_back(
        i < result.applications.size() ? "x" + rounded_text(result.applications[i].ratio, 2) : "-");
  }
  return cells;
}

TableRow row_of(const EngineResult& result, Columns columns) {
  TableRow row{result.engine};
  if (!result.score) {
    row.push_back(columns.with_lmc ? fmt::format("{}  {}", result.lmc, result.state)
                                   : result.state);
    return row;
  }
  const TableScore& score = *result.score;
  if (columns.with_lmc) row.push_back(std::to_string(result.lmc));
  row.push_back(score.bandwidth ? displayed_bandwidth(*score.bandwidth) : "-");
  row.push_back(score.interval ? displayed_bandwidth(score.interval->low) + "-" +
                                     displayed_bandwidth(score.interval->high)
                               : "-");
  std::ranges::move(structured_cells(score), std::back_inserter(row));
  if (columns.with_striped) {
    const StripedFigures figures = striped_figures(result);
    row.push_back(figures.bandwidth ? displayed_bandwidth(*figures.bandwidth) : "-");
    row.push_back(number(figures.slowdown, 2));
  }
  std::ranges::move(application_cells(result, columns.applications), std::back_inserter(row));
  const TableRow others{number(score.index, 0),
                        number(score.index_bound, 0),
                        number(score.hops_mean, 3),
                        number(score.hops_max, 0),
                        score.lanes ? std::to_string(*score.lanes) : "-",
                        !score.credit_loop   ? "?"
                        : *score.credit_loop ? "yes"
                                             : "none",
                        rounded_text(score.routing_ms, 1),
                        score.peak_memory_kib == 0
                            ? "-"
                            : rounded_text(static_cast<double>(score.peak_memory_kib) / 1024, 0)};
  row.insert(row.end(), others.begin(), others.end());
  return row;
}

/// The subject of the figures; empty if no engine routed the fabric.
std::string subject_of(std::span<const EngineResult> results) {
  const auto routed = std::find_if(results.begin(), results.end(),
                                   [](const EngineResult& each) { return each.score.has_value(); });
  if (routed == results.end()) return {};
  const TableScore& score = *routed->score;
  const std::string without = score.end_ports_without_lid == 0
                                  ? std::string()
                                  : fmt::format(", {} without LID", score.end_ports_without_lid);
  return fmt::format(
      "hosts: {} end ports in traffic, of {}{}, at {} switches; all figures refer to these hosts\n",
      score.hosts, score.end_ports, without, score.switches);
}

std::string remark_on(const EngineResult& result, Columns columns) {
  const std::string name =
      columns.with_lmc ? fmt::format("{}, lmc {}", result.engine, result.lmc) : result.engine;
  if (!result.score) {
    std::string reason = result.reasons.empty() ? "no reason given" : result.reasons.front();
    if (reason.size() > longest_reason) reason = reason.substr(0, longest_reason - 3) + "...";
    return fmt::format("{}: {}: {}\n", name, result.state, reason);
  }
  if (result.score->usable) return {};
  const std::string& example = result.score->defect;
  return fmt::format("{}: not usable: {}{}\n", name, defects_of(*result.score),
                     example.empty() ? "" : "; e.g. " + example);
}

}  // namespace

std::vector<std::size_t> ranked(std::span<const EngineResult> results) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < results.size(); ++i) order.push_back(i);
  const auto merit = [&](std::size_t i) {
    const auto first = std::ranges::find_if(results, [&](const EngineResult& each) {
      return each.engine == results[i].engine && each.score;
    });
    return first == results.end() ? -std::numeric_limits<double>::infinity()
                                  : first->score->merit();
  };
  std::ranges::stable_sort(order, std::ranges::greater{}, merit);
  return order;
}

std::string comparison_text(const EngineComparison& comparison) {
  const Columns columns = columns_of(comparison);
  TableRow headings{"engine"};
  if (columns.with_lmc) headings.emplace_back("lmc");
  headings.insert(headings.end(), {"bandwidth", "95 % interval", "S", "shifts", "leaf pairs",
                                   "jobs 16", "jobs 64", "one server", "all servers"});
  if (columns.with_striped) headings.insert(headings.end(), {"all LIDs", "S all"});
  headings.insert(headings.end(), comparison.applications.begin(), comparison.applications.end());
  for (const char* each :
       {"index", "bound", "hops", "longest", "lanes", "credit loop", "routing ms", "MiB"}) {
    headings.emplace_back(each);
  }
  std::vector<TableRow> rows{std::move(headings)};
  std::string remarks;
  for (const std::size_t i : ranked(comparison.results)) {
    rows.push_back(row_of(comparison.results[i], columns));
    remarks += remark_on(comparison.results[i], columns);
  }
  std::string text = text_table(rows) + "\n" + remarks + "\n";
  for (const std::string& each : comparison.notes) text += each + "\n";
  if (!comparison.warning.empty()) text += comparison.warning + "\n";
  text += comparison.recommendation.text + "\n";
  if (!comparison.application_advice.empty()) text += comparison.application_advice + "\n";
  if (!comparison.lid_advice.text.empty()) text += comparison.lid_advice.text + "\n";
  return text + "\n" + subject_of(comparison.results) + legend +
         (columns.with_striped ? striped_legend : "") +
         (columns.applications != 0 ? application_legend : "") +
         "Tables, logs and reports: " + comparison.directory + "\n";
}

}  // namespace pssp
