#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "base/error.h"
#include "evaluator/parallel/processes.h"

// What several processes do together is tested with mpirun (mpi_test.sh).

TEST_CASE("a process alone has all to do and is first") {
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

TEST_CASE("what fails in a process alone is thrown on") {
  pssp::Processes alone;
  CHECK(alone.together([] { return 7; }) == 7);
  CHECK_THROWS_AS(
      alone.together([]() -> int { throw pssp::Error(pssp::ErrorKind::usage, "wrong"); }),
      pssp::Error);
}
