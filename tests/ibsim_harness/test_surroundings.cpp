#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "ibsim_harness/surroundings.h"
#include "tests/temporary_folder.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// Surroundings in which `sh` is the only program.
Surroundings bare(const TemporaryFolder& folder) {
  std::filesystem::create_symlink("/bin/sh", folder.path() / "sh");
  Surroundings surroundings;
  surroundings.environment["PATH"] = "/nonexistent:" + folder.path().string();
  surroundings.builds = {folder.path()};
  surroundings.build_was_named = true;
  return surroundings;
}

std::string refusal(const Surroundings& surroundings, const std::vector<Need>& needs) {
  try {
    surroundings.require(needs);
    return {};
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::missing_program);
    return error.what();
  }
}

}  // namespace

TEST_CASE("all missing programs are reported together, with each package and the reason") {
  const TemporaryFolder folder;
  const Surroundings surroundings = bare(folder);
  CHECK(refusal(surroundings, {{"sh", "dash", "nothing"}}).empty());
  CHECK(refusal(surroundings, {{"a", "both", "required"},
                               {"sh", "dash", "nothing"},
                               {"bin/eval_lft", "", "no report"},
                               {"b", "both", "pictures are left out"},
                               {"c", "bot", "all else"}}) ==
        "missing:\n"
        "    a of the Debian package both: required\n"
        "    bin/eval_lft of this build (cmake --build, or PSSP_BUILD_DIR): no report\n"
        "    b of the Debian package both: pictures are left out\n"
        "    c of the Debian package bot: all else\n"
        "  sudo apt-get install both bot (scripts/install_dependencies.sh installs all "
        "dependencies)");
  // A missing program of this build needs no package.
  CHECK(refusal(surroundings, {{"bin/eval_lft", "", "no report"}}).find("apt-get") ==
        std::string::npos);
}
