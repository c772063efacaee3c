// A command has one word or two; the first word of a command of two words is the name of a family.

#include "tools/pssp/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <vector>

#include "base/closest_name.h"
#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

constexpr std::array command_table = std::to_array<PsspCommand>({
#include "tools/pssp/commands.inc"
});

bool belongs_to(const PsspCommand& command, std::string_view family) {
  return command.name.size() > family.size() && command.name.starts_with(family) &&
         command.name[family.size()] == ' ';
}

}  // namespace

bool is_command_family(std::string_view word) {
  return std::ranges::any_of(command_table,
                             [&](const PsspCommand& command) { return belongs_to(command, word); });
}

ChosenCommand choose_command(std::span<const std::string> words) {
  std::string name = words.front();
  const bool in_family = is_command_family(name) && words.size() > 1;
  if (in_family) name += " " + words[1];
  std::vector<std::string_view> names;
  for (const PsspCommand& command : command_table) {
    if (command.name == name) return {&command, in_family ? 2U : 1U};
    names.push_back(command.name);
  }
  throw Error(ErrorKind::usage, fmt::format("unknown command '{}' (`pssp` lists the commands){}",
                                            printable(name), did_you_mean(name, names)));
}

std::string list_commands(const std::filesystem::path& folder, std::string_view family) {
  std::string text = fmt::format(
      "Routes, evaluates, simulates and monitors InfiniBand fabrics.\n"
      "Usage: pssp {} [ARGUMENTS]\n",
      family.empty() ? "COMMAND" : fmt::format("{} COMMAND", family));
  std::string_view group;
  for (const PsspCommand& command : command_table) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder / command.program, ignored)) continue;
    if (!family.empty() && !belongs_to(command, family)) continue;
    if (command.group != group) text += fmt::format("\n{}:\n", command.group);
    group = command.group;
    text += fmt::format("  {:<16}  {}\n", command.name, command.purpose);
  }
  text +=
      "\nOptions:\n"
      "  -h,--help         Print this list\n"
      "  help COMMAND      Print the arguments and options of a command\n"
      "  --version         Print the version\n";
  return text;
}

}  // namespace pssp
