#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/input/archive_reader.h"
#include "tests/fabric/formats/format_testing.h"

// Writes archives byte by byte (POSIX.1-2017, pax, "ustar Interchange Format"), so that fields can
// have values that no program writes.

namespace pssp {
namespace {

using test::error_of;

constexpr std::size_t block = 512;

struct Entry {
  std::string name, content;
  char type = '0';
  std::string link = {};
};

std::string to_header(const Entry& entry, std::size_t size) {
  std::string header(block, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  put(0, entry.name);
  put(100, "0000644");
  put(124, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(148, "        ");
  header[156] = entry.type;
  put(157, entry.link);
  put(257, std::string("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return header;
}

std::string to_tar(const std::vector<Entry>& entries) {
  std::string tar;
  for (const Entry& entry : entries) {
    tar += to_header(entry, entry.content.size()) + entry.content;
    tar.resize((tar.size() + block - 1) / block * block);
  }
  return tar + std::string(2 * block, '\0');
}

std::vector<std::unique_ptr<FileReader>> unpack(const std::string& tar,
                                                const ArchiveLimits& limits = {}) {
  FileReader file(tar, "a.tar");
  return read_archive(
      file, [](std::string_view name) { return name.ends_with(".x"); }, limits);
}

TEST_CASE("the selected files of an archive are read in its order") {
  const auto files = unpack(to_tar({{"d/", "", '5'},
                                    {"d/b.x", "two"},
                                    {"d/c.y", "passed over"},
                                    {"d/a.x", std::string(1000, 'a')},
                                    {"d/empty.x", ""}}));
  REQUIRE(files.size() == 3);
  CHECK(files[0]->name() == "a.tar:d/b.x");
  CHECK(read_file(*files[0]) == "two");
  CHECK(files[1]->peek(3) == "aaa");
  CHECK(read_file(*files[1]) == std::string(1000, 'a'));
  CHECK(read_file(*files[2]).empty());
  CHECK(unpack(to_tar({})).empty());
}

TEST_CASE("an archive with links, devices or paths out of the archive is refused") {
  for (const char* const name : {"/etc/a.x", "../a.x", "d/../../a.x", "..", "d/..", "/"}) {
    INFO(name);
    CHECK_THAT(
        error_of([&] {
          unpack(to_tar({{"d/a.x", "a"}, {name, "b"}}));
        }),
        Catch::StartsWith("3: a.tar: the entry '") && Catch::Contains("leads out of the archive"));
  }
  for (const char type : {'1', '2', '3', '4', '6'}) {
    INFO(type);
    CHECK_THAT(error_of([&] {
                 unpack(to_tar({{"d/a.y", "", type, "/etc/passwd"}}));
               }),
               Catch::StartsWith("3: a.tar: the entry 'd/a.y' is a link, a device"));
  }
  CHECK(unpack(to_tar({{"d/..a.x", "a"}, {"d/a...x", "b"}})).size() == 2);
}

TEST_CASE("an archive that exceeds a limit is refused") {
  const std::string tar = to_tar({{"1.x", std::string(5000, 'a')}, {"2.y", "b"}, {"3.x", "c"}});
  CHECK(unpack(tar, {3, 5000, tar.size()}).size() == 2);
  CHECK_THAT(error_of([&] {
               unpack(tar, {2, 5000, tar.size()});
             }),
             Catch::Contains("more than 2 entries"));
  CHECK_THAT(error_of([&] {
               unpack(tar, {3, 4999, tar.size()});
             }),
             Catch::StartsWith("3: a.tar:1.x: the file unpacks to more than 4999 bytes"));
  CHECK_THAT(error_of([&] {
               unpack(tar, {3, 5000, tar.size() - 1});
             }),
             Catch::Contains("unpacks to more than"));
  // No memory is allocated for a forged size.
  CHECK_THAT(error_of([&] {
               unpack(to_header({"1.x", ""}, 077777777777U));
             }),
             Catch::Contains("truncated"));
}

TEST_CASE("an archive that is truncated anywhere is refused, and damage causes only an Error") {
  const std::string tar = to_tar({{"1.x", std::string(600, 'a')}, {"2.x", "b"}});
  // After the single byte of 2.x there are only zeros, of which 1024 mark the end.
  const std::size_t end = tar.size() - 3 * block + 1;
  for (std::size_t size = 1; size < end + 2 * block; ++size) {
    INFO(size);
    CHECK_THAT(error_of([&] { unpack(tar.substr(0, size)); }), Catch::StartsWith("3: a.tar: "));
  }
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string garbled = tar;
    for (int k = 0; k < 3; ++k) garbled[random() % tar.size()] = static_cast<char>(random());
    try {
      for (const auto& file : unpack(garbled)) CHECK(read_file(*file).size() <= tar.size());
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
    }
  }
}

}  // namespace
}  // namespace pssp
