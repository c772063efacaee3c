#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/child_process.h"
#include "base/error.h"

using namespace pssp;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

ChildSetup shell(const std::string& script) {
  return {.arguments = {"/bin/sh", "-c", script}, .variable = "PSSP_TEST=%s"};
}

std::string said_by(const std::string& script) {
  const ProgramAnswer answer = run_program(shell(script));
  CHECK(answer.failure.empty());
  return answer.output;
}

std::string failure_of(const std::string& script) { return run_program(shell(script)).failure; }

/// Message of the error from run_program() if the program exceeds its time or its output limit;
/// empty if it does not.
std::string refusal(const std::string& script, std::chrono::milliseconds time_out,
                    std::size_t most_output = 1'000'000) {
  try {
    run_program(shell(script), {}, {time_out, most_output});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    return error.what();
  }
  return {};
}

int status_of(pid_t child) {
  for (;;) {
    if (const std::optional<int> status = child_status(child)) return *status;
    std::this_thread::sleep_for(1ms);
  }
}

/// Waits up to about 5 s until no process has this ID. A zombie still has its ID.
bool is_gone(pid_t id) {
  for (int i = 0; i < 5'000; ++i) {
    if (kill(id, 0) != 0 && errno == ESRCH) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

}  // namespace

TEST_CASE("run_program passes input and output of any size") {
  std::string input;
  for (int i = 0; i < 3'000'000; ++i) input += static_cast<char>(i * 31);
  CHECK(run_program({.arguments = {"cat"}}, input).output == input);
  CHECK(run_program({.arguments = {"cat"}}).output.empty());
  // A program that never reads its input.
  CHECK(run_program({.arguments = {"true"}}, input).failure.empty());
  // No shell splits or expands the argument.
  CHECK(run_program({.arguments = {"printf", "%s", "a b $(c) 'd'"}}).output == "a b $(c) 'd'");
  CHECK(said_by("head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2").size() ==
        300'000);
}

TEST_CASE("a program inherits the environment, with one variable added or replaced") {
  CHECK(said_by("printf '%s|' \"$PSSP_TEST\"; cat; echo end") == "%s|end\n");
  setenv("PSSP_TEST", "ours", 1);
  setenv("PSSP_TESTED", "stays", 1);
  CHECK(said_by("env | grep -c ^PSSP_TEST=; echo $PSSP_TEST $PSSP_TESTED") == "1\n%s stays\n");
  CHECK(run_program({.arguments = {"sh", "-c", "echo $PSSP_TEST"}}).output == "ours\n");
  unsetenv("PSSP_TEST");
  unsetenv("PSSP_TESTED");
}

TEST_CASE("run_program reports a program that cannot be started") {
  for (const char* const name : {"/no/such/program", "no-such-program-here", "/dev/null"}) {
    try {
      run_program({.arguments = {name}});
      FAIL("it was started");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::missing_program);
      CHECK_THAT(error.what(), Contains("cannot start the program '" + std::string(name) + "'"));
    }
  }
}

TEST_CASE("a failed program is reported with its name, exit code and last error output") {
  CHECK(failure_of("echo no \"$(printf '\\033')\" controller >&2; exit 3") ==
        "the program '/bin/sh' failed with code 3: no   controller");
  CHECK(failure_of("kill -9 $$") ==
        "the program '/bin/sh' was terminated by signal 9: no error output");
  CHECK_THAT(failure_of("exit 200"), Contains("failed with code 200"));
  CHECK_THAT(failure_of("yes 2>/dev/null | head -c 200000 >&2; echo end >&2; exit 1"),
             Catch::EndsWith("end"));
}

TEST_CASE("run_program ends and reports a program that exceeds its time or its output limit") {
  CHECK(refusal("echo waiting >&2; sleep 100", 200ms) ==
        "the program '/bin/sh' did not end within 200 ms and was terminated: waiting");
  // A program that closes its output and continues, and one whose child keeps the output open.
  CHECK(!refusal("exec >&- 2>&-; sleep 100", 100ms).empty());
  CHECK(!refusal("sleep 100 & exit 0", 100ms).empty());
  CHECK(refusal("while :; do echo yes; done", 10s, 10'000) ==
        "the program '/bin/sh' wrote more than 10000 bytes of output and was terminated");
  CHECK_THROWS_AS(
      run_program({.arguments = {"/bin/sleep", "100"}}, {}, {}, StopSignal([] { return true; })),
      Stopped);
}

TEST_CASE("run_program also ends the children of the program") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  // The script writes the process ID of its child into a pipe of this test.
  const std::string script = "sleep 100 & echo $! >&" + std::to_string(ends[1]) + "; sleep 100";
  CHECK(!refusal(script, 300ms).empty());
  close(ends[1]);
  std::string number(32, '\0');
  const ssize_t size = read(ends[0], number.data(), number.size());
  close(ends[0]);
  REQUIRE(size > 0);
  CHECK(is_gone(std::atoi(number.c_str())));
}

TEST_CASE("start_child sets the specified streams and restores default signal handling") {
  sigset_t term;
  sigset_t before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  sigprocmask(SIG_BLOCK, &term, &before);
  const auto handler = std::signal(SIGHUP, SIG_IGN);
  for (const int signal : {SIGTERM, SIGHUP}) {
    const pid_t child = start_child(shell("kill -" + std::to_string(signal) + " $$; exit 0"));
    CHECK(status_of(child) == 128 + signal);
  }
  static_cast<void>(std::signal(SIGHUP, handler));
  sigprocmask(SIG_SETMASK, &before, nullptr);
  // Standard input and output are /dev/null.
  ChildSetup setup = shell("cat; echo unheard; exit 7");
  setup.input = setup.output = ChildSetup::no_stream;
  CHECK(status_of(start_child(setup)) == 7);
}

TEST_CASE("start_child can start a process group or a session, and otherwise stays in ours") {
  const auto ids = [](bool group, bool session) {
    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
    const pid_t child =
        start_child({.arguments = {"cut", "-d", " ", "-f", "1,5,6", "/proc/self/stat"},
                     .output = ends[1],
                     .is_group_leader = group,
                     .is_session_leader = session});
    close(ends[1]);
    std::string text(64, '\0');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], text.data(), 64))));
    close(ends[0]);
    CHECK(status_of(child) == 0);
    return std::pair{std::to_string(child), text};
  };
  const std::string our_session = std::to_string(getsid(0));
  const std::string our_group = std::to_string(getpgrp());
  const auto [plain, of_plain] = ids(false, false);
  CHECK(of_plain == plain + " " + our_group + " " + our_session + "\n");
  const auto [leader, of_leader] = ids(true, false);
  CHECK(of_leader == leader + " " + leader + " " + our_session + "\n");
  const auto [head, of_head] = ids(false, true);
  CHECK(of_head == head + " " + head + " " + head + "\n");
}
