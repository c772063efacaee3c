#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "fabric/formats/service_level_file.h"
#include "osm_plugin/level_dump.h"
#include "routing/engines/engine.h"
#include "tests/temporary_folder.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

struct Scene {
  test::TemporaryFolder folder;
  Fabric fabric = make_fabric("k-ary-n-tree 2 2");
  ServiceLevels levels = level_zero(make_engine("pssp", {})->route(fabric).tables);
};

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a service level dump is written, read back and removed") {
  const Scene scene;
  const fs::path path = scene.folder / "levels";
  LevelDump dump(path);
  CHECK(dump.write(scene.fabric, scene.levels).empty());
  CHECK_THAT(content(path), Catch::StartsWith(std::string(service_level_mark)));
  CHECK(match_service_levels(read_service_levels(path), scene.fabric).row(SwitchId(0)).size() ==
        scene.levels.row(SwitchId(0)).size());
  const auto messages = dump.remove("another engine has routed");
  REQUIRE(messages.size() == 1);
  CHECK_FALSE(messages[0].is_error());
  CHECK(messages[0].text ==
        "service_level_dump " + path.string() + " was removed: another engine has routed");
  CHECK_FALSE(fs::exists(path));
  CHECK(dump.remove("another engine has routed").empty());
}

TEST_CASE("without a path, no dump is written or removed") {
  const Scene scene;
  LevelDump dump({});
  CHECK(dump.write(scene.fabric, scene.levels).empty());
  CHECK(dump.remove("x").empty());
}

TEST_CASE("a path that is not a dump is neither removed nor overwritten, and is reported once") {
  const Scene scene;
  const fs::path text = scene.folder / "text";
  std::ofstream(text) << "my notes\n";
  const fs::path fifo = scene.folder / "fifo";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const fs::path folder = scene.folder / "folder";
  fs::create_directory(folder);
  for (const fs::path& path : {text, fifo, folder}) {
    LevelDump dump(path);
    const auto messages = dump.remove("another engine has routed");
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].is_error());
    CHECK_THAT(messages[0].text, Contains(path.string()) && Contains("not removed"));
    CHECK(dump.remove("another engine has routed").empty());
    CHECK(fs::exists(fs::symlink_status(path)));
    const auto refused = dump.write(scene.fabric, scene.levels);
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].is_error());
  }
  CHECK(content(text) == "my notes\n");
}

TEST_CASE("a dump that cannot be replaced is removed because it is out of date") {
  const Scene scene;
  const fs::path path = scene.folder / "levels";
  LevelDump dump(path);
  REQUIRE(dump.write(scene.fabric, scene.levels).empty());
  // All names for temporary files are taken, which simulates a full disk.
  for (unsigned i = 0; i < 100; ++i) {
    fs::create_directory(path.string() + "." + std::to_string(getpid()) + "-" + std::to_string(i) +
                         ".tmp");
  }
  const auto messages = dump.write(scene.fabric, scene.levels);
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].is_error());
  CHECK_THAT(messages[0].text, Contains("service_level_dump is not written: cannot write"));
  CHECK_FALSE(messages[1].is_error());
  CHECK_THAT(messages[1].text, Contains("was removed: the service levels have changed"));
  CHECK_FALSE(fs::exists(path));
}
