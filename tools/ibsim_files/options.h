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
  unsigned lid = 0;                  ///< add_entries, as what follows
  std::string ports, discovered;
  std::string output = "-";
  std::string log;  ///< keep_last
};

/// Nothing when --help or --version was answered. Throws Error(usage).
std::optional<IbsimFilesOptions> parse_ibsim_files_options(int argc, char** argv);

}  // namespace pssp
