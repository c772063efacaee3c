#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "routing/engines/options.h"
#include "routing/engines/options_file.h"
#include "tests/temporary_file.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

void add_to(EngineOptions& options, const std::filesystem::path& path) {
  read_options_file(
      path,
      [&options](std::string_view entry) {
        const GivenOption option = parse_option(entry);
        options.set(option.name, option.value);
      },
      [](const Error& error) { throw error; });
}

EngineOptions read(const std::string& content) {
  const test::TemporaryFile file(content);
  EngineOptions options;
  add_to(options, file.path());
  return options;
}

/// Message of the error that `content` causes.
std::string message_for(const std::string& content, ErrorKind kind) {
  try {
    read(content);
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  FAIL("no error for: " << content);
  return {};
}

}  // namespace

TEST_CASE("an options file has one or more options per line, and comments") {
  const EngineOptions options = read(
      "# routing\r\n"
      "\r\n"
      "a=1 b=two\r\n"
      "\tpssp.c=3,d=4   # the rest\n"
      "e=x=y");
  CHECK(options.entries().size() == 5);
  CHECK(options.text("", "a", "") == "1");
  CHECK(options.text("", "b", "") == "two");
  CHECK(options.text("pssp", "c", "") == "3");
  CHECK(options.text("", "d", "") == "4");
  CHECK(options.text("", "e", "") == "x=y");
}

TEST_CASE("an options file without options is valid") {
  CHECK(read("").entries().empty());
  CHECK(read("\n\n# nothing\n").entries().empty());
}

TEST_CASE("an options file adds to the options that are already set") {
  const test::TemporaryFile file("b=2\n");
  EngineOptions options = EngineOptions::parse("a=1");
  add_to(options, file.path());
  CHECK(options.entries().size() == 2);

  const test::TemporaryFile contradiction("\na=2\n");
  CHECK_THROWS_WITH(add_to(options, contradiction.path()),
                    Contains(contradiction.path() + ":2:") && Contains("option a is given twice"));
}

TEST_CASE("errors in an options file name the file and the line") {
  CHECK_THAT(message_for("a=1\n\nnonsense\n", ErrorKind::usage),
             Contains(":3:") && Contains("option nonsense:") && Contains("name=value"));
  CHECK_THAT(message_for("=1\n", ErrorKind::usage), Contains(":1:"));
  CHECK_THAT(message_for("a=\n", ErrorKind::usage), Contains(":1:"));
  CHECK_THAT(message_for("a = 1\n", ErrorKind::usage), Contains(":1:"));
  CHECK_THAT(message_for("a=1\na=2\n", ErrorKind::usage), Contains(":2:") && Contains("twice"));
}

TEST_CASE("reading an options file can continue after an error") {
  const test::TemporaryFile file("a=1\nwrong\x01\nb=2 wrong c=3\n");
  std::vector<std::string> taken, faults;
  read_options_file(
      file.path(),
      [&](std::string_view entry) {
        parse_option(entry);
        taken.emplace_back(entry);
      },
      [&](const Error& error) { faults.emplace_back(error.what()); });
  CHECK(taken == std::vector<std::string>{"a=1", "b=2", "c=3"});
  REQUIRE(faults.size() == 2);
  CHECK_THAT(faults[0], Catch::StartsWith(file.path() + ":2: control characters"));
  CHECK_THAT(faults[1], Catch::StartsWith(file.path() + ":3: option wrong: "));
}

TEST_CASE("an options file that is not text is rejected") {
  CHECK_THAT(message_for(std::string("a=1\n\0\x01\x02", 7), ErrorKind::unreadable_input),
             Contains(":2:") && Contains("text file"));
  CHECK_THAT(message_for("\x7f"
                         "ELF\x02\x01\x01",
                         ErrorKind::unreadable_input),
             Contains(":1:"));
  CHECK_THAT(message_for(std::string((std::size_t{1} << 20) + 1, '#'), ErrorKind::unreadable_input),
             !Contains("name=value"));
}

TEST_CASE("a missing options file and a folder are rejected") {
  EngineOptions options;
  CHECK_THROWS_WITH(add_to(options, "/no/such/file"), Contains("/no/such/file"));
  CHECK_THROWS_AS(add_to(options, std::filesystem::temp_directory_path()), Error);
}
