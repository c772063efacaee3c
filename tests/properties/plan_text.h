#pragma once

// Writes random plans as text with code of the tests alone, and counts the contents of such text
// without the project's readers.

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/properties/random_plan.h"

namespace pssp::test {

/// Descriptions for the nodes of the plan that resemble the syntax of many file formats. The plan
/// and the seed determine the result.
std::vector<std::string> odd_names(const RandomPlan& plan, std::uint64_t seed);

/// ID of a node as ibnetdiscover prints it, such as "S-0000000000000010".
std::string plan_id(const PlannedNode& node);

/// LIDs of an adapter port, or of a switch (port 0). The first LID and the LMC are 0 if the plan
/// has none.
PlannedLids lids_at(const RandomPlan& plan, PlannedPort port);

/// The plan in the format of ibnetdiscover.
std::string net_text(const RandomPlan& plan, const std::vector<std::string>& names);

std::vector<std::string> lines_of(const std::string& text);
std::size_t count_of(const std::string& text, std::string_view what);

/// Contents of a net file, with one string for each item.
struct Inventory {
  std::multiset<std::string> nodes, names, cable_ends, lids;
};
/// Parses the text with regular expressions alone, without the project's readers.
Inventory inventory_of(const std::string& text);

/// Sum of the numbers before `what`, a regular expression, in warnings such as "f: 3 link(s) that
/// are down".
std::size_t warned_of(const std::vector<std::string>& warnings, const std::string& what);

}  // namespace pssp::test
