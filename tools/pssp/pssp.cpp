// pssp: starts the program of a command, or lists the commands.

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/closest_name.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/installation.h"
#include "base/printable.h"
#include "tools/kit/program_name.h"
#include "tools/kit/tool.h"
#include "tools/pssp/commands.h"
#include "tools/pssp/start.h"

namespace pssp {
namespace {

int run(std::vector<std::string> words) {
  const std::filesystem::path folder =
      folder_of_programs(std::filesystem::read_symlink("/proc/self/exe"));
  const bool wants_help = !words.empty() && words.front() == "help";
  if (wants_help) words.erase(words.begin());
  if (words.empty() || words.front() == "--help" || words.front() == "-h") {
    write_file("-", list_commands(folder));
    return 0;
  }
  if (words.front() == "--version") {
    write_file("-", version_line("pssp") + "\n");
    return 0;
  }
  if (words.front().starts_with('-')) {
    constexpr std::array<std::string_view, 2> options = {"--help", "--version"};
    throw Error(ErrorKind::usage,
                fmt::format("unknown option '{}' before the command{}", printable(words.front()),
                            did_you_mean(words.front(), options)));
  }
  const bool is_family = is_command_family(words.front());
  if (is_family && (words.size() == 1 || words[1] == "--help" || words[1] == "-h")) {
    write_file("-", list_commands(folder, words.front()));
    return 0;
  }
  const ChosenCommand chosen = choose_command(words);
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(chosen.words));
  if (wants_help) words.emplace_back("--help");
  start_command(folder, *chosen.command, words);
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  return pssp::run_tool("pssp", [&] {
    return pssp::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  });
}
