#pragma once

// Random plans as text, by code of the tests alone, and counters of what such text holds that know
// nothing of the project's readers.

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/properties/random_plan.h"

namespace pssp::test {

/// A description for each node of the plan, made of pieces of many notations: a function of the
/// seed.
std::vector<std::string> odd_names(const RandomPlan& plan, std::uint64_t seed);

/// "S-0000000000000010": what ibnetdiscover calls a node.
std::string plan_id(const PlannedNode& node);

/// LIDs of a port, or of a switch (port 0); 0 and 0 where the plan has none.
PlannedLids lids_at(const RandomPlan& plan, PlannedPort port);

/// The plan as a file of ibnetdiscover.
std::string net_text(const RandomPlan& plan, const std::vector<std::string>& names);

std::vector<std::string> lines_of(const std::string& text);
std::size_t count_of(const std::string& text, std::string_view what);

/// What the lines of a net file hold, each as a text of its own, sorted.
struct Inventory {
  std::multiset<std::string> nodes, names, cable_ends, lids;
};
/// Reads by regular expressions alone: no code of the readers.
Inventory inventory_of(const std::string& text);

/// The sum of the numbers before `what` in the warnings: "f: 3 link(s) that are down".
std::size_t warned_of(const std::vector<std::string>& warnings, const std::string& what);

}  // namespace pssp::test
