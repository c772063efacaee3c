#pragma once

// The command line of cc_params (docs/reference/cc-params.md).

#include <cstdint>
#include <optional>
#include <string>

namespace pssp {

struct CcParamsOptions {
  enum class Command : std::uint8_t { list, check, explain, print, emit_opensm_conf, diff };

  Command command = Command::list;
  std::string set, other;    ///< profiles or parameter files; `other` for diff
  std::string output = "-";  ///< of print and emit_opensm_conf
  unsigned capacity = 0;     ///< blocks of 64 table entries, for check; 0: not asked for
  bool json = false;
  bool all_entries = false;
};

/// Nothing when --help or --version was answered. Throws Error(usage).
std::optional<CcParamsOptions> parse_cc_params_options(int argc, char** argv);

}  // namespace pssp
