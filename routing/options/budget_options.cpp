#include "routing/options/budget_options.h"

#include <algorithm>
#include <array>

namespace pssp {
namespace {

constexpr double least_seconds = 5, seconds_per_entry = 20e-6, most_seconds = 60;

constexpr std::array<std::string_view, 1> by_size{"auto"};
constexpr std::array budget_lines{
    optional_number_option<&BudgetOptions::seconds>(
        "seconds", by_size, 1, 86'400,
        "seconds that engines and searches of one routing may take; auto: 5, and 20 more for each "
        "million table entries, 60 at most"),
    number_option<&BudgetOptions::megabytes>(
        "megabytes", 1, 1'000'000,
        "MiB of working memory that a step of a routing may need, estimated before it begins")};
constexpr OptionTable<BudgetOptions> budget_table{budget_lines};

}  // namespace

const OptionTable<BudgetOptions>& budget_option_table() { return budget_table; }

std::uint64_t table_entries(const Fabric& fabric) {
  return std::uint64_t{fabric.switch_count()} * fabric.lids().size();
}

double seconds_for(const BudgetOptions& options, const Fabric& fabric) {
  return seconds_for(options, table_entries(fabric));
}

double seconds_for(const BudgetOptions& options, std::uint64_t entries) {
  if (options.seconds) return *options.seconds;
  return std::min(most_seconds, least_seconds + seconds_per_entry * static_cast<double>(entries));
}

std::uint64_t bytes_of(const BudgetOptions& options) {
  return std::uint64_t{options.megabytes} << 20U;
}

}  // namespace pssp
