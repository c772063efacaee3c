// The kernel drops the lock when the process ends for any reason, so there are no stale locks and
// nothing to repair. The file itself stays, because deleting it would race with the next process
// that opens it. Its content is used for error messages only.

#include "monitor/store/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

std::string content_of(int fd) {
  std::array<char, 128> text{};
  const ssize_t size = pread(fd, text.data(), text.size(), 0);
  return size > 0 ? excerpt(trimmed({text.data(), static_cast<std::size_t>(size)})) : std::string{};
}

std::string own_name() {
  std::string name = "process";
  try {
    name = printable(trimmed(read_file("/proc/self/comm", 64)));
    while (!name.empty() && (name.back() == '\n' || name.back() == ' ')) name.pop_back();
  } catch (const Error&) {
    // The name is optional.
  }
  return fmt::format("{} {}\n", name, getpid());
}

}  // namespace

LockFile::LockFile(const std::filesystem::path& file) {
  const std::string name = file.string() + ".lock";
  fd_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
  if (fd_ < 0) {
    throw Error(ErrorKind::output, fmt::format("{}: cannot be written: {}; the folder of the "
                                               "database must exist and be writable",
                                               excerpt(name), reason(errno)));
  }
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    const int why = errno;
    const std::string holder = content_of(fd_);
    close(fd_);
    throw Error(ErrorKind::output,
                why == EWOULDBLOCK
                    ? fmt::format("{}: another process ({}) is using the database; stop it, or "
                                  "choose another database",
                                  excerpt(file.string()), holder.empty() ? "unknown" : holder)
                    : fmt::format("{}: cannot be locked: {}", excerpt(name), reason(why)));
  }
  const std::string text = own_name();
  if (ftruncate(fd_, 0) == 0 && pwrite(fd_, text.data(), text.size(), 0) < 0) {
    // On a full disk the message of another process lacks the name; nothing else depends on it.
  }
}

LockFile::~LockFile() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace pssp
