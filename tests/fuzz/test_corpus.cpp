// All fuzz targets on the inputs that once were findings (corpus/TARGET/), and on the samples of
// the tests of the formats.

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file_io.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/source_folder.h"

using namespace pssp;
using namespace pssp::test;

namespace {

struct NamedTarget {
  const char* name;
  FuzzTarget run;
};

constexpr std::array targets{
    NamedTarget{"capacities", fuzz_capacities},
    NamedTarget{"congestion_parameters", fuzz_congestion_parameters},
    NamedTarget{"coordinates", fuzz_coordinates},
    NamedTarget{"dot", fuzz_dot},
    NamedTarget{"fabric_input", fuzz_fabric_input},
#ifdef PSSP_FUZZ_MONITOR
    NamedTarget{"host_list", fuzz_host_list},
    NamedTarget{"http_request", fuzz_http_request},
    NamedTarget{"jobs", fuzz_jobs},
    NamedTarget{"monitor_configuration", fuzz_monitor_configuration},
    NamedTarget{"samples", fuzz_samples},
#endif
    NamedTarget{"kinds", fuzz_kinds},
    NamedTarget{"lft", fuzz_lft},
    NamedTarget{"node_name_map", fuzz_node_name_map},
    NamedTarget{"node_ordering", fuzz_node_ordering},
    NamedTarget{"omnet_network", fuzz_omnet_network},
    NamedTarget{"omnet_tables", fuzz_omnet_tables},
    NamedTarget{"option_values", fuzz_option_values},
    NamedTarget{"pairs", fuzz_pairs},
    NamedTarget{"pattern_file", fuzz_pattern_file},
    NamedTarget{"plugin_options", fuzz_plugin_options},
    NamedTarget{"service_levels", fuzz_service_levels},
    NamedTarget{"subnet_list", fuzz_subnet_list},
    NamedTarget{"topology", fuzz_topology},
    NamedTarget{"traffic", fuzz_traffic},
};

std::filesystem::path tests_folder() { return source_folder() / "tests"; }

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

void replay(const NamedTarget& target, const std::filesystem::path& file) {
  INFO("target " << target.name << ", file " << file);
  CHECK_NOTHROW(run_fuzz_target(target.run, read_file(file)));
}

}  // namespace

TEST_CASE("Past findings stay what they are now: refused, or taken as they should be") {
  for (const NamedTarget& target : targets) {
    for (const auto& file : files_in(tests_folder() / "fuzz" / "corpus" / target.name)) {
      replay(target, file);
    }
  }
}

TEST_CASE("Every folder of past findings belongs to a target") {
  for (const auto& entry :
       std::filesystem::directory_iterator(tests_folder() / "fuzz" / "corpus")) {
    const std::string name = entry.path().filename().string();
    INFO(name);
    CHECK(std::any_of(targets.begin(), targets.end(),
                      [&name](const NamedTarget& target) { return target.name == name; }));
  }
}

TEST_CASE("Every target takes the samples of all formats, its own and those of others") {
  for (const char* const folder : {"golden", "bad_inputs"}) {
    for (const auto& file : files_in(tests_folder() / "fabric" / "formats" / folder)) {
      for (const NamedTarget& target : targets) replay(target, file);
    }
  }
}
