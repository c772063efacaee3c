#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/private_files.h"
#include "tests/temporary_folder.h"

using namespace pssp;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

void set_mode(const fs::path& path, mode_t mode) { REQUIRE(chmod(path.c_str(), mode) == 0); }

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

}  // namespace

TEST_CASE("a private folder is created with mode 0700 under any umask") {
  const test::TemporaryFolder folder;
  for (const mode_t mask : {0U, 022U, 0777U}) {
    const fs::path made = folder / std::to_string(mask);
    const mode_t before = umask(mask);
    CHECK(make_private_folder(made) == fs::canonical(folder.path()) / made.filename());
    umask(before);
    CHECK(mode_of(made) == 0700);
    CHECK_NOTHROW(make_private_folder(made));
  }
  CHECK_THROWS_WITH(make_private_folder(folder / "no/such"), Contains("create this folder first"));
}

TEST_CASE("a folder that other users can write to or replace is refused as private") {
  const test::TemporaryFolder folder;
  const fs::path own = folder / "own", above = folder / "above";
  CHECK_NOTHROW(require_private_folder(own));  // does not exist yet
  REQUIRE(fs::create_directory(own));
  for (const mode_t mode : {0720U, 0702U, 0777U, 01777U}) {
    set_mode(own, mode);
    CHECK_THROWS_WITH(require_private_folder(own),
                      Contains(own.string()) && Contains("expected 0700") && Contains("chmod"));
    CHECK_THROWS_WITH(require_private_folder(own / ""), Contains("expected 0700"));
    CHECK_THROWS_AS(require_private_folder(own / "../own"), Error);
  }
  for (const mode_t mode : {0700U, 0755U, 0750U}) {
    set_mode(own, mode);
    CHECK(require_private_folder(own) == fs::canonical(own));
  }
  REQUIRE(fs::create_directories(above / "inner/own"));
  set_mode(above, 0777);
  CHECK_THROWS_WITH(require_private_folder(above / "inner/own"),
                    Contains(above.string() + ": its mode 0777") && Contains("chmod go-w"));
  set_mode(above, 01777);
  CHECK_NOTHROW(require_private_folder(above / "inner/own"));
  CHECK_THROWS_WITH(require_private_folder(folder.file("file", "")),
                    Contains("it is not a folder"));
  CHECK_THROWS_WITH(require_private_folder(folder / "file/own"), Contains("it is not a folder"));
}

TEST_CASE("symbolic links are checked in the path of a private folder, but refused as the folder") {
  const test::TemporaryFolder folder;
  REQUIRE(fs::create_directories(folder / "a/own"));
  fs::create_directory_symlink("a", folder / "link");
  fs::create_directory_symlink(fs::absolute(folder / "link"), folder / "far");
  CHECK(require_private_folder(folder / "link/own") == fs::canonical(folder / "a/own"));
  CHECK(require_private_folder(folder / "far/own") == fs::canonical(folder / "a/own"));
  CHECK(require_private_folder(folder / "far/../a/own") == fs::canonical(folder / "a/own"));
  CHECK_THROWS_WITH(require_private_folder(folder / "link"), Contains("symbolic link"));
  fs::create_symlink("circle", folder / "circle");
  CHECK_THROWS_AS(require_private_folder(folder / "circle/own"), Error);
  set_mode(folder / "a", 0777);
  CHECK_THROWS_WITH(require_private_folder(folder / "far/own"), Contains("its mode 0777"));
  if (geteuid() != 0) return;  // Only root can change the owner of a link.
  set_mode(folder / "a", 0755);
  REQUIRE(lchown((folder / "link").c_str(), 65534, 65534) == 0);
  CHECK_THROWS_WITH(require_private_folder(folder / "far/own"),
                    Contains("symbolic link of user 65534"));
  REQUIRE(chown((folder / "a").c_str(), 65534, 65534) == 0);
  CHECK_THROWS_WITH(require_private_folder(folder / "a/own"), Contains("belongs to user 65534"));
}

TEST_CASE("a private file must be a regular file that no other user can write") {
  const test::TemporaryFolder folder;
  CHECK_NOTHROW(require_private_file(folder / "missing"));
  const fs::path file = folder.file("with 'quotes'", "");
  set_mode(file, 0644);
  CHECK_NOTHROW(require_private_file(file));
  for (const mode_t mode : {0620U, 0602U, 0666U}) {
    set_mode(file, mode);
    CHECK_THROWS_WITH(require_private_file(file),
                      Contains("lets other users write") && Contains(R"(/with '\''quotes'\''')"));
  }
  for (const char* target : {"missing", "with 'quotes'"}) {
    const fs::path link = folder / "link";
    fs::create_symlink(target, link);
    CHECK_THROWS_WITH(require_private_file(link), Contains("it is a symbolic link"));
    fs::remove(link);
  }
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(require_private_file(folder / "fifo"), Contains("not a regular file"));
  if (geteuid() != 0) return;  // Only root can change the owner of a file.
  set_mode(file, 0600);
  REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
  CHECK_THROWS_WITH(require_private_file(file), Contains("belongs to user 65534"));
}

TEST_CASE("a private file is created with mode 0600 and never through a symbolic link") {
  const test::TemporaryFolder folder;
  const fs::path victim = folder.file("victim", "not to be touched");
  const auto mode_of = [](const fs::path& path) {
    struct stat status {};
    REQUIRE(lstat(path.c_str(), &status) == 0);
    CHECK(S_ISREG(status.st_mode));
    return status.st_mode & 07777U;
  };
  const auto write = [](const fs::path& path, std::string_view text) {
    write_private_file(path, [text](const ContentSink& sink) { sink(text); });
  };
  for (const mode_t mask : {0U, 022U, 077U, 0777U}) {
    const mode_t before = umask(mask);
    write(folder / "own", "1");
    fs::create_symlink(victim, folder / "link");
    write(folder / "link", "2");
    fs::create_symlink("nothing", folder / "dangling");
    write(folder / "dangling", "3");
    umask(before);
    CHECK(mode_of(folder / "own") == 0600);
    CHECK(mode_of(folder / "link") == 0600);
    CHECK(mode_of(folder / "dangling") == 0600);
    CHECK(read_file(folder / "link") == "2");
    CHECK(read_file(victim) == "not to be touched");
    CHECK_FALSE(fs::exists(folder / "nothing"));
    for (const char* name : {"own", "link", "dangling"}) fs::remove(folder / name);
  }
  fs::create_directory(folder / "inner");
  CHECK_THROWS_WITH(write(folder / "inner", "4"), Contains("it is a directory"));
  CHECK(folder.entries() == 2);
}
