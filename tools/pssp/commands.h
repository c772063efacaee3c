#pragma once

// The commands of `pssp`, and which one a command line asks for.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

struct PsspCommand {
  std::string_view group;    ///< heading in the list of commands
  std::string_view name;     ///< one or two words: "route", "cc apply"
  std::string_view program;  ///< file in the folder of the programs
  std::string_view purpose;  ///< one line
};

/// A command, and how many words of the command line name it.
struct ChosenCommand {
  const PsspCommand* command = nullptr;
  std::size_t words = 0;
};

/// The command that `words` begin with. Throws Error(usage) with the nearest command if there is
/// none.
ChosenCommand choose_command(std::span<const std::string> words);

/// Whether `word` begins commands of two words, such as "cc".
bool is_command_family(std::string_view word);

/// The help text of `pssp`: the commands with their programs in `folder`, by group. Only those of
/// `family` unless it is empty.
std::string list_commands(const std::filesystem::path& folder, std::string_view family = {});

}  // namespace pssp
