// Writes the set in its notation, replaces the lines of the changed values, and parses the text
// again, so that the changed set passes all checks of the parser.

#include "simulator/scenarios/parameter_change.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "congestion/parameter_file.h"
#include "congestion/parameter_text.h"

namespace pssp {
namespace {

struct ParameterAlias {
  std::string_view alias, name;
};
constexpr std::array parameter_aliases{
    ParameterAlias{"Threshold", "switch.threshold"},
    ParameterAlias{"Marking_Rate", "switch.marking_rate"},
    ParameterAlias{"Packet_Size", "switch.packet_size"},
    ParameterAlias{"Victim_Mask", "switch.victim_mask"},
    ParameterAlias{"CCTI_Timer", "adapter.ccti_timer"},
    ParameterAlias{"CCTI_Increase", "adapter.ccti_increase"},
    ParameterAlias{"CCTI_Min", "adapter.ccti_min"},
    ParameterAlias{"CCTI_Limit", "table.ccti_limit"},
};

/// Whether the line sets `name` for a single service level.
bool is_of_one_level(const std::string& line, const std::string& name) {
  constexpr std::string_view adapter = "adapter.";
  if (!name.starts_with(adapter) || !line.starts_with("adapter.sl")) return false;
  const std::size_t dot = line.find('.', adapter.size());
  return dot != std::string::npos && line.substr(dot + 1) == name.substr(adapter.size());
}

}  // namespace

std::string notation_name(const std::string& name) {
  const auto found = std::ranges::find(parameter_aliases, name, &ParameterAlias::alias);
  return found == parameter_aliases.end() ? name : std::string(found->name);
}

CongestionParameters with_changes(const CongestionParameters& parameters,
                                  std::span<const std::pair<std::string, std::string>> changes) {
  std::vector<ParameterLine> lines = parameter_lines(parameters);
  for (const auto& [given, value] : changes) {
    const std::string name = notation_name(given);
    std::erase_if(lines, [&](const ParameterLine& line) {
      return line.name == name || is_of_one_level(line.name, name);
    });
    lines.push_back({name, value, ""});
  }
  std::string text;
  for (const ParameterLine& line : lines) text += fmt::format("{} = {}\n", line.name, line.value);
  try {
    return parse_congestion_parameters(text, "the changed set");
  } catch (const Error& error) {
    std::string said;
    for (const auto& [name, value] : changes) said += fmt::format(" {}={}", name, value);
    throw Error(ErrorKind::usage, fmt::format("{}: {}", excerpt(said.substr(1)), error.what()));
  }
}

}  // namespace pssp
