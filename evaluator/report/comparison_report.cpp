#include "evaluator/report/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text_table.h"
#include "evaluator/report/spreadsheet_field.h"
#include "evaluator/report/structured_report.h"

namespace pssp {
namespace {

std::string_view credit_loop_text(const std::optional<bool>& credit_loop) {
  if (!credit_loop) return "-";
  return *credit_loop ? "YES" : "none";
}

std::string p_text(double p) {
  constexpr double least_displayed = 1e-4;
  if (std::isnan(p)) return "-";
  return p < least_displayed ? "< 0.0001" : fmt::format("{:.4f}", p);
}

std::vector<std::string> difference_cells(const PairedDifference& difference, bool is_first) {
  if (is_first) return {"(first)", "", "", ""};
  return {std::isnan(difference.mean) ? "-" : fmt::format("{:+.5f}", difference.mean),
          std::isnan(difference.lower_95)
              ? "-"
              : fmt::format("{:+.5f} .. {:+.5f}", difference.lower_95, difference.upper_95),
          p_text(difference.adjusted_p), std::string(word_for(difference.verdict))};
}

/// Scores for different numbers of LIDs are not comparable, so the report names the difference.
std::string note_on_lids(const Comparison& comparison) {
  std::string text;
  bool is_mixed = false;
  for (const ComparedTables& each : comparison.tables) {
    is_mixed = is_mixed || each.lids.lids != comparison.tables.front().lids.lids;
  }
  for (const ComparedTables& each : comparison.tables) {
    if (is_mixed) {
      text += fmt::format("  {}: scored with {} LID{} per host\n", each.name, each.lids.lids,
                          each.lids.lids == 1 ? "" : "s");
    } else if (each.lids.lids > 1) {
      return fmt::format("  {}\n", describe_striping(each.lids));
    }
  }
  return text;
}

}  // namespace

std::string_view word_for(PairedVerdict verdict) {
  switch (verdict) {
    case PairedVerdict::better:
      return "better";
    case PairedVerdict::worse:
      return "worse";
    case PairedVerdict::same:
      return "the same in every run";
    case PairedVerdict::no_difference:
      return "no difference shown";
    case PairedVerdict::too_few_runs:
      return "too few runs";
  }
  return "";
}

std::string to_text(const Comparison& comparison) {
  const std::uint64_t runs = comparison.tables.empty() ? 0 : comparison.tables.front().metric.count;
  std::string text = fmt::format(
      "Comparison: {} ({} runs each, the same traffic for all, seed {}; {} is better)\n",
      comparison.metric, runs, comparison.seed,
      comparison.better == Better::higher ? "higher" : "lower");
  std::vector<TableRow> columns;
  columns.push_back({"tables", "mean", "+-", "to first", "95 % interval", "p", "verdict", "index",
                     "bound", "hops", "longest", "usable", "credit loop", "lanes"});
  for (std::size_t i = 0; i < comparison.tables.size(); ++i) {
    const ComparedTables& each = comparison.tables[i];
    const bool known = !std::isnan(each.metric.mean);
    const double half_width = each.metric.upper_95 - each.metric.mean;
    std::vector<std::string> cells{
        each.name, known ? fmt::format("{:.5f}", each.metric.mean) : "-",
        std::isnan(half_width) ? "-" : fmt::format("{:.5f}", half_width)};
    std::ranges::move(difference_cells(each.difference, i == 0), std::back_inserter(cells));
    cells.push_back(fmt::format("{:g}", each.edge_forwarding_index));
    cells.push_back(fmt::format("{:g}", each.index_bound));
    cells.push_back(fmt::format("{:.3f}", each.mean_hops));
    cells.push_back(fmt::format("{}", each.most_hops));
    cells.emplace_back(each.usable ? "yes" : "BROKEN");
    cells.emplace_back(credit_loop_text(each.credit_loop));
    cells.push_back(each.lanes ? fmt::format("{}", *each.lanes) : "-");
    columns.push_back(std::move(cells));
  }
  text += text_table(columns, {.indent = 2});
  text +=
      "  +-: half of the 95 % interval. p: probability that chance alone causes such a difference "
      "between\n  paired runs (z test, two-sided, corrected by Holm for all comparisons together); "
      "verdict at 5 %.\n";
  return text + note_on_lids(comparison);
}

std::string to_csv(const Comparison& comparison) {
  std::string text =
      "tables,runs,mean,stderr,lower_95,upper_95,difference,difference_stderr,difference_lower_95,"
      "difference_upper_95,z,p,adjusted_p,verdict,edge_forwarding_index,hops_mean,hops_max,usable,"
      "credit_loop,edge_forwarding_index_bound,lanes\n";
  const auto out = std::back_inserter(text);
  const auto number = [&](double value) {
    text += ',';
    if (std::isfinite(value)) fmt::format_to(out, "{}", value);
  };
  for (std::size_t i = 0; i < comparison.tables.size(); ++i) {
    const ComparedTables& each = comparison.tables[i];
    const PairedDifference& difference = each.difference;
    fmt::format_to(out, "{},{}", spreadsheet_field(each.name), each.metric.count);
    for (const double value :
         {each.metric.mean, each.metric.standard_error, each.metric.lower_95, each.metric.upper_95,
          difference.mean, difference.standard_error, difference.lower_95, difference.upper_95,
          difference.z, difference.p, difference.adjusted_p}) {
      number(value);
    }
    fmt::format_to(out, ",{}", i == 0 ? "" : word_for(difference.verdict));
    number(each.edge_forwarding_index);
    number(each.mean_hops);
    fmt::format_to(out, ",{},{},{}", each.most_hops, each.usable ? "yes" : "no",
                   each.credit_loop ? (*each.credit_loop ? "yes" : "no") : "");
    number(each.index_bound);
    fmt::format_to(out, ",{}\n", each.lanes ? fmt::format("{}", *each.lanes) : "");
  }
  return text;
}

}  // namespace pssp
