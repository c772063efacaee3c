#pragma once

// What one routing inside opensm may cost, in time and in memory: budget.seconds=10 in opensm.conf.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/option_table.h"
#include "fabric/fabric.h"

namespace pssp {

struct BudgetOptions {
  /// Seconds that engines and searches of one routing may take; none: as the fabric is large.
  std::optional<std::uint32_t> seconds;
  /// MiB that their working memory may need, by an estimate that is made before.
  std::uint32_t megabytes = 4096;
};

const OptionTable<BudgetOptions>& budget_option_table();

/// Entries of the tables: switches times LIDs, by which the size of a fabric is measured here.
std::uint64_t table_entries(const Fabric& fabric);

/// Seconds for this fabric: those that were given, or 5 and 20 more for each million entries, 60 at
/// most.
double seconds_for(const BudgetOptions& options, const Fabric& fabric);
/// For a fabric with so many entries.
double seconds_for(const BudgetOptions& options, std::uint64_t entries);

std::uint64_t bytes_of(const BudgetOptions& options);

}  // namespace pssp
