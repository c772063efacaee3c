#include "base/file_beside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "base/error.h"
#include "base/temporary_names.h"

namespace pssp {
namespace {

[[noreturn]] void fail_at_file(const std::filesystem::path& path, int error) {
  throw Error(ErrorKind::output, fmt::format("cannot write {}: {}", path.string(), reason(error)));
}

}  // namespace

FileBeside::FileBeside(const std::filesystem::path& target, mode_t mode) : target_(target) {
  // A killed process with the same number may have left such a name.
  constexpr unsigned max_tries = 100;
  constexpr int create_flags =
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  for (unsigned i = 0; fd_ < 0 && i < max_tries; ++i) {
    path_ = temporary_name(target, i);
    fd_ = ::open(path_.c_str(), create_flags, mode);
    if (fd_ < 0 && errno != EEXIST) break;
  }
  if (fd_ < 0) fail_at_file(path_, errno);
  mark_as_in_use(fd_);
}

FileBeside::~FileBeside() {
  if (fd_ >= 0) ::close(fd_);
  if (!published_) ::unlink(path_.c_str());
}

void FileBeside::make_durable(mode_t mode) {
  if (::fchmod(fd_, mode) != 0) fail_at_file(path_, errno);
  is_durable_ = true;
}

void FileBeside::fill(const ContentSource& content) {
  content([this](std::string_view part) {
    while (!part.empty()) {
      const ssize_t count = ::write(fd_, part.data(), part.size());
      if (count >= 0) {
        part.remove_prefix(static_cast<std::size_t>(count));
      } else if (errno != EINTR) {
        fail_at_file(path_, errno);
      }
    }
  });
  if (is_durable_ && ::fsync(fd_) != 0) fail_at_file(path_, errno);
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail_at_file(path_, errno);
}

void FileBeside::publish() {
  if (::rename(path_.c_str(), target_.c_str()) != 0) fail_at_file(target_, errno);
  published_ = true;
}

}  // namespace pssp
