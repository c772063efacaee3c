#pragma once

// The command line of dry_run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct DryRunOptions {
  std::vector<std::string> engines;             ///< each as for opensm's -R; several: a comparison
  bool is_named = false;                        ///< an engine was specified
  std::string topology;                         ///< empty: a fabric like the CHiC cluster
  std::string out;                              ///< empty: a new folder
  std::optional<std::uint64_t> patterns, seed;  ///< none: eval_lft's defaults
  std::vector<std::string> settings;            ///< NAME=VALUE, of the plugin's engines
  std::string configuration;                    ///< file with lines for opensm.conf
  std::optional<unsigned> timeout;  ///< seconds; none: depends on the size of the fabric
  bool json = false;
  std::vector<std::string> opensm_options;  ///< after --

  bool is_comparison() const { return engines.size() > 1; }
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<DryRunOptions> parse_dry_run_options(int argc, const char* const* argv);

}  // namespace pssp
