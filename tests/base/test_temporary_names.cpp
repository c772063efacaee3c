// Removal of temporary files that dead writers have left. One test also draws file names at random.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "base/file_io.h"
#include "base/guarded_files.h"
#include "base/random.h"
#include "base/temporary_names.h"
#include "tests/temporary_folder.h"

using namespace pssp;
namespace fs = std::filesystem;

namespace {

/// ID of a process that has ended and was waited for.
pid_t dead_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

std::string make(const std::string& path) {
  std::ofstream(path) << "unfinished";
  return path;
}

void date_back(const std::string& path) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24));
}

}  // namespace

TEST_CASE("only the unfinished files of a dead process are removed") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "state").string();
  const pid_t dead = dead_process();
  const std::vector<std::string> left{make(fmt::format("{}.{}-0.tmp", file, dead)),
                                      make(fmt::format("{}.{}-99.tmp", file, dead))};
  std::vector<std::string> others{make(file), make(fmt::format("{}2.{}-0.tmp", file, dead)),
                                  make(temporary_name(file, 7))};
  for (const char* const name :
       {"{}.0{}-0.tmp", "{}.{}-00.tmp", "{}.{}-.tmp", "{}.{}.tmp", "{}.+{}-0.tmp", "{}.{}-0.tmp ",
        "{}.{}-0.TMP", "{}.{}-0.tmp.tmp", "{}.-{}-0.tmp", "{}{}-0.tmp", "{}.{}-0x.tmp",
        "{}.{}-99999999999999999999.tmp"}) {
    others.push_back(make(fmt::format(fmt::runtime(name), file, dead)));
  }
  const std::string link = fmt::format("{}.{}-1.tmp", file, dead);
  fs::create_symlink(file, link);
  const std::string directory = fmt::format("{}.{}-2.tmp", file, dead);
  fs::create_directory(directory);
  const std::string fifo = fmt::format("{}.{}-3.tmp", file, dead);
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);

  std::vector<std::string> removed = remove_abandoned_files(file);
  std::sort(removed.begin(), removed.end());
  CHECK(removed == left);
  for (const std::string& each : left) CHECK_FALSE(fs::exists(each));
  for (const std::string& each : others) CHECK(fs::exists(each));
  for (const std::string& each : {link, directory, fifo})
    CHECK(fs::exists(fs::symlink_status(each)));
  CHECK(remove_abandoned_files(folder.path() / "none" / "state").empty());
}

TEST_CASE("files with random names are kept unless the name is exactly that of a dead writer") {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "tables.lft";
  const pid_t dead = dead_process();
  const std::string good = fmt::format("tables.lft.{}-3.tmp", dead);
  const std::regex exact(R"(tables\.lft\.[1-9][0-9]*-(0|[1-9][0-9]*)\.tmp)");
  RandomGenerator random(49, 7);
  for (int i = 0; i < 300; ++i) {
    std::string name = good;
    const std::size_t at = random.below(static_cast<std::uint32_t>(name.size()));
    switch (random.below(3)) {
      case 0:
        name.erase(at, 1);
        break;
      case 1:
        name.insert(at, 1, "x.-_~"[random.below(5)]);
        break;
      default:
        name[at] = "x_~ "[random.below(4)];
    }
    INFO(name);
    const std::string path = make((folder.path() / name).string());
    if (!remove_abandoned_files(file).empty()) {
      CHECK_FALSE(fs::exists(path));
      CHECK(std::regex_match(name, exact));
    }
    fs::remove(path);
  }
}

TEST_CASE("a file of a living process is kept unless the process is younger or another program") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "state").string();
  const std::string own = make(temporary_name(file, 0));
  CHECK(remove_abandoned_files(file).empty());
  // In a restarted container, a new process often has the ID of an earlier one.
  date_back(own);
  CHECK(remove_abandoned_files(file) == std::vector{own});
  // Process 1 is alive but runs another program.
  const std::string of_first = make(file + ".1-0.tmp");
  CHECK(remove_abandoned_files(file) == std::vector{of_first});
}

TEST_CASE("a temporary file that is marked as in use is kept although its process is dead") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "state").string();
  const std::string path = make(fmt::format("{}.{}-0.tmp", file, dead_process()));
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(fd >= 0);
  mark_as_in_use(fd);
  CHECK(remove_abandoned_files(file).empty());
  ::close(fd);
  CHECK(remove_abandoned_files(file).size() == 1);
}

TEST_CASE("write_file removes the unfinished file that a killed process has left") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "out").string();
  const std::string left = make(fmt::format("{}.{}-0.tmp", file, dead_process()));
  write_file(file, "content");
  CHECK_FALSE(fs::exists(left));
  CHECK(read_file(file) == "content");
}
