#pragma once

// Command lines that are nearly right: of those of commands.txt, and what is wrong with how a
// program ended.

#include <filesystem>
#include <optional>
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

/// What is wrong with an ending, in words; nothing: as docs/exit_codes.md has it. `status` is what
/// a shell shows, `errors` what the program wrote on standard error.
std::optional<std::string> wrong_ending(std::string_view program, int status,
                                        std::string_view errors);

}  // namespace pssp::test
