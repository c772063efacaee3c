#include <catch2/catch.hpp>
#include <filesystem>

#include "base/confidential_reader.h"
#include "tests/temporary_folder.h"

using namespace pssp;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr auto for_the_owner = fs::perms::owner_read | fs::perms::owner_write;
constexpr auto for_all = for_the_owner | fs::perms::group_read | fs::perms::others_read;

/// The text of an error about the content of a file that has these permissions.
std::string redacted(const fs::path& path, fs::perms rights, const std::string& message) {
  fs::permissions(path, rights);
  ConfidentialReader reader;
  CHECK(reader.read(path, 100) == "root:secret\n");
  const Error error = reader.redacted(Error(ErrorKind::usage, message));
  CHECK(error.kind() == ErrorKind::usage);
  return error.what();
}

}  // namespace

TEST_CASE("errors quote the content of a file only if all users may read the file") {
  const test::TemporaryFolder folder;
  const fs::path path = folder.file("options", "root:secret\n");
  const std::string at_line = path.string() + ":17: 'root:secret' is no option";
  CHECK(redacted(path, for_all, at_line) == at_line);
  for (const fs::perms rights : {for_the_owner, for_the_owner | fs::perms::group_read}) {
    for (const std::string& message :
         {at_line, path.string() + ": 'root:secret'", "root:secret in " + path.string(),
          path.string() + ":root:secret", path.string() + "x:5: root:secret"}) {
      const std::string said = redacted(path, rights, message);
      CHECK_THAT(said, Contains(path.string()) && Contains("not every user may read"));
      CHECK_THAT(said, !Contains("secret"));
    }
    CHECK_THAT(redacted(path, rights, at_line), Catch::StartsWith(path.string() + ":17: "));
  }
}

TEST_CASE("errors quote no content if one of several files is private") {
  const test::TemporaryFolder folder;
  const fs::path open = folder.file("open", "names the other\n");
  const fs::path closed = folder.file("closed", "root:secret\n");
  fs::permissions(open, for_all);
  fs::permissions(closed, for_the_owner);
  ConfidentialReader reader;
  reader.read(open, 100);
  reader.read(closed, 100);
  const Error error = reader.redacted(
      Error(ErrorKind::usage, open.string() + ":3: closed: 'root:secret' is no number"));
  CHECK_THAT(error.what(), Catch::StartsWith(open.string() + ":3: ") && !Contains("secret"));
}

TEST_CASE("ConfidentialReader leaves an error unchanged if it has read no file") {
  const test::TemporaryFolder folder;
  ConfidentialReader reader;
  CHECK_THROWS_WITH(reader.read(folder / "missing", 100), Contains("missing"));
  CHECK(std::string(reader.redacted(Error(ErrorKind::usage, "no such file")).what()) ==
        "no such file");
}
