#include "tools/cc_params/difference_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"

namespace pssp {
namespace {

/// The text of a missing value.
std::string side(const std::string& value) { return value.empty() ? "none" : value; }

bool is_entry(const ParameterDifference& difference) {
  return difference.name.starts_with("table.entry[");
}

/// Summarizes many different entries of a table in a line.
std::string summary_of_entries(const std::vector<ParameterDifference>& found) {
  const auto first = std::find_if(found.begin(), found.end(), is_entry);
  return fmt::format("table: {} entries differ, first {}: {} | {}, last {}: {} | {} (--all)\n",
                     found.end() - first, first->name, side(first->left), side(first->right),
                     found.back().name, side(found.back().left), side(found.back().right));
}

}  // namespace

std::string difference_text(const std::vector<ParameterDifference>& found, bool all_entries) {
  constexpr std::ptrdiff_t most_entries = 8;
  const auto entries = std::count_if(found.begin(), found.end(), is_entry);
  const bool summarize = !all_entries && entries > most_entries;
  std::string text;
  for (const ParameterDifference& each : found) {
    if (summarize && is_entry(each)) continue;
    text += fmt::format("{}: {} | {}\n", each.name, side(each.left), side(each.right));
  }
  return summarize ? text + summary_of_entries(found) : text;
}

std::string difference_json(const std::vector<ParameterDifference>& found) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ParameterDifference& each : found) {
    json.push_back({{"name", each.name}, {"left", each.left}, {"right", each.right}});
  }
  return dump_json(json);
}

}  // namespace pssp
