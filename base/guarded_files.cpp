// Every name is checked before it is opened, and again through the descriptor, because the file may
// have been replaced in between.

#include "base/guarded_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/error.h"
#include "base/file_beside.h"

namespace pssp {
namespace {

constexpr std::string_view not_ours =
    "it is an unknown file: this plugin did not write it; remove it if it is not needed";
constexpr std::string_view of_another_user =
    "it belongs to another user; remove it if it is not needed";

constexpr std::string_view writable_by_others =
    "other users can write to it: check its content, then chmod go-w, or remove it";

constexpr int guarded = O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

/// Closes its descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  bool valid() const noexcept { return fd_ >= 0; }

 private:
  int fd_;
};

/// Why the file is not regular, as a clause; empty for a regular file.
std::string why_not_regular(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "it is a directory; a file was expected";
  const char* const kind = S_ISFIFO(mode)   ? "a FIFO"
                           : S_ISLNK(mode)  ? "a symbolic link"
                           : S_ISSOCK(mode) ? "a socket"
                                            : "a device";
  return fmt::format("it is {}; only regular files are used inside opensm", kind);
}

[[noreturn]] void fail_to_read(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorKind::unreadable_input, fmt::format("cannot read {}: {}", path.string(), why));
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorKind::output, fmt::format("cannot write {}: {}", path.string(), why));
}

/// Opens a regular file for reading; -1 and the reason otherwise. `follow`: follows symbolic links.
struct Opened {
  int fd = -1;
  struct stat status {};
  std::string refusal;
  bool absent = false;
};

Opened open_regular(const std::filesystem::path& path, bool follow) {
  Opened opened;
  const auto stat_call = follow ? &::stat : &::lstat;
  if (stat_call(path.c_str(), &opened.status) != 0) {
    opened.absent = errno == ENOENT || errno == ENOTDIR;
    opened.refusal = reason(errno);
    return opened;
  }
  opened.refusal = why_not_regular(opened.status.st_mode);
  if (!opened.refusal.empty()) return opened;
  opened.fd = ::open(path.c_str(), O_RDONLY | guarded | (follow ? 0 : O_NOFOLLOW));
  if (opened.fd < 0 || ::fstat(opened.fd, &opened.status) != 0) {
    opened.refusal = reason(errno);
  } else {
    opened.refusal = why_not_regular(opened.status.st_mode);
  }
  return opened;
}

/// Up to `size` bytes from the beginning; none if they cannot be read.
std::optional<std::string> read_up_to(int fd, std::size_t size) {
  std::string content(size, '\0');
  std::size_t used = 0;
  while (used < size) {
    const ssize_t count = ::read(fd, content.data() + used, size - used);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    used += static_cast<std::size_t>(count);
  }
  content.resize(used);
  return content;
}

/// The whole content of an opened file, or an error.
std::string content_of(const std::filesystem::path& path, const Opened& opened, std::size_t limit) {
  if (!opened.refusal.empty()) fail_to_read(path, opened.refusal);
  const auto size = static_cast<std::size_t>(opened.status.st_size);
  // One byte more, to detect a file that grows meanwhile.
  std::optional<std::string> content = read_up_to(opened.fd, std::min(size, limit) + 1);
  if (!content) fail_to_read(path, reason(errno));
  if (content->size() > limit) {
    fail_to_read(
        path,
        fmt::format("it has {} bytes, more than the limit of {}; check that it is the right file",
                    std::max(size, content->size()), limit));
  }
  return *std::move(content);
}

/// Whether a power failure can have turned a file with the mark into this.
bool is_remnant(std::string_view begin, std::string_view mark) {
  const bool is_cut = begin.size() < mark.size() && mark.starts_with(begin);
  return is_cut || begin.find_first_not_of('\0') == std::string_view::npos;
}

/// Why the file must not be replaced or removed; empty if it may, or is absent.
std::string why_untrusted(const Opened& opened, FileMark mark) {
  if (!opened.refusal.empty()) return opened.refusal;
  if (mark.own_name && opened.status.st_uid != ::geteuid()) return std::string(of_another_user);
  const std::optional<std::string> begin = read_up_to(opened.fd, mark.text.size());
  if (!begin) return reason(errno);
  if (*begin == mark.text || (mark.own_name && is_remnant(*begin, mark.text))) return {};
  return std::string(not_ours);
}

}  // namespace

std::string read_regular_file(const std::filesystem::path& path, std::size_t limit) {
  const Opened opened = open_regular(path, true);
  const Descriptor file(opened.fd);
  return content_of(path, opened, limit);
}

std::optional<std::string> read_marked_file(const std::filesystem::path& path, FileMark mark,
                                            std::size_t limit) {
  const Opened opened = open_regular(path, false);
  const Descriptor file(opened.fd);
  if (opened.absent) return std::nullopt;
  if (const std::string untrusted = why_untrusted(opened, mark); !untrusted.empty()) {
    fail_to_read(path, untrusted);
  }
  if (mark.own_name && (opened.status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    fail_to_read(path, std::string(writable_by_others));
  }
  if (::lseek(opened.fd, 0, SEEK_SET) < 0) fail_to_read(path, reason(errno));
  std::string content = content_of(path, opened, limit);
  if (!content.starts_with(mark.text)) {
    fail_to_read(path,
                 "it is damaged: its beginning is missing or zeros, as after a power failure");
  }
  return content;
}

void write_marked_file(const std::filesystem::path& path, FileMark mark,
                       const ContentSource& content) {
  {
    const Opened there = open_regular(path, false);
    const Descriptor file(there.fd);
    const bool is_empty = there.refusal.empty() && there.status.st_size == 0;
    if (!there.absent && !is_empty) {
      const std::string untrusted = why_untrusted(there, mark);
      if (!untrusted.empty()) fail_to_write(path, untrusted);
    }
  }
  constexpr mode_t for_all_to_read = 0644;
  FileBeside file(path, for_all_to_read);
  file.fill(content);
  file.publish();
}

Removal remove_marked_file(const std::filesystem::path& path, FileMark mark) {
  const Opened there = open_regular(path, false);
  const Descriptor file(there.fd);
  if (there.absent) return {};
  std::string untrusted = why_untrusted(there, mark);
  if (!untrusted.empty()) return {false, std::move(untrusted)};
  // The name must still refer to the file that was read.
  struct stat now {};
  if (::lstat(path.c_str(), &now) != 0) return {};
  if (now.st_dev != there.status.st_dev || now.st_ino != there.status.st_ino) {
    return {false, "it has just been replaced by another file"};
  }
  if (::unlink(path.c_str()) != 0) return {false, reason(errno)};
  return {true, {}};
}

}  // namespace pssp
