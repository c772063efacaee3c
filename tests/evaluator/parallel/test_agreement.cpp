// Several processes: tests/tools/eval_lft/test_several_processes.sh.

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "evaluator/parallel/agreement.h"
#include "evaluator/parallel/digest.h"

using namespace pssp;

namespace {

std::uint64_t digest_of(const std::vector<std::uint64_t>& numbers) {
  Digest digest;
  for (const std::uint64_t number : numbers) digest.add(number);
  return digest.value();
}

}  // namespace

TEST_CASE("digests tell order, number and boundaries apart") {
  CHECK(digest_of({1, 2}) == digest_of({1, 2}));
  CHECK(digest_of({1, 2}) != digest_of({2, 1}));
  CHECK(digest_of({}) != digest_of({0}));
  CHECK(digest_of({0}) != digest_of({0, 0}));
  Digest joined, split;
  joined.add_text("ab");
  joined.add_text("");
  split.add_text("a");
  split.add_text("b");
  CHECK(joined.value() != split.value());
  Digest zero, half;
  zero.add_real(0.0);
  half.add_real(0.5);
  CHECK(zero.value() != half.value());
}

TEST_CASE("a single process agrees with itself") {
  Processes alone;
  const std::array claims{Claim{"other tables", 1}, Claim{"other options", 2}};
  CHECK_NOTHROW(require_agreement(alone, claims));
}
