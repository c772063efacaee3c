#include "evaluator/report/adaptive_report.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

#include "base/text_table.h"
#include "evaluator/report/spreadsheet_field.h"

namespace pssp {
namespace {

std::string number_or_dash(double value, const char* format = "{:.5f}") {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

}  // namespace

void add_row(AdaptiveReport& report, std::string name, std::optional<AdaptiveChoice> choice,
             std::span<const double> bandwidths, std::span<const double> slowest) {
  AdaptiveRow row{std::move(name), choice, describe_sample(bandwidths),
                  describe_sample(slowest).mean, std::nullopt};
  if (!report.rows.empty() && !report.rows.front().choice)
    row.to_tables = row.bandwidth.mean / report.rows.front().bandwidth.mean;
  report.rows.push_back(std::move(row));
}

std::string to_text(const AdaptiveReport& report) {
  std::string text = fmt::format("{}: {} hosts, {} runs, seed {}, the same flows for all\n",
                                 report.traffic, report.ranks, report.runs, report.seed);
  if (!report.hosts_of_ranks.empty())
    text += fmt::format("hosts of the ranks: {}\n", report.hosts_of_ranks);
  std::vector<TableRow> columns;
  columns.push_back({"paths", "bandwidth", "+-", "slowest flow", "to tables"});
  for (const AdaptiveRow& row : report.rows) {
    columns.push_back({printable(row.name), number_or_dash(row.bandwidth.mean),
                       number_or_dash(row.bandwidth.upper_95 - row.bandwidth.mean),
                       number_or_dash(row.slowest),
                       row.to_tables ? number_or_dash(*row.to_tables, "{:.3f}") : ""});
  }
  return text + text_table(columns, {.indent = 2}) +
         "  bandwidth: mean of all flows (1: no shared link), +-: half of its 95 % interval; "
         "slowest flow: mean over\n  the rounds. Minimal paths only. flow: the least loaded port "
         "at each switch; hash:Q: Q parts of a flow,\n  each at random; spray: packets evenly over "
         "all ports, where the slowest path decides.\n";
}

std::string to_csv(const AdaptiveReport& report) {
  std::string text = "paths,runs,mean,stderr,lower_95,upper_95,slowest,to_tables\n";
  for (const AdaptiveRow& row : report.rows) {
    text += fmt::format("{},{}", spreadsheet_field(row.name), row.bandwidth.count);
    for (const double value :
         {row.bandwidth.mean, row.bandwidth.standard_error, row.bandwidth.lower_95,
          row.bandwidth.upper_95, row.slowest, row.to_tables.value_or(SampleStatistics::unknown)}) {
      text += ',';
      if (std::isfinite(value)) fmt::format_to(std::back_inserter(text), "{}", value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace pssp
