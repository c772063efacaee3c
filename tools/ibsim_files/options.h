#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pssp {

struct IbsimFilesOptions {
  enum class Command : std::uint8_t { playable, lost_entries, add_entries, keep_last };
  Command command = Command::playable;
  std::string topology, copy, host;  ///< playable
  std::string dump;                  ///< lost_entries, add_entries
  unsigned lid = 0;                  ///< for add_entries, like the following
  std::string ports, discovered;
  std::string output = "-";
  std::string log;  ///< keep_last
};

/// None if --help or --version was printed. Throws Error(usage).
std::optional<IbsimFilesOptions> parse_ibsim_files_options(int argc, char** argv);

}  // namespace pssp
