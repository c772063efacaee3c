// A file of lines to which the program appends, and which is sometimes replaced by its own end. The
// cost is one read and one write of the input, and one more copy of each byte per four megabytes.
// The memory for copying is static, because a child of fork() must not allocate heap memory.

#include "ibsim_harness/bounded_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace pssp {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;
std::array<char, piece_bytes> relay_buffer;  // for the only relay of a process

/// True if all bytes were written.
bool write_all(int to, const char* bytes, std::size_t count) noexcept {
  while (count != 0) {
    const ssize_t written = write(to, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

/// The end of `from`, starting with the first line after `offset`. Below 0: an error.
long copy_lines(int from, long offset, int to) noexcept {
  long copied = 0;
  bool begun = false;
  while (true) {
    const ssize_t got = pread(from, relay_buffer.data(), relay_buffer.size(), offset);
    if (got < 0) return -1;
    if (got == 0) return copied;
    offset += got;
    const char* bytes = relay_buffer.data();
    auto count = static_cast<std::size_t>(got);
    if (!begun) {
      const void* const end = std::memchr(bytes, '\n', count);
      if (end == nullptr) continue;
      const auto skipped = static_cast<std::size_t>(static_cast<const char*>(end) - bytes) + 1;
      bytes += skipped;
      count -= skipped;
      begun = true;
    }
    if (!write_all(to, bytes, count)) return -1;
    copied += static_cast<long>(count);
  }
}

/// Replaces the file by its end, and returns the new length. If that fails, the file is empty.
long cut_log(int log, long length, const char* file, const char* part) noexcept {
  constexpr mode_t for_all = 0666;
  const int from = open(file, O_RDONLY | O_CLOEXEC);
  const int to = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, for_all);
  long kept = from >= 0 && to >= 0 ? copy_lines(from, length - kept_of_log, to) : -1;
  if (kept >= 0 && rename(part, file) == 0) {
    dup2(to, log);
  } else {
    kept = 0;
    static_cast<void>(!ftruncate(log, 0));
  }
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  return kept;
}

}  // namespace

void relay_bounded(int input, int log, const char* file, const char* part) noexcept {
  long length = 0;
  while (true) {
    const ssize_t got = read(input, relay_buffer.data(), relay_buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    if (!write_all(log, relay_buffer.data(), static_cast<std::size_t>(got))) continue;
    length += got;
    if (length > longest_log) length = cut_log(log, length, file, part);
  }
}

}  // namespace pssp
