#pragma once

// Limits of time and memory for one routing inside opensm: budget.seconds=10 in opensm.conf.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/option_table.h"
#include "fabric/fabric.h"

namespace pssp {

struct BudgetOptions {
  /// Seconds for the engines and searches of one routing; none: depends on the size of the fabric.
  std::optional<std::uint32_t> seconds;
  /// MiB of their working memory, estimated in advance.
  std::uint32_t megabytes = 4096;
};

const OptionTable<BudgetOptions>& budget_option_table();

/// Table entries: switches times LIDs, the measure of a fabric's size.
std::uint64_t table_entries(const Fabric& fabric);

/// Seconds for this fabric: the given value, or 5 plus 20 per million entries, at most 60.
double seconds_for(const BudgetOptions& options, const Fabric& fabric);
/// The same for a fabric with this many entries.
double seconds_for(const BudgetOptions& options, std::uint64_t entries);

std::uint64_t bytes_of(const BudgetOptions& options);

}  // namespace pssp
