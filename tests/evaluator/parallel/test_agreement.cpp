// tests/tools/eval_lft/test_several_processes.sh tests agreement between several processes.

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "evaluator/parallel/agreement.h"

using namespace pssp;

TEST_CASE("a single process agrees with itself") {
  Processes alone;
  const std::array claims{Claim{"other tables", {1, 2}}, Claim{"other options", {3, 4}}};
  CHECK_NOTHROW(require_agreement(alone, claims));
}
