// Refusal of outputs that would overwrite an input or another output under any name.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/output_targets.h"

using namespace pssp;
namespace fs = std::filesystem;

namespace {

/// An empty folder that is removed with the object.
struct Scratch {
  fs::path folder = fs::temp_directory_path() / "pssp_test_output_targets";
  Scratch() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(folder); }
  std::string operator/(const char* name) const { return folder / name; }
};

std::string refusal(const OutputTargets& positions) {
  try {
    positions.require_separate();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

std::string refused_pair(const std::string& input, const std::string& output) {
  OutputTargets positions;
  positions.add_input("IN", input);
  positions.add_output("--output", output);
  return refusal(positions);
}

std::string refused_outputs(const std::string& first, const std::string& second) {
  OutputTargets positions;
  positions.add_output("--output", first);
  positions.add_output("--csv", second);
  return refusal(positions);
}

}  // namespace

TEST_CASE("an output that is also an input is refused under any name") {
  const Scratch scratch;
  std::ofstream(scratch / "in") << "x";
  fs::create_symlink("in", scratch / "symbolic");
  fs::create_hard_link(scratch / "in", scratch / "hard");
  for (const char* name : {"in", "./in", "symbolic", "hard"}) {
    INFO(name);
    CHECK_THAT(refused_pair(scratch / "in", scratch / name),
               Catch::Contains("would be overwritten"));
  }
  CHECK(refused_pair(scratch / "in", scratch / "out").empty());
  CHECK(refused_pair("-", "-").empty());
  CHECK(refused_pair("/dev/null", "/dev/null").empty());
  OutputTargets positions;
  positions.add_replaceable_input("--stable", scratch / "in");
  positions.add_output("--output", scratch / "in");
  CHECK(refusal(positions).empty());
}

TEST_CASE("two outputs to the same file are refused, whether the file exists or not") {
  const Scratch scratch;
  std::ofstream(scratch / "there") << "x";
  fs::create_directory_symlink(scratch.folder, scratch / "folder");
  fs::create_symlink("later", scratch / "dangling");
  CHECK_THAT(refused_outputs("-", "-"), Catch::Contains("standard output would be written twice"));
  CHECK_THAT(refused_outputs(scratch / "there", scratch / "./there"), Catch::Contains("twice"));
  CHECK_THAT(refused_outputs(scratch / "later", scratch / "folder/later"),
             Catch::Contains("twice"));
  CHECK_THAT(refused_outputs(scratch / "later", scratch / "dangling"), Catch::Contains("twice"));
  CHECK(refused_outputs(scratch / "one", scratch / "two").empty());
  CHECK(refused_outputs("/dev/null", "/dev/null").empty());
  CHECK_THAT(refused_outputs(scratch / "one", ""), Catch::Contains("empty"));
}

TEST_CASE("two inputs from standard input are refused") {
  OutputTargets positions;
  positions.add_input("FILE", "-");
  positions.require_separate();
  positions.add_input("--pairs", "-");
  CHECK_THAT(refusal(positions), Catch::Contains("standard input"));
}

TEST_CASE("a cycle of symbolic links is not reported as an output conflict") {
  const Scratch scratch;
  fs::create_symlink("circle", scratch / "circle");
  CHECK(refused_outputs(scratch / "circle", scratch / "other").empty());
}
