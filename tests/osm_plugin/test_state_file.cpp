#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "fabric/fabric_digest.h"
#include "osm_plugin/state_file.h"
#include "routing/engines/engine.h"
#include "tests/temporary_folder.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("a state file is used only for the same engine, options and fabric") {
  const test::TemporaryFolder folder;
  const Fabric mesh = make_fabric("mesh 3x3");
  const std::vector<Guid> switches = switch_guids(mesh);
  const ForwardingTables tables = make_engine("pssp", {})->route(mesh).tables;
  const RoutingStateView view{{1, 1}, digest_of(mesh), switches, tables, nullptr, nullptr};
  std::string said;
  std::vector<std::string> failures;
  const auto report = [&](const std::string& reason) { failures.push_back(reason); };
  // The destructor of StateFile waits until the file is written.
  const auto keep = [&](const RoutingStateView& each) {
    StateFile(folder.path(), "pssp", {1, 1}, report).keep(each);
  };
  StateFile file(folder.path(), "pssp", {1, 1}, report);
  CHECK_FALSE(file.take(mesh, said));
  CHECK(said.empty());
  keep(view);
  // Only the first call of take() reads the file.
  CHECK_FALSE(file.take(mesh, said));
  CHECK(said.empty());

  const auto take = [&](std::string_view engine, DigestValue options, const Fabric& fabric) {
    said.clear();
    return StateFile(folder.path(), engine, options).take(fabric, said);
  };
  const auto taken = take("pssp", {1, 1}, mesh);
  REQUIRE(taken);
  CHECK(taken->tables == tables);
  CHECK_THAT(said, Contains("restored the tables of 9 switches") && Contains("pssp.state"));
  CHECK(take("pssp", {1, 1}, make_fabric("mesh 3x3 --kill-links 1")));
  CHECK_FALSE(take("best", {1, 1}, mesh));
  CHECK(said.empty());
  CHECK_FALSE(take("pssp", {1, 2}, mesh));
  CHECK_THAT(
      said,
      Contains("is ignored, and many paths can change: the options of the engine have changed"));
  const std::vector<Guid> others{901, 902, 903, 904, 905, 906, 907, 908, 909};
  keep({{1, 1}, {5, 6}, others, tables, nullptr, nullptr});
  CHECK_FALSE(take("pssp", {1, 1}, mesh));
  CHECK_THAT(said,
             Contains("it belongs to another fabric: none of its 9 switches is in this fabric"));
  keep(view);

  const fs::path path = folder / "osmpssp-pssp.state";
  fs::resize_file(path, fs::file_size(path) - 1);
  CHECK_FALSE(take("pssp", {1, 1}, mesh));
  CHECK_THAT(said, Contains("it is damaged"));
  keep(view);
  CHECK(take("pssp", {1, 1}, mesh));

  // A power failure can leave zeros instead of the content, or only its beginning.
  for (const std::string& left :
       {std::string(5000, '\0'), std::string(7, '\0'), std::string("osmp")}) {
    std::ofstream(path, std::ios::binary) << left;
    CHECK_FALSE(take("pssp", {1, 1}, mesh));
    CHECK_THAT(said, Contains("is ignored") && Contains("it is damaged"));
    keep(view);
    CHECK(take("pssp", {1, 1}, mesh));
  }

  // A file that the plugin has not written is neither used nor overwritten, which is reported once.
  std::ofstream(path) << "my notes";
  CHECK_FALSE(take("pssp", {1, 1}, mesh));
  CHECK_THAT(said, Contains("this plugin did not write it; remove it"));
  CHECK(failures.empty());
  {
    StateFile twice(folder.path(), "pssp", {1, 1}, report);
    twice.keep(view);
    twice.keep(view);
  }
  REQUIRE(failures.size() == 1);
  CHECK_THAT(failures.front(), Contains("this plugin did not write it"));
  CHECK(fs::file_size(path) == 8);

  StateFile nowhere("", "pssp", {1, 1});
  nowhere.keep(view);
  CHECK_FALSE(nowhere.take(mesh, said));
}

TEST_CASE("touching the request file requests one new baseline") {
  const test::TemporaryFolder folder;
  const fs::path asking = folder / "osmpssp-pssp.rebaseline";
  StateFile file(folder.path(), "pssp", {1, 1});
  CHECK(file.asking_file() == asking);
  CHECK_FALSE(file.is_new_baseline_asked());
  std::ofstream(asking) << "";
  CHECK(file.is_new_baseline_asked());
  CHECK_FALSE(file.is_new_baseline_asked());
  fs::last_write_time(asking, fs::last_write_time(asking) + std::chrono::seconds(1));
  CHECK(file.is_new_baseline_asked());
  // A file that existed before, or is removed, requests nothing.
  CHECK_FALSE(StateFile(folder.path(), "pssp", {1, 1}).is_new_baseline_asked());
  fs::remove(asking);
  CHECK_FALSE(file.is_new_baseline_asked());
  CHECK_FALSE(StateFile("", "pssp", {1, 1}).is_new_baseline_asked());
}
