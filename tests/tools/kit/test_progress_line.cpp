#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/temporary_file.h"
#include "tools/kit/progress_line.h"

using namespace pssp;

namespace {

/// Redirects stderr to a file while `work` runs, and returns the content of the file.
template <class Work>
std::string said_into_a_file(Work work) {
  const test::TemporaryFile file("");
  const int before = dup(STDERR_FILENO);
  const int instead = open(file.path().c_str(), O_WRONLY | O_CLOEXEC);
  REQUIRE(dup2(instead, STDERR_FILENO) == STDERR_FILENO);
  work();
  static_cast<void>(std::fflush(stderr));
  dup2(before, STDERR_FILENO);
  close(before);
  close(instead);
  std::ifstream stream(file.path());
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("progress: without a terminal, whole lines are written at long intervals") {
  const std::string often = said_into_a_file([] {
    ProgressLine line("work", std::chrono::milliseconds(0));
    line.update(0, 4);
    line.update(1, 4);
    line.update(4, 4);
  });
  CHECK(often == "work: 25 %, 0 s left\nwork: 100 %, 0 s left\n");
  CHECK(said_into_a_file([] {
          ProgressLine line("work");
          line.update(1, 4);
        }).empty());
}
