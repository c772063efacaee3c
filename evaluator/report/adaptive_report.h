#pragma once

// Compares tables with switches that choose among all ports of minimal paths, in one table.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluator/flows/adaptive_routes.h"
#include "evaluator/metrics/statistics.h"

namespace pssp {

/// One row: tables, or a choice of ports.
struct AdaptiveRow {
  std::string name;                            ///< of the tables' file, or name_of() the choice
  std::optional<AdaptiveChoice> choice;        ///< none: tables
  SampleStatistics bandwidth;                  ///< of rounds or runs; NaN without flows
  double slowest = SampleStatistics::unknown;  ///< mean over the rounds of the slowest flow
  std::optional<double> to_tables;             ///< mean / mean of the tables, if there are any
};

struct AdaptiveReport {
  std::string traffic;         ///< "random bisections", or the pattern as specified
  std::string hosts_of_ranks;  ///< as text; empty for bisections
  std::uint32_t ranks = 0;
  std::uint64_t runs = 0;
  std::uint64_t seed = 1;
  std::vector<AdaptiveRow> rows;
};

/// Adds a row with the bandwidths and slowest flows of each run, all finite; `choice` as above.
/// Other rows are compared with the first row of tables.
void add_row(AdaptiveReport& report, std::string name, std::optional<AdaptiveChoice> choice,
             std::span<const double> bandwidths, std::span<const double> slowest);

std::string to_text(const AdaptiveReport& report);
/// One line per row, in full precision.
std::string to_csv(const AdaptiveReport& report);

}  // namespace pssp
