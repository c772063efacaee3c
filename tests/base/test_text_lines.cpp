#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>
#include <vector>

#include "base/text_lines.h"
#include "tests/fabric/formats/format_testing.h"
#include "tests/temporary_file.h"

namespace pssp {
namespace {

using test::error_of;

struct Numbered {
  std::size_t number = 0;
  std::string text;
  friend bool operator==(const Numbered&, const Numbered&) = default;
};

std::vector<Numbered> all_of(TextLines& lines) {
  std::vector<Numbered> all;
  while (lines.next()) all.push_back({lines.number(), std::string(lines.line())});
  return all;
}

/// Lines of all lengths up to the maximum, about 4 MiB in total: many times the buffer of the
/// reader.
std::string long_text() {
  std::string text;
  std::mt19937 random = test::repeatable_random(11);
  for (unsigned i = 0; i < 400; ++i) {
    text.append(random() % (i % 3 == 0 ? TextLines::max_length + 1 : 200),
                static_cast<char>('a' + i % 26));
    text += i % 7 == 0 ? "\r\n" : "\n";
  }
  return text + "no line feed";
}

TEST_CASE("TextLines reads the same lines from a file as from memory") {
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("a"), std::string("a\r\nb\n\nc"),
        std::string("\xEF\xBB\xBFx\ny\n"), long_text()}) {
    const test::TemporaryFile file(text);
    TextLines in_memory(text, "text");
    FileReader reader(file.path());
    TextLines in_file(reader, "text");
    CHECK(all_of(in_memory) == all_of(in_file));
    CHECK(in_memory.ends_with_line_feed() == in_file.ends_with_line_feed());
    CHECK(in_memory.number() == in_file.number());
  }
}

TEST_CASE("TextLines reads a pipe that delivers a few bytes at a time") {
  const std::string text = "first line\nsecond\r\n" + std::string(5000, 'x') + "\nlast";
  const test::TemporaryFile place("");
  std::filesystem::remove(place.path());
  REQUIRE(::mkfifo(place.path().c_str(), 0600) == 0);
  std::thread writer([&] {
    std::ofstream pipe(place.path(), std::ios::binary);
    for (std::size_t at = 0; at < text.size(); at += 7) {
      pipe << text.substr(at, 7) << std::flush;
    }
  });
  FileReader reader(place.path());
  TextLines lines(reader, "pipe");
  TextLines in_memory(text, "pipe");
  CHECK(all_of(lines) == all_of(in_memory));
  writer.join();
}

TEST_CASE("FileReader reads peeked bytes again") {
  const std::string text = "0123456789";
  const test::TemporaryFile file(text);
  FileReader reader(file.path());
  CHECK(reader.peek(4) == "0123");
  CHECK(reader.peek(2) == "01");
  CHECK(reader.peek(6) == "012345");
  CHECK(read_file(reader) == text);
  FileReader short_file(file.path());
  CHECK(short_file.peek(100) == text);
  CHECK(read_file(short_file) == text);
}

TEST_CASE("a NUL byte deep in a file is reported with its line and offset") {
  std::string text;
  for (unsigned i = 0; i < 200'000; ++i) text += fmt::format("line {}\n", i + 1);
  const std::size_t at = text.find("line 180000");
  text[at] = '\0';
  const test::TemporaryFile file(text);
  FileReader reader(file.path());
  TextLines lines(reader, "dump");
  CHECK_THAT(error_of([&] { all_of(lines); }),
             Catch::Contains(fmt::format("dump:180000: NUL byte at offset {}", at)));
}

TEST_CASE("the error about a NUL byte contains the description by the reader of the format") {
  const std::string text("PK\0", 3);
  const auto describe = [](std::string_view beginning) {
    return fmt::format("{} bytes of something", beginning.size());
  };
  CHECK_THAT(error_of([&] { TextLines(text, "dump", describe); }),
             Catch::EndsWith("this is not text, it looks like 3 bytes of something"));
  CHECK_THAT(error_of([&] { TextLines(text, "dump"); }), Catch::EndsWith("this is not text"));
}

TEST_CASE("a line of more than 65536 bytes is refused") {
  const test::TemporaryFile file("short\n" + std::string(std::size_t{3} << 20, 'x'));
  FileReader reader(file.path());
  TextLines lines(reader, "dump");
  CHECK_THAT(error_of([&] { all_of(lines); }),
             Catch::Contains("dump:2: the line is longer than 65536 bytes"));
  const std::string longest(TextLines::max_length, 'x');
  TextLines fits(longest, "text");
  CHECK(all_of(fits).size() == 1);
}

TEST_CASE("FileReader refuses a directory and a missing file") {
  CHECK_THAT(error_of([] { FileReader("/"); }), Catch::Contains("it is a directory"));
  CHECK_THAT(error_of([] { FileReader("/no/such/file"); }), Catch::Contains("cannot read"));
}

}  // namespace
}  // namespace pssp

TEST_CASE("a decimal fraction consists of digits and at most one point") {
  CHECK(pssp::decimal_fraction("12.5") == 12.5);
  CHECK(pssp::decimal_fraction("0") == 0.0);
  for (const char* const text :
       {"", " 1", "1 ", "-1", "+1", "1e3", "inf", "nan", "1.2.3", ".", "0x1"})
    CHECK_FALSE(pssp::decimal_fraction(text));
}
