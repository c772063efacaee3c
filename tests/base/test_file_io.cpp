#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/file_io.h"
#include "tests/fabric/formats/format_testing.h"
#include "tests/temporary_file.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

using test::error_of;
using test::TemporaryFile;
using test::TemporaryFolder;

TEST_CASE("read_file reads complete files with bytes of any value") {
  std::string content;
  for (unsigned i = 0; i < 300000; ++i) content += static_cast<char>(i * 7919 >> 3);
  CHECK(read_file(TemporaryFile(content).path()) == content);
  CHECK(read_file(TemporaryFile("").path()).empty());
  CHECK(read_file("/proc/self/status").find("Name:") ==
        0);  // a file whose size is not known in advance
}

TEST_CASE("a signal at any time leaves no unfinished file") {
  constexpr int times = 100;
  const TemporaryFolder folder;
  for (int i = 0; i < times; ++i) {
    const pid_t writer = fork();
    REQUIRE(writer >= 0);
    if (writer == 0) {
      std::signal(SIGTERM, [](int) {
        remove_unfinished_files();
        _exit(0);
      });
      for (;;) write_file(folder / "out", "content");
    }
    usleep(static_cast<useconds_t>(1000 + 37 * i));
    kill(writer, SIGTERM);
    int status = 0;
    REQUIRE(waitpid(writer, &status, 0) == writer);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().filename() == "out");
  }
}

TEST_CASE("read_file reads a pipe to its end") {
  const TemporaryFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string content(200000, 'p');
  std::thread writer([&] { write_file(pipe, content); });
  const std::string read = read_file(pipe);
  writer.join();
  CHECK(read == content);
}

TEST_CASE("read_file names the file and the reason if it cannot read the file") {
  CHECK_THAT(error_of([] { read_file("/nowhere/at/all"); }),
             Catch::StartsWith("3: ") && Catch::Contains("/nowhere/at/all: No such file"));
  CHECK_THAT(error_of([] { read_file(std::filesystem::temp_directory_path()); }),
             Catch::Contains("it is a directory"));
  const TemporaryFile file("0123456789");
  CHECK(read_file(file.path(), 10).size() == 10);
  CHECK_THAT(error_of([&] { read_file(file.path(), 9); }),
             Catch::Contains("it has 10 bytes, more than the limit of 9"));
  CHECK_THAT(error_of([] { read_file("/dev/zero", 1 << 20); }),
             Catch::Contains("it is larger than 1048576 bytes"));
}

TEST_CASE("write_file replaces the complete file and leaves no other file") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "out";
  write_file(path, "first");
  CHECK(read_file(path) == "first");
  write_file(path, "second, longer");
  CHECK(read_file(path) == "second, longer");
  CHECK(folder.entries() == 1);
}

TEST_CASE("write_file writes a file in parts, and keeps the old file if the source fails") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "out";
  write_file(path, [](const ContentSink& sink) {
    sink("one, ");
    sink("");
    sink("two");
  });
  CHECK(read_file(path) == "one, two");
  CHECK_THROWS_AS(write_file(path,
                             [](const ContentSink& sink) {
                               sink("half");
                               throw std::runtime_error("no more");
                             }),
                  std::runtime_error);
  CHECK(read_file(path) == "one, two");
  CHECK(folder.entries() == 1);
}

TEST_CASE("write_file works although a crashed process has left a temporary file") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "out";
  const std::filesystem::path left = path.string() + "." + std::to_string(getpid()) + "-0.tmp";
  REQUIRE(std::ofstream(left) << "left");
  write_file(path, "content");
  CHECK(read_file(path) == "content");
  CHECK(read_file(left) == "left");
}

TEST_CASE("write_file creates the target of a dangling symbolic link and keeps the link") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "elsewhere");
  std::filesystem::create_symlink("elsewhere/file", folder / "link");
  std::filesystem::create_symlink(folder / "link", folder / "link_to_link");
  write_file(folder / "link_to_link", "content");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(std::filesystem::is_symlink(folder / "link_to_link"));
  CHECK(read_file(folder / "elsewhere" / "file") == "content");
  std::filesystem::create_symlink("circle", folder / "circle");
  CHECK_THAT(error_of([&] { write_file(folder / "circle", "x"); }), Catch::StartsWith("8: "));
}

TEST_CASE("write_file keeps symbolic links and the permissions of an existing file") {
  const TemporaryFolder folder;
  const std::filesystem::path target = folder / "target";
  const std::filesystem::path link = folder / "link";
  write_file(target, "old");
  std::filesystem::permissions(
      target, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("target", link);
  write_file(link, "new");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_file(target) == "new");
  CHECK(std::filesystem::status(target).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("write_file reports an output error and leaves no file if it cannot write") {
  const TemporaryFolder folder;
  CHECK_THAT(error_of([] { write_file("/nowhere/at/all", "x"); }),
             Catch::StartsWith("8: ") && Catch::Contains("No such file"));
  const std::filesystem::path sub = folder / "sub";
  std::filesystem::create_directory(sub);
  CHECK_THAT(error_of([&] { write_file(sub, "x"); }),
             Catch::StartsWith("8: ") && Catch::Contains("it is a directory"));
  CHECK(folder.entries() == 1);
  CHECK_THAT(error_of([] { write_file("/dev/full", "x"); }),
             Catch::StartsWith("8: ") && Catch::Contains("No space left"));
}

TEST_CASE("write_files writes either all files or none") {
  const TemporaryFolder folder;
  const auto content = [](const char* text) {
    return [text](const ContentSink& sink) { sink(text); };
  };
  const auto failing = [](const ContentSink& sink) {
    sink("half");
    throw std::runtime_error("no more");
  };
  const std::vector<OutputFile> good{{folder / "a", content("one")},
                                     {folder / "b", content("two")}};
  write_files(good);
  CHECK(read_file(folder / "a") == "one");
  CHECK(read_file(folder / "b") == "two");
  CHECK(folder.entries() == 2);
  for (const OutputFile& last :
       {OutputFile{folder / "b", failing}, OutputFile{"/nowhere/at/all", content("x")},
        OutputFile{"/dev/full", content("x")}}) {
    CHECK_THROWS(write_files(std::vector<OutputFile>{
        {folder / "a", content("new")}, {folder / "new", content("new")}, last}));
    CHECK(read_file(folder / "a") == "one");
    CHECK(read_file(folder / "b") == "two");
    CHECK(folder.entries() == 2);
  }
  write_files({});
}

}  // namespace
}  // namespace pssp
