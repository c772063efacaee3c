// The command reaches the program as argv[0], from which tools/kit takes the name for messages.

#include "tools/pssp/start.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "tools/launch/was_launched.h"

namespace pssp {

void start_command(const std::filesystem::path& folder, const PsspCommand& command,
                   std::span<const std::string> arguments) {
  std::filesystem::path program = folder / command.program;
  std::filesystem::path with_mpi = program;
  with_mpi += "-mpi";
  std::error_code ignored;
  if (was_launched() && std::filesystem::exists(with_mpi, ignored)) program = with_mpi;

  std::string name = fmt::format("pssp {}", command.name);
  std::vector<std::string> words(arguments.begin(), arguments.end());
  std::vector<char*> argv{name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  const std::error_code error(errno, std::generic_category());
  throw Error(ErrorKind::missing_program,
              fmt::format("cannot start {}, the program of `{}`: {}; install or build it "
                          "(docs/how-to/install.md)",
                          program.string(), name, error.message()));
}

}  // namespace pssp
