// How programs find the files of their build or installation.

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/installation.h"
#include "tests/temporary_folder.h"

using namespace pssp;

TEST_CASE("the prefix of a build or an installation follows from the path of a program") {
  CHECK(installation_of("/work/build/bin/route_lft") == "/work/build");
  CHECK(installation_of("/usr/bin/pssp") == "/usr");
  CHECK(installation_of("/opt/a b/libexec/pssp/route_lft") == "/opt/a b");
  CHECK(installation_of("/libexec/other/route_lft") == "/libexec");
}

TEST_CASE("pssp runs the programs of its own build or installation") {
  const test::TemporaryFolder prefix;
  const std::filesystem::path pssp = prefix.path() / "bin" / "pssp";
  CHECK(folder_of_programs(pssp) == prefix.path() / "bin");
  std::filesystem::create_directories(prefix.path() / "libexec" / "pssp");
  CHECK(folder_of_programs(pssp) == prefix.path() / "libexec" / "pssp");
}
