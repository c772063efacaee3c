// A process ID alone does not show whether a writer is alive: IDs are reused, in a container even
// by the same program. So the process must also run this program and be older than the file. Its
// start is known in ticks since the boot, which CLOCK_BOOTTIME relates to the wall clock of file
// times; a changed clock can at worst keep a file, because active writers hold a lock.

#include "base/temporary_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

namespace pssp {
namespace {

namespace fs = std::filesystem;

/// The process ID in "NAME.PID-NUMBER.tmp"; none for other names.
std::optional<pid_t> writer_in(std::string_view name, std::string_view of_file) {
  constexpr std::string_view ending = ".tmp";
  if (!name.starts_with(of_file) || !name.ends_with(ending)) return std::nullopt;
  name.remove_prefix(of_file.size());
  if (name.size() <= ending.size() || !name.starts_with('.')) return std::nullopt;
  name = name.substr(1, name.size() - 1 - ending.size());
  const char* const end = name.data() + name.size();
  unsigned number = 0;
  pid_t writer = 0;
  const auto [dash, failure] = std::from_chars(name.data(), end, writer);
  if (failure != std::errc{} || writer <= 0 || dash == end || *dash != '-') return std::nullopt;
  const auto [rest, no_number] = std::from_chars(dash + 1, end, number);
  if (no_number != std::errc{} || rest != end) return std::nullopt;
  // Only in the form of temporary_name(): no leading zeros or signs.
  if (name != fmt::format("{}-{}", writer, number)) return std::nullopt;
  return writer;
}

std::string line_of(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The start of the process, in seconds of the wall clock; none if unknown.
std::optional<double> start_of(pid_t process) {
  const std::string line = line_of(fmt::format("/proc/{}/stat", process));
  // The name in parentheses can contain anything; field 22 is the start.
  std::size_t at = line.rfind(')');
  constexpr int fields_before = 20;
  for (int i = 0; i < fields_before && at != std::string::npos; ++i) at = line.find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t ticks = 0;
  const char* const end = line.data() + line.size();
  if (std::from_chars(line.data() + at + 1, end, ticks).ec != std::errc{}) return std::nullopt;
  const double since_boot =
      static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return seconds_of(CLOCK_REALTIME) - seconds_of(CLOCK_BOOTTIME) + since_boot;
}

/// Whether that process may still be writing a file with that time.
bool may_be_writing(pid_t writer, const struct stat& status) {
  if (::kill(writer, 0) != 0 && errno == ESRCH) return false;
  const std::string program = line_of(fmt::format("/proc/{}/comm", writer));
  if (program.empty()) return true;  // not visible to us
  if (program != line_of("/proc/self/comm")) return false;
  const std::optional<double> start = start_of(writer);
  constexpr double margin = 1;  // seconds, for coarse clocks
  const auto changed = static_cast<double>(status.st_mtim.tv_sec);
  return !start || changed + margin >= *start;
}

bool remove_if_abandoned(const std::string& path, pid_t writer) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_uid != ::geteuid() || may_be_writing(writer, status)) return false;
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat opened {};
  const bool is_free = ::fstat(fd, &opened) == 0 && opened.st_ino == status.st_ino &&
                       opened.st_dev == status.st_dev && ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  const bool is_removed = is_free && ::unlink(path.c_str()) == 0;
  ::close(fd);
  return is_removed;
}

}  // namespace

std::string temporary_name(const fs::path& file, unsigned number) {
  return fmt::format("{}.{}-{}.tmp", file.string(), ::getpid(), number);
}

void mark_as_in_use(int fd) noexcept { static_cast<void>(::flock(fd, LOCK_EX | LOCK_NB)); }

std::vector<std::string> remove_abandoned_files(const fs::path& file) {
  std::vector<std::string> removed;
  std::error_code failure;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::string name = file.filename().string();
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string path = at->path().string();
    const std::optional<pid_t> writer = writer_in(at->path().filename().string(), name);
    if (writer && remove_if_abandoned(path, *writer)) removed.push_back(path);
  }
  return removed;
}

}  // namespace pssp
