// File input and output by plain system calls: errors are known by errno, standard input and pipes
// are read like files, and a result is on the disk before its name appears.

#include "base/file_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/memory_may_end.h"
#include "base/temporary_names.h"

namespace pssp {
namespace {

constexpr std::size_t chunk = std::size_t{1} << 16;

class FileDescriptor {
 public:
  FileDescriptor() = default;
  FileDescriptor(int fd, bool owned) : fd_(fd), owned_(owned) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (owned_ && fd_ >= 0) ::close(fd_);
  }

  /// For a descriptor that is not open.
  void open(const char* path, int flags, mode_t mode) noexcept { fd_ = ::open(path, flags, mode); }
  int get() const noexcept { return fd_; }
  bool valid() const noexcept { return fd_ >= 0; }
  /// The descriptor, which the caller closes.
  int release() noexcept {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  /// False if the system reports a write error only here (a full or remote disk).
  bool close() noexcept {
    const int fd = fd_;
    fd_ = -1;
    return !owned_ || ::close(fd) == 0;
  }

 private:
  int fd_ = -1;
  bool owned_ = true;
};

[[noreturn]] void fail_to_read(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::unreadable_input, fmt::format("cannot read {}: {}", name, why));
}

[[noreturn]] void fail_to_write(const std::string& name, const std::string& why) {
  throw Error(ErrorKind::output, fmt::format("cannot write {}: {}", name, why));
}

std::string read_all(FileReader& file, std::size_t limit) {
  // One byte more than expected, so that the end of a regular file is found without growing the
  // buffer.
  std::string content(file.size() + 1, '\0');
  std::size_t used = 0;
  for (;;) {
    if (used == content.size()) content.resize(std::max(2 * used, chunk));
    const std::size_t count = file.read(content.data() + used, content.size() - used);
    if (count == 0) break;
    used += count;
    if (used > limit) {
      fail_to_read(
          file.name(),
          fmt::format("it is larger than {} bytes, the limit; check that it is the right file",
                      limit));
    }
  }
  content.resize(used);
  return content;
}

void write_all(int fd, std::string_view content, const std::string& name) {
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count >= 0) {
      content.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      fail_to_write(name, reason(errno));
    }
  }
}

/// Standard output, and existing files that are not regular.
bool is_written_directly(const std::filesystem::path& path) {
  struct stat status {};
  if (path == standard_stream) return true;
  if (::stat(path.c_str(), &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) fail_to_write(path.string(), "it is a directory");
  return !S_ISREG(status.st_mode);
}

void write_directly(const OutputFile& output) {
  const bool is_stdout = output.path == standard_stream;
  const std::string name = is_stdout ? "standard output" : output.path.string();
  FileDescriptor file(is_stdout ? STDOUT_FILENO : ::open(name.c_str(), O_WRONLY | O_CLOEXEC),
                      !is_stdout);
  if (!file.valid()) fail_to_write(name, reason(errno));
  output.content([&](std::string_view part) { write_all(file.get(), part, name); });
  if (!file.close()) fail_to_write(name, reason(errno));
}

/// Names of unfinished files in a form that a signal handler can read: an array of fixed size whose
/// elements change atomically. A signal leaves files behind only if the array is full.
class UnfinishedFiles {
 public:
  /// `path` must stay valid until remove().
  static void add(const char* path) noexcept {
    for (std::atomic<const char*>& slot : slots_) {
      const char* free = nullptr;
      if (slot.compare_exchange_strong(free, path)) return;
    }
  }
  static void remove(const char* path) noexcept {
    for (std::atomic<const char*>& slot : slots_) {
      const char* expected = path;
      if (slot.compare_exchange_strong(expected, nullptr)) return;
    }
  }
  static void unlink_all() noexcept {
    constexpr int most_waits = 1000;  // milliseconds: a disk may block
    for (int i = 0; i < most_waits && being_made_ != 0; ++i) static_cast<void>(::poll({}, 0, 1));
    for (const std::atomic<const char*>& slot : slots_) {
      if (const char* const path = slot.load()) ::unlink(path);
    }
  }

  /// Held while a file is created, until its name is added. Meanwhile, this thread handles no
  /// signal, and unlink_all() in another thread waits; otherwise, the file could be left behind.
  class Making {
   public:
    Making() noexcept {
      sigset_t all;
      ::sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, &before_);
      ++being_made_;
    }
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;
    ~Making() {
      --being_made_;
      ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

   private:
    sigset_t before_{};
  };

 private:
  static_assert(std::atomic<const char*>::is_always_lock_free);
  static inline std::array<std::atomic<const char*>, 64> slots_{};
  static inline std::atomic<unsigned> being_made_ = 0;
};

/// A new file next to its target; removed unless it is published.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : name_(target.string()) {
    struct stat status {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (!exists && errno == ELOOP) fail_to_write(name_, reason(ELOOP));
    // Renaming to a symbolic link would replace the link.
    target_ = where_links_lead(target);
    if (exists) mode_ = status.st_mode & 07777;
    remove_abandoned_files(target_);
    create();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!published_) ::unlink(path_.c_str());
    UnfinishedFiles::remove(path_.c_str());
  }

  void fill(const ContentSource& source) {
    if (mode_ && ::fchmod(file_.get(), *mode_) != 0) fail_to_write(name_, reason(errno));
    source([this](std::string_view part) { write_all(file_.get(), part, path_); });
    if (::fsync(file_.get()) != 0 || !file_.close()) fail_to_write(path_, reason(errno));
  }
  void publish() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
      fail_to_write(target_.string(), reason(errno));
    }
    published_ = true;
  }

 private:
  void create() {
    // The name may be in use by another thread, or left by a crashed process with the same number.
    constexpr unsigned max_tries = 100;
    const UnfinishedFiles::Making making;
    for (unsigned i = 0; !file_.valid() && i < max_tries; ++i) {
      path_ = temporary_name(target_, i);
      file_.open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (!file_.valid() && errno != EEXIST) break;
    }
    if (!file_.valid()) fail_to_write(path_, reason(errno));
    mark_as_in_use(file_.get());
    UnfinishedFiles::add(path_.c_str());
  }

  std::string name_, path_;
  std::filesystem::path target_;
  std::optional<mode_t> mode_;  // of the file to be replaced
  FileDescriptor file_;
  bool published_ = false;
};

}  // namespace

std::string reason(int error_number) { return std::generic_category().message(error_number); }

FileReader::FileReader(const std::filesystem::path& path) {
  const bool is_stdin = path == standard_stream;
  name_ = is_stdin ? "standard input" : path.string();
  FileDescriptor file(is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                      !is_stdin);
  if (!file.valid()) fail_to_read(name_, reason(errno));

  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail_to_read(name_, reason(errno));
  if (S_ISDIR(status.st_mode)) fail_to_read(name_, "it is a directory; a file was expected");
  size_ = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  owned_ = !is_stdin;
  fd_ = file.release();
}

FileReader::FileReader(std::string content, std::string name)
    : owned_(false), name_(std::move(name)), size_(content.size()), peeked_(std::move(content)) {}

FileReader::~FileReader() {
  if (owned_) ::close(fd_);
}

std::size_t FileReader::read_from_system(char* to, std::size_t size) {
  if (fd_ < 0) return 0;  // peeked_ contains everything
  for (;;) {
    const ssize_t count = ::read(fd_, to, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail_to_read(name_, reason(errno));
  }
}

std::size_t FileReader::read(char* to, std::size_t size) {
  if (peeked_used_ == peeked_.size()) return read_from_system(to, size);
  const std::size_t count = peeked_.copy(to, size, peeked_used_);
  peeked_used_ += count;
  return count;
}

std::string_view FileReader::peek(std::size_t size) {
  // A pipe returns what is available, which may be less.
  std::size_t used = peeked_.size();
  while (used < size) {
    peeked_.resize(size);
    const std::size_t count = read_from_system(peeked_.data() + used, size - used);
    used += count;
    peeked_.resize(used);
    if (count == 0) break;
  }
  return std::string_view(peeked_).substr(0, size);
}

std::filesystem::path where_links_lead(const std::filesystem::path& path) {
  // As in Linux.
  constexpr unsigned max_links = 40;
  std::filesystem::path place = path;
  std::error_code error;
  for (unsigned i = 0; i < max_links; ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(place, error);
    if (error) break;
    place = place.parent_path() / next;  // an absolute link replaces the whole path
  }
  return place;
}

std::string read_file(const std::filesystem::path& path, std::size_t limit) {
  FileReader file(path);
  return read_file(file, limit);
}

std::string read_file(FileReader& file, std::size_t limit) {
  if (file.size() > limit) {
    fail_to_read(
        file.name(),
        fmt::format("it has {} bytes, more than the limit of {}; check that it is the right file",
                    file.size(), limit));
  }
  const MemoryMayEnd guard;
  try {
    return read_all(file, limit);
  } catch (const std::bad_alloc&) {
    fail_to_read(file.name(), "it does not fit into memory");
  } catch (const std::length_error&) {
    fail_to_read(file.name(), "it does not fit into memory");
  }
}

void write_files(std::span<const OutputFile> files) {
  std::vector<std::unique_ptr<TemporaryFile>> prepared;
  std::vector<const OutputFile*> direct;
  for (const OutputFile& file : files) {
    if (is_written_directly(file.path)) {
      direct.push_back(&file);
    } else {
      prepared.push_back(std::make_unique<TemporaryFile>(file.path));
      prepared.back()->fill(file.content);
    }
  }
  for (const OutputFile* file : direct) write_directly(*file);
  for (const auto& file : prepared) file->publish();
}

void remove_unfinished_files() noexcept { UnfinishedFiles::unlink_all(); }

void write_file(const std::filesystem::path& path, const ContentSource& source) {
  const OutputFile file{path, source};
  write_files({&file, 1});
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  write_file(path, [content](const ContentSink& sink) { sink(content); });
}

}  // namespace pssp
