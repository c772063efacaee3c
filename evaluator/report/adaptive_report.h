#pragma once

// What tables give beside switches that choose among all ports of minimal paths, as one table.

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
  std::optional<AdaptiveChoice> choice;        ///< nothing: tables
  SampleStatistics bandwidth;                  ///< of rounds or runs; NaN where no one sends
  double slowest = SampleStatistics::unknown;  ///< mean over the rounds of their slowest flow
  std::optional<double> to_tables;             ///< mean / mean of the tables, where there are such
};

struct AdaptiveReport {
  std::string traffic;         ///< "random bisections", or the pattern as it was asked for
  std::string hosts_of_ranks;  ///< in words; empty for bisections
  std::uint32_t ranks = 0;
  std::uint64_t runs = 0;
  std::uint64_t seed = 1;
  std::vector<AdaptiveRow> rows;
};

/// Adds a row of bandwidths and slowest flows, one each a run, both finite; `choice` as above. The
/// first row of tables is what the others are compared with.
void add_row(AdaptiveReport& report, std::string name, std::optional<AdaptiveChoice> choice,
             std::span<const double> bandwidths, std::span<const double> slowest);

std::string to_text(const AdaptiveReport& report);
/// A line a row, in full precision.
std::string to_csv(const AdaptiveReport& report);

}  // namespace pssp
