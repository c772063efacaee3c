// Groups are computed once, before the simulation, and are the same in all processes and for all
// seeds.

#include "tools/simulate_application/answer/adaptive.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "routing/verify/channel_dependencies.h"
#include "simulator/adaptive/groups_file.h"

namespace pssp {
namespace {

AdaptiveGroups groups_for(const std::optional<GroupsFile>& file, const NamedTables& input) {
  if (!file) return minimal_groups(*input.fabric, *input.tables);
  try {
    return groups_of_file(*file, *input.fabric, *input.tables);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("with {}: {}", input.name, error.what()));
  }
}

void warn_of_loop(const AdaptiveGroups& groups, const NamedTables& input,
                  const std::function<void(const std::string&)>& warn) {
  const std::vector<ChannelId> loop = credit_loop(groups);
  if (loop.empty()) return;
  std::string channels = describe_cycle(*input.fabric, loop);
  channels.pop_back();  // the end of its last line
  warn(fmt::format(
      "{}: the groups of ports have a credit loop of {} channels; packets may deadlock:\n{}",
      input.name, loop.size(), channels));
}

}  // namespace

AdaptiveReplays::AdaptiveReplays(const ApplicationQuestion& question,
                                 std::span<const NamedTables> inputs,
                                 const std::function<void(const std::string&)>& warn) {
  if (question.adaptive == "none") return;
  std::optional<GroupsFile> file;
  if (!question.groups.empty()) {
    const std::string text = read_file(question.groups, largest_groups_file);
    digest_.add_text(text);
    file = parse_groups(text, question.groups, *inputs.front().fabric);
  }
  for (const NamedTables& input : inputs) {
    groups_.push_back(groups_for(file, input));
    warn_of_loop(groups_.back(), input, warn);
    routings_.push_back({&groups_.back(), question.adaptive == "flow", question.adaptive_busy});
  }
}

}  // namespace pssp
