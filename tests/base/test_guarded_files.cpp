#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <string>

#include "base/error.h"
#include "base/guarded_files.h"
#include "tests/temporary_folder.h"

using namespace pssp;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr FileMark mark{"# ours: "};

/// Creates one file of each type that is not regular. Touches no real device; the device node is
/// created only if the system permits it.
std::vector<fs::path> odd_files(const test::TemporaryFolder& folder) {
  std::vector<fs::path> odd{folder / "fifo", folder / "folder"};
  REQUIRE(mkfifo(odd[0].c_str(), 0600) == 0);
  REQUIRE(fs::create_directory(odd[1]));
  const fs::path node = folder / "node";
  if (mknod(node.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0) odd.push_back(node);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (folder / "socket").string();
  if (name.size() < sizeof address.sun_path) {
    std::memcpy(address.sun_path, name.c_str(), name.size());
    if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      odd.emplace_back(name);
    }
  }
  close(listener);
  return odd;
}

void write_one(const fs::path& path, const std::string& content) {
  write_marked_file(path, mark, [&](const ContentSink& sink) { sink(content); });
}

}  // namespace

TEST_CASE("read_regular_file reads a regular file, also through a symbolic link") {
  const test::TemporaryFolder folder;
  const fs::path file = folder.file("a", "content");
  CHECK(read_regular_file(file, 7) == "content");
  fs::create_symlink("a", folder / "link");
  CHECK(read_regular_file(folder / "link", 100) == "content");
  CHECK(read_regular_file(folder.file("empty", ""), 0).empty());
  CHECK_THROWS_WITH(read_regular_file(file, 6), Contains("7 bytes") && Contains("right file"));
  CHECK_THROWS_WITH(read_regular_file(folder / "missing", 7), Contains("missing"));
}

TEST_CASE("guarded files: only regular files are read, written or removed, and no call blocks") {
  const test::TemporaryFolder folder;
  for (const fs::path& odd : odd_files(folder)) {
    INFO(odd);
    CHECK_THROWS_WITH(read_regular_file(odd, 100), Contains(odd.string()) && Contains("it is a"));
    CHECK_THROWS_WITH(write_one(odd, "# ours: 1\n"), Contains(odd.string()) && Contains("it is a"));
    const Removal removal = remove_marked_file(odd, mark);
    CHECK_FALSE(removal.removed);
    CHECK_THAT(removal.kept, Contains("it is a"));
    CHECK(fs::exists(fs::symlink_status(odd)));
  }
}

TEST_CASE("guarded files: only files that begin with the mark are replaced or removed") {
  const test::TemporaryFolder folder;
  const fs::path untrusted = folder.file("text", "my own notes\n");
  CHECK_THROWS_WITH(write_one(untrusted, "# ours: 1\n"), Contains("this plugin did not write it"));
  CHECK_THAT(remove_marked_file(untrusted, mark).kept, Contains("this plugin did not write it"));
  CHECK(read_regular_file(untrusted, 100) == "my own notes\n");

  const fs::path shorter = folder.file("shorter", "# our");
  CHECK_FALSE(remove_marked_file(shorter, mark).removed);

  const fs::path own = folder / "own";
  write_one(own, "# ours: 1\n");
  write_one(own, "# ours: 2\n");
  CHECK(read_regular_file(own, 100) == "# ours: 2\n");
  CHECK(remove_marked_file(own, mark).removed);
  CHECK_FALSE(fs::exists(own));
  const Removal absent = remove_marked_file(own, mark);
  CHECK_FALSE(absent.removed);
  CHECK(absent.kept.empty());

  // An empty file, which an administrator may have created in advance to set its permissions.
  write_one(folder.file("empty", ""), "# ours: 3\n");
  CHECK(read_regular_file(folder / "empty", 100) == "# ours: 3\n");
}

TEST_CASE("guarded files: symbolic links are neither followed for writing nor removed") {
  const test::TemporaryFolder folder;
  const fs::path own = folder / "own";
  write_one(own, "# ours: 1\n");
  const fs::path link = folder / "link";
  fs::create_symlink("own", link);
  CHECK_THROWS_WITH(write_one(link, "# ours: 2\n"), Contains("symbolic link"));
  CHECK_THAT(remove_marked_file(link, mark).kept, Contains("symbolic link"));
  CHECK(read_regular_file(own, 100) == "# ours: 1\n");
  CHECK(fs::is_symlink(link));
}

TEST_CASE("write_marked_file keeps the old file and leaves no other file if it fails") {
  const test::TemporaryFolder folder;
  const fs::path own = folder / "own";
  write_one(own, "# ours: 1\n");
  CHECK_THROWS_AS(write_marked_file(own, mark,
                                    [](const ContentSink& sink) {
                                      sink("# ours: half");
                                      throw Error(ErrorKind::internal, "stopped");
                                    }),
                  Error);
  CHECK(read_regular_file(own, 100) == "# ours: 1\n");
  CHECK(folder.entries() == 1);
  CHECK_THROWS_AS(write_one(folder / "no/such/folder/file", "# ours: 1\n"), Error);
}

TEST_CASE("read_marked_file reads only regular files with the complete mark") {
  const test::TemporaryFolder folder;
  const fs::path path = folder / "state";
  CHECK_FALSE(read_marked_file(path, mark, 100));
  write_marked_file(path, mark, [](const ContentSink& sink) { sink("# ours: 7"); });
  CHECK(read_marked_file(path, mark, 100).value() == "# ours: 7");
  CHECK_THROWS_WITH(read_marked_file(path, mark, 5), Contains("it has 9 bytes"));
  CHECK_THROWS_WITH(read_marked_file(folder.file("foreign", "# theirs"), mark, 100),
                    Contains("foreign") && Contains("this plugin did not write it"));
  CHECK_THROWS_WITH(read_marked_file(folder.file("short", "# o"), mark, 100),
                    Contains("did not write it"));
  fs::create_symlink(path, folder / "link");
  CHECK_THROWS_WITH(read_marked_file(folder / "link", mark, 100), Contains("symbolic link"));
  for (const fs::path& odd : odd_files(folder)) {
    INFO(odd);
    CHECK_THROWS_WITH(read_marked_file(odd, mark, 100), Contains("cannot read"));
  }
}

TEST_CASE("guarded files: own_name recognizes a mark that a power failure truncated or zeroed") {
  const test::TemporaryFolder folder;
  constexpr FileMark own{.text = "# ours: ", .own_name = true};
  const auto replace = [&](const fs::path& path) {
    write_marked_file(path, own, [](const ContentSink& sink) { sink("# ours: 4"); });
    return read_marked_file(path, own, 100).value();
  };
  const std::string zeros(20, '\0');
  for (const std::string& left :
       {zeros, zeros.substr(0, 3), std::string("# our"), std::string("#")}) {
    const fs::path path = folder.file("left", left);
    CHECK_THROWS_WITH(read_marked_file(path, own, 100), Contains("damaged"));
    // Without own_name, the file may belong to another program.
    CHECK_THROWS_WITH(write_one(path, "# ours: 1\n"), Contains("remove it"));
    CHECK(replace(path) == "# ours: 4");
  }
  const std::string zeros_later = zeros.substr(0, 4) + "note";
  for (const std::string& untrusted :
       {std::string("# out"), zeros_later, std::string("# theirs")}) {
    const fs::path path = folder.file("foreign", untrusted);
    CHECK_THROWS_WITH(read_marked_file(path, own, 100), Contains("remove it"));
    CHECK_THROWS_WITH(replace(path), Contains("remove it"));
  }
}

TEST_CASE("guarded files: with own_name, a file that other users can write is not read") {
  const test::TemporaryFolder folder;
  constexpr FileMark own{.text = "# ours: ", .own_name = true};
  for (const mode_t mode : {0620U, 0602U, 0666U}) {
    const fs::path path = folder.file("open to all", "# ours: 7");
    REQUIRE(chmod(path.c_str(), mode) == 0);
    CHECK_THROWS_WITH(read_marked_file(path, own, 100),
                      Contains(path.string()) && Contains("other users can write to it"));
    CHECK(read_marked_file(path, mark, 100) == "# ours: 7");
    // A new file replaces it.
    write_marked_file(path, own, [](const ContentSink& sink) { sink("# ours: 8"); });
    CHECK(read_marked_file(path, own, 100) == "# ours: 8");
  }
}

TEST_CASE("guarded files: with own_name, the file of another user is kept") {
  if (geteuid() != 0) return;  // Only root can change the owner of a file.
  const test::TemporaryFolder folder;
  constexpr FileMark own{.text = "# ours: ", .own_name = true};
  const fs::path path = folder.file("given", "# ours: 5");
  REQUIRE(chown(path.c_str(), 65534, 65534) == 0);
  CHECK_THROWS_WITH(read_marked_file(path, own, 100), Contains("another user; remove it"));
  CHECK_THROWS_WITH(
      write_marked_file(path, own, [](const ContentSink& sink) { sink("# ours: 6"); }),
      Contains("another user; remove it"));
  CHECK_FALSE(remove_marked_file(path, own).removed);
  CHECK(read_regular_file(path, 100) == "# ours: 5");
  // Without own_name, the owner does not matter.
  write_one(path, "# ours: 6");
  CHECK(read_regular_file(path, 100) == "# ours: 6");
}
