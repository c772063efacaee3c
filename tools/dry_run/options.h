#pragma once

// The command line of dry_run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct DryRunOptions {
  std::vector<std::string> engines;  ///< each as opensm's -R takes it; several: a comparison
  bool is_named = false;             ///< an engine was asked for
  std::string topology;              ///< empty: one like the CHiC cluster is made
  std::string out;                   ///< empty: a new folder
  std::optional<std::uint64_t> patterns, seed;  ///< not given: eval_lft's own
  std::vector<std::string> settings;            ///< NAME=VALUE, of our engines
  std::string configuration;                    ///< file with lines for opensm.conf
  std::optional<unsigned> timeout;              ///< seconds; not given: by the size of the fabric
  bool json = false;
  std::vector<std::string> opensm_options;  ///< behind --

  bool is_comparison() const { return engines.size() > 1; }
};

/// Nothing when --help or --version was answered. Throws Error(usage). Opens no file.
std::optional<DryRunOptions> parse_dry_run_options(int argc, const char* const* argv);

}  // namespace pssp
