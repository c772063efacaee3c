#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "base/error.h"
#include "evaluator/parallel/processes.h"

// The scripts tests/tools/*/test_several_processes.sh test several processes under mpirun.

TEST_CASE("a single process is the first and does all the work") {
  const pssp::Processes alone;
  CHECK(alone.is_first());
  CHECK(alone.count() == 1);
  const pssp::Share share = alone.share(17);
  CHECK(share.first == 0);
  CHECK(share.count == 17);
  CHECK(alone.gather(std::vector<int>{3, 1, 2}) == std::vector<int>{3, 1, 2});
  std::vector<std::uint64_t> numbers{1, 2};
  alone.add_up(numbers);
  CHECK(numbers == std::vector<std::uint64_t>{1, 2});
  std::map<double, std::uint64_t> histogram{{1.5, 2}};
  alone.add_up(histogram);
  CHECK(histogram == std::map<double, std::uint64_t>{{1.5, 2}});
}

TEST_CASE("a single process rethrows errors of its work") {
  pssp::Processes alone;
  CHECK(alone.together([] { return 7; }) == 7);
  CHECK_THROWS_AS(
      alone.together([]() -> int { throw pssp::Error(pssp::ErrorKind::usage, "wrong"); }),
      pssp::Error);
}
