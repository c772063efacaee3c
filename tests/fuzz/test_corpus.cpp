// Runs all fuzz targets on the inputs in corpus/TARGET/, which include past findings, on the
// samples of the tests of file formats, and on random changes of these, which are the same in each
// run. PSSP_FUZZ_MUTATIONS is the number of changes per target, and PSSP_FUZZ_SEED their seed.
// PSSP_FUZZ_KEEP is a folder for the last input of each target, which is needed if an input ends
// the program.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/random.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/targets.h"
#include "tests/source_folder.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// Fast targets get more changes: with sanitizers, each target takes at least half a second, and
/// all together less than a minute of processor time.
struct NamedTarget {
  const char* name;
  FuzzTarget run;
  std::uint64_t changes = 2'000;
};

constexpr std::array targets{
    NamedTarget{"cable_list", fuzz_cable_list},
    NamedTarget{"capacities", fuzz_capacities},
    NamedTarget{"congestion_parameters", fuzz_congestion_parameters},
    NamedTarget{"coordinates", fuzz_coordinates, 8'000},
    NamedTarget{"dot", fuzz_dot},
    NamedTarget{"fabric_input", fuzz_fabric_input},
    NamedTarget{"fault_list", fuzz_fault_list},
    NamedTarget{"goal_binary", fuzz_goal_binary, 8'000},
    NamedTarget{"goal_text", fuzz_goal_text, 8'000},
    NamedTarget{"groups", fuzz_groups, 5'000},
    NamedTarget{"host_file", fuzz_host_file, 4'000},
    NamedTarget{"host_list", fuzz_host_list, 12'000},
    NamedTarget{"ibdiagnet_database", fuzz_ibdiagnet_database},
#ifdef PSSP_FUZZ_MONITOR
    NamedTarget{"http_request", fuzz_http_request, 5'000},
    NamedTarget{"job_plan", fuzz_job_plan, 3'000},
    NamedTarget{"jobs", fuzz_jobs},
    NamedTarget{"mads", fuzz_mads},
    NamedTarget{"maintenance", fuzz_maintenance, 16'000},
    NamedTarget{"monitor_configuration", fuzz_monitor_configuration, 4'000},
    NamedTarget{"samples", fuzz_samples, 20'000},
    NamedTarget{"saved_counters", fuzz_saved_counters},
    NamedTarget{"thresholds", fuzz_thresholds, 30'000},
#endif
#ifdef PSSP_FUZZ_WIRE
    NamedTarget{"saved_settings", fuzz_saved_settings},
#endif
    NamedTarget{"key_file", fuzz_key_file, 3'000},
    NamedTarget{"node_types", fuzz_node_types},
    NamedTarget{"lft", fuzz_lft},
    NamedTarget{"node_name_map", fuzz_node_name_map, 30'000},
    NamedTarget{"node_ordering", fuzz_node_ordering, 8'000},
    NamedTarget{"omnet_network", fuzz_omnet_network},
    NamedTarget{"omnet_tables", fuzz_omnet_tables, 5'000},
    NamedTarget{"opensm_log", fuzz_opensm_log, 6'000},
    NamedTarget{"option_values", fuzz_option_values, 4'000},
    NamedTarget{"pairs", fuzz_pairs, 20'000},
    NamedTarget{"pattern_file", fuzz_pattern_file, 30'000},
    NamedTarget{"plugin_options", fuzz_plugin_options, 3'000},
    NamedTarget{"rates", fuzz_rates, 20'000},
    NamedTarget{"routing_state", fuzz_routing_state},
    NamedTarget{"service_levels", fuzz_service_levels, 20'000},
    NamedTarget{"sl_to_vl", fuzz_sl_to_vl, 30'000},
    NamedTarget{"subnet_list", fuzz_subnet_list},
    NamedTarget{"topology", fuzz_topology},
    NamedTarget{"traffic", fuzz_traffic, 5'000},
    NamedTarget{"trials", fuzz_trials, 30'000},
    NamedTarget{"ufm_answers", fuzz_ufm_answers},
    NamedTarget{"write_order", fuzz_write_order, 16'000},
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

std::uint64_t wanted(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

/// The reason why the target refuses the input; none if it accepts it.
std::optional<std::string> refusal(const NamedTarget& target, const std::string& input) {
  try {
    target.run(input);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// The inputs that are changed: the corpus of the target, and the samples that it accepts.
std::vector<std::string> seeds_of(const NamedTarget& target) {
  std::vector<std::string> seeds;
  for (const auto& file : files_in(tests_folder() / "fuzz" / "corpus" / target.name)) {
    seeds.push_back(read_file(file));
  }
  for (const auto& file : files_in(tests_folder() / "fabric" / "formats" / "golden")) {
    if (std::filesystem::file_size(file) > longest_mutation) continue;
    std::string sample = read_file(file);
    if (!refusal(target, sample)) seeds.push_back(std::move(sample));
  }
  // The order of files in a folder is unspecified.
  std::ranges::sort(seeds);
  return seeds;
}

void run_changed(const NamedTarget& target, std::uint64_t count, std::uint64_t seed) {
  const std::vector<std::string> seeds = seeds_of(target);
  REQUIRE_FALSE(seeds.empty());
  const char* const kept = std::getenv("PSSP_FUZZ_KEEP");
  RandomGenerator random(seed, 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string input =
        mutated(seeds[random.below(static_cast<std::uint32_t>(seeds.size()))], seeds, random);
    if (kept != nullptr) {
      std::ofstream(std::filesystem::path(kept) / target.name, std::ios::binary) << input;
    }
    INFO("target " << target.name << ", PSSP_FUZZ_SEED=" << seed << ", change " << i << ":\n"
                   << input);
    REQUIRE_NOTHROW(run_fuzz_target(target.run, input));
  }
}

}  // namespace

TEST_CASE("every input of the corpus is refused or read without a finding") {
  for (const NamedTarget& target : targets) {
    for (const auto& file : files_in(tests_folder() / "fuzz" / "corpus" / target.name)) {
      replay(target, file);
    }
  }
}

TEST_CASE("every folder of the corpus belongs to a target") {
  for (const auto& entry :
       std::filesystem::directory_iterator(tests_folder() / "fuzz" / "corpus")) {
    const std::string name = entry.path().filename().string();
    INFO(name);
    CHECK(std::filesystem::exists(tests_folder() / "fuzz" / ("fuzz_" + name + ".cpp")));
  }
}

// Changes of a refused input would not get far into a reader.
TEST_CASE("every target accepts at least one of the inputs that are changed") {
  for (const NamedTarget& target : targets) {
    std::optional<std::string> refused = "there are no seeds";
    for (const std::string& seed : seeds_of(target)) {
      if (!(refused = refusal(target, seed))) break;
    }
    INFO("target " << target.name << ": " << refused.value_or(""));
    CHECK_FALSE(refused.has_value());
  }
}

TEST_CASE("every target refuses or reads the samples of all formats without a finding") {
  for (const char* const folder : {"golden", "bad_inputs"}) {
    for (const auto& file : files_in(tests_folder() / "fabric" / "formats" / folder)) {
      for (const NamedTarget& target : targets) replay(target, file);
    }
  }
}

// Divided into parts that can run in parallel.
TEMPLATE_TEST_CASE_SIG("every target refuses or reads almost valid inputs without a finding", "",
                       ((std::size_t part), part), 0, 1, 2, 3) {
  constexpr std::size_t parts = 4;
  for (std::size_t i = part; i < targets.size(); i += parts) {
    run_changed(targets[i], wanted("PSSP_FUZZ_MUTATIONS", targets[i].changes),
                wanted("PSSP_FUZZ_SEED", 1));
  }
}
