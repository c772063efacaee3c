// The locked file also marks a folder as a result folder for later runs. The kernel releases the
// lock at the end of the process, however it ends.

#include "ibsim_harness/result_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark = ".opensm-pssp-results";

fs::path new_folder(const std::string& kind) {
  std::error_code error;
  fs::create_directories("out", error);
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 32> stamp{};
  static_cast<void>(std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &parts));
  std::string name = fmt::format("out/{}-{}-XXXXXX", kind, stamp.data());
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorKind::output, "cannot create a folder in " +
                                       (fs::current_path(error) / "out").string() +
                                       "; choose another folder with --out DIR");
  }
  return name;
}

void refuse_what_is_not_ours(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path / mark, error) || fs::is_empty(path, error)) return;
  throw Error(
      ErrorKind::output,
      "--out '" + excerpt(path.string()) +
          "' contains files that are not from an earlier run; choose an empty or a new folder");
}

/// Logs and tables need more space than this; a full disk is reported at the start, not at the
/// first write.
void require_room(const fs::path& path) {
  constexpr std::streamsize wanted = 1 << 20;
  const fs::path file = path / "state.room";
  std::ofstream stream(file, std::ios::binary);
  const std::string zeros(wanted, '\0');
  const bool has_room = stream.write(zeros.data(), wanted) && stream.flush();
  stream.close();
  std::error_code ignored;
  fs::remove(file, ignored);
  if (has_room) return;
  throw Error(ErrorKind::output, "less than 1 MiB of free space in " + path.string() +
                                     "; free some space, or choose another folder with --out DIR");
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& path, const std::string& kind) {
  const fs::path wanted = path.empty() ? new_folder(kind) : path;
  std::error_code error;
  fs::create_directories(wanted, error);
  if (error || access(wanted.c_str(), W_OK) != 0)
    throw Error(ErrorKind::output, "cannot write into --out '" + excerpt(wanted.string()) + "'");
  refuse_what_is_not_ours(wanted);
  path_ = fs::canonical(wanted);
  lock_ = open((path_ / mark).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (lock_ < 0) {
    throw Error(ErrorKind::output, "cannot write into --out '" + excerpt(wanted.string()) +
                                       "': " + std::strerror(errno));
  }
  try {
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      std::string words = kind;
      std::replace(words.begin(), words.end(), '_', ' ');
      throw Error(ErrorKind::output, "another " + words + " is writing into " + path_.string() +
                                         "; choose another --out DIR");
    }
    require_room(path_);
  } catch (...) {
    close(lock_);
    throw;
  }
}

ResultFolder::~ResultFolder() { close(lock_); }

}  // namespace pssp
