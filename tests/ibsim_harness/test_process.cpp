// The tests use shell scripts as programs.

#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "base/error.h"
#include "base/file_io.h"
#include "ibsim_harness/process.h"
#include "tests/temporary_file.h"

using namespace pssp;
using std::chrono::seconds;

namespace {

Command shell(const std::string& script) {
  Command command;
  command.program = "/bin/sh";
  command.arguments = {"-c", script};
  command.environment = {{"PATH", "/usr/bin:/bin"}};
  return command;
}

}  // namespace

TEST_CASE("run_to_end() returns the exit status or signal of a program, and its peak memory") {
  const SignalQueue signals;
  CHECK(run_to_end(shell("exit 7"), signals)->status == 7);
  CHECK(run_to_end(shell("kill -9 $$"), signals)->status == 128 + SIGKILL);
  CHECK(run_to_end(shell("true"), signals)->peak_kib > 0);
}

TEST_CASE(
    "a program that exceeds its time is killed with its children even if it ignores SIGTERM") {
  const SignalQueue signals;
  const Clock::time_point begin = Clock::now();
  CHECK_FALSE(run_to_end(shell("trap '' TERM; sleep 100 & sleep 100"), signals, seconds(1)));
  CHECK(Clock::now() - begin < seconds(20));
}

TEST_CASE("a signal ends the wait and the program") {
  const SignalQueue signals;
  Process process(shell("sleep 100"), signals);
  raise(SIGTERM);
  try {
    process.wait(Clock::time_point::max());
    FAIL("the wait went on");
  } catch (const Interrupted& interrupted) {
    CHECK(interrupted.exit_code() == 143);
  }
  process.end();
  CHECK(process.ending()->status == 128 + SIGTERM);
}

TEST_CASE("a missing program is an error") {
  const SignalQueue signals;
  Command command;
  command.program = "/no/such/program";
  CHECK_THROWS_AS(run_to_end(command, signals), Error);
}
