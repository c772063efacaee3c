// Tests the limited size and the content of logs of programs.

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "ibsim_harness/bounded_log.h"
#include "ibsim_harness/process.h"
#include "tests/temporary_folder.h"

using namespace pssp;

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string logged(const std::string& script) {
  const test::TemporaryFolder folder;
  const SignalQueue signals;
  Command command;
  command.program = "/bin/sh";
  command.arguments = {"-c", script};
  command.environment["PATH"] = "/usr/bin:/bin";
  command.output = command.errors = folder.path() / "log";
  command.keeps_last_lines = true;
  const auto ending = run_to_end(command, signals);
  REQUIRE(ending);
  CHECK(ending->status == 3);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "log.part"));
  return text_of(folder.path() / "log");
}

}  // namespace

TEST_CASE("a short log is complete when its program has ended", "[harness]") {
  CHECK(logged("echo one; echo two >&2; printf three; exit 3") == "one\ntwo\nthree");
  CHECK(logged("exit 3").empty());
}

TEST_CASE("a long log keeps its last lines", "[harness]") {
  const std::string log = logged("seq 1 1000000; exit 3");  // 6.9 MB
  CHECK(log.size() <= static_cast<std::size_t>(longest_log));
  CHECK(log.size() >= static_cast<std::size_t>(kept_of_log) - 10);
  const std::string end = "999999\n1000000\n";
  CHECK(log.substr(log.size() - end.size()) == end);
  // The log begins at the start of a line and misses no line after it.
  const long first = std::stol(log);
  std::string wanted;
  for (long line = first; line <= 1'000'000; ++line) wanted += std::to_string(line) + "\n";
  CHECK(log == wanted);
}

TEST_CASE("an endless line does not fill the disk", "[harness]") {
  const std::string log = logged("head -c 5000000 /dev/zero; echo; echo end; exit 3");
  CHECK(log.size() <= static_cast<std::size_t>(longest_log));
  CHECK(log.substr(log.size() - 4) == "end\n");
}
