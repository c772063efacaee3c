#pragma once

// Command lines that are nearly right: of those of commands.txt, and what is wrong with how a
// program ended.

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
  int status = 0;  ///< how it ends, unchanged
  std::string program;
  std::vector<std::string> words;
};

/// Of commands.txt: a line each, `STATUS PROGRAM WORD...`. Throws Error(unreadable_input).
std::vector<CommandLine> read_command_lines(const std::filesystem::path& file);

/// One to four changes of `words`: words are left out, doubled, swapped, garbled, or replaced by
/// one of `vocabulary` or by what no option wants.
std::vector<std::string> changed(std::vector<std::string> words,
                                 const std::vector<std::string>& vocabulary,
                                 RandomGenerator& random);

/// The statuses that a page has, of all programs (key "") and of single ones. Not 70, an error of
/// ours, which the page has, too.
using DocumentedStatuses = std::map<std::string, std::set<int>, std::less<>>;

/// Of the rows "| 3, 4 | name | meaning |" of a page like docs/reference/exit-codes.md. A row whose
/// meaning begins with programs in backquotes and a colon is of these alone. Throws
/// Error(unreadable_input) where the page has no such row.
DocumentedStatuses read_documented_statuses(const std::filesystem::path& page);

/// What is wrong with an ending, in words; nothing: as `documented` has it. `status` is what a
/// shell shows, `errors` what the program wrote on standard error.
std::optional<std::string> wrong_ending(const DocumentedStatuses& documented,
                                        std::string_view program, int status,
                                        std::string_view errors);

}  // namespace pssp::test
