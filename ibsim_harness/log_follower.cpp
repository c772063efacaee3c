// The kernel counts changes. A change between a read and a wait ends the wait at once, so no change
// is missed. An incomplete line is left for the next read.

#include "ibsim_harness/log_follower.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace pssp {

LogFollower::LogFollower(std::filesystem::path file) : file_(std::move(file)) {
  descriptor_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor_ < 0 ||
      inotify_add_watch(descriptor_, file_.parent_path().c_str(), IN_MODIFY | IN_CREATE) < 0) {
    throw Error(ErrorKind::internal,
                "cannot watch '" + file_.parent_path().string() + "': " + std::strerror(errno));
  }
}

LogFollower::~LogFollower() { close(descriptor_); }

void LogFollower::read_more() {
  std::array<char, 4096> events{};
  while (read(descriptor_, events.data(), events.size()) > 0) {
  }
  std::ifstream log(file_, std::ios::binary);
  log.seekg(static_cast<std::streamoff>(text_.size()));
  std::string added;
  std::array<char, 65536> part{};
  while (log.read(part.data(), part.size()) || log.gcount() > 0)
    added.append(part.data(), static_cast<std::size_t>(log.gcount()));
  const std::size_t end = added.rfind('\n');
  if (end == std::string::npos) return;
  added.resize(end + 1);
  counts_.read(added);
  text_ += added;
}

}  // namespace pssp
