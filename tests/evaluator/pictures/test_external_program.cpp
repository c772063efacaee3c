#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "evaluator/pictures/external_program.h"

namespace {

using namespace pssp;
using Catch::Matchers::Contains;

std::string failure(const std::vector<std::string>& arguments) {
  try {
    run_program(arguments, "", "the-package");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::output);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a program gets its input and gives its output, whatever their size") {
  std::string input;
  for (int i = 0; i < 3'000'000; ++i) input += static_cast<char>(i * 31);
  CHECK(run_program({"cat"}, input, "coreutils") == input);
  CHECK(run_program({"cat"}, "", "coreutils").empty());
  CHECK(run_program({"true"}, input, "coreutils").empty());  // never reads it
  // An argument is one argument, whatever is in it.
  CHECK(run_program({"printf", "%s", "a b $(c) 'd'"}, "", "coreutils") == "a b $(c) 'd'");
}

TEST_CASE("a program that is missing or fails is an error that says so") {
  CHECK_THAT(failure({"no-such-program-here"}),
             Contains("'no-such-program-here' cannot be started") &&
                 Contains("apt-get install the-package"));
  CHECK_THAT(failure({"sh", "-c", "echo it is broken >&2; exit 3"}),
             Contains("code 3") && Contains("it is broken"));
  CHECK_THAT(failure({"sh", "-c", "yes 2>/dev/null | head -c 200000 >&2; echo end >&2; exit 1"}),
             Contains("end"));
  CHECK_THAT(failure({"false"}), Contains("gave no reason"));
  CHECK_THAT(failure({"sh", "-c", "kill -9 $$"}), Contains("signal 9"));
}
