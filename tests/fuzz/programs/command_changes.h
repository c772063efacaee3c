#pragma once

// Almost valid variants of the command lines in commands.txt, and the check of how a program ended.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace pssp::test {

struct CommandLine {
  int status = 0;  ///< expected exit status of the unchanged command line
  std::string program;
  std::vector<std::string> words;
};

/// Reads commands.txt, with one command per line: `STATUS PROGRAM WORD...`. Throws
/// Error(unreadable_input).
std::vector<CommandLine> read_command_lines(const std::filesystem::path& file);

/// Makes one to four changes of `words`: removes, repeats, swaps, garbles or inserts words, or
/// replaces them by words of `vocabulary` or by unusual words.
std::vector<std::string> changed(std::vector<std::string> words,
                                 const std::vector<std::string>& vocabulary,
                                 RandomGenerator& random);

/// The exit statuses that a page documents, for all programs (key "") and for single programs.
/// Without 70, which the page also lists, because it is an internal error.
using DocumentedStatuses = std::map<std::string, std::set<int>, std::less<>>;

/// Reads the rows "| 3, 4 | name | meaning |" of a page like docs/reference/exit-codes.md. A row
/// whose meaning begins with programs in backquotes and a colon applies only to these programs.
/// Throws Error(unreadable_input) if the page has no such row.
DocumentedStatuses read_documented_statuses(const std::filesystem::path& page);

/// Describes what is wrong with the end of a program; none if it agrees with `documented`. `status`
/// is the exit status as in a shell, `errors` the standard error of the program.
std::optional<std::string> wrong_ending(const DocumentedStatuses& documented,
                                        std::string_view program, int status,
                                        std::string_view errors);

}  // namespace pssp::test
