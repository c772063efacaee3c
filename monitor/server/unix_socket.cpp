// The socket is bound to a temporary name beside the path, gets its mode there, and is then
// renamed. So no client can connect before the mode is set, and the socket of an earlier process is
// replaced in one step.
//
// The bound name is short, because it goes through the descriptor of the folder. A path may have a
// hundred characters, but the accepting library asks for the name and has room for 28 bytes.

#include "monitor/server/unix_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

constexpr mode_t for_owner_and_group = 0660;

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  int value() const noexcept { return value_; }
  int release() noexcept { return std::exchange(value_, -1); }

 private:
  int value_;
};

[[noreturn]] void fail(const std::string& path, const char* what) {
  const std::string reason = std::strerror(errno);
  throw Error(
      ErrorKind::output,
      fmt::format(
          "cannot listen on unix:{}: {}: {}. Choose a path in a folder that this user may write to",
          excerpt(path), what, reason));
}

sockaddr_un named(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(&address.sun_path[0], sizeof address.sun_path - 1);
  return address;
}

/// Name through the descriptor of the folder, because the path may be longer than a socket address.
std::string short_name(const Descriptor& folder, const std::string& name) {
  return fmt::format("/proc/self/fd/{}/{}", folder.value(), name);
}

/// Throws unless the name is free, or is a socket on which no process listens.
void require_free(const std::string& path, const Descriptor& folder, const std::string& name) {
  struct stat status {};
  if (fstatat(folder.value(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return;
    fail(path, "cannot read the file status");
  }
  if (!S_ISSOCK(status.st_mode)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} exists and is not a socket: move it, or choose another path for `listen`",
                    excerpt(path)));
  }
  const Descriptor client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (client.value() < 0) fail(path, "cannot create a socket");
  const sockaddr_un address = named(short_name(folder, name));
  if (connect(client.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
      errno == ECONNREFUSED) {
    return;
  }
  throw Error(ErrorKind::usage,
              fmt::format("another process already listens on {}: stop it, or choose another path",
                          excerpt(path)));
}

/// A short name that is unique to this process.
std::string own_name() {
  constexpr unsigned letters = 36;
  std::string name = ".m";
  for (auto rest = static_cast<unsigned long>(getpid()); rest != 0; rest /= letters) {
    name += "0123456789abcdefghijklmnopqrstuvwxyz"[rest % letters];
  }
  return name;
}

}  // namespace

UnixSocket::UnixSocket(std::string path) : path_(std::move(path)) {
  const std::size_t slash = path_.rfind('/');
  const std::string above = slash == 0 ? "/" : path_.substr(0, slash);
  const std::string name = path_.substr(slash + 1);
  const Descriptor folder(open(above.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.value() < 0) fail(path_, "cannot open the folder");
  require_free(path_, folder, name);

  const std::string own = own_name();
  unlinkat(folder.value(), own.c_str(), 0);  // left over from an earlier process with the same
                                             // number
  Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.value() < 0) fail(path_, "cannot create a socket");
  const std::string bound = short_name(folder, own);
  const sockaddr_un address = named(bound);
  const auto size = static_cast<socklen_t>(sizeof address.sun_family + bound.size() + 1);
  if (bind(made.value(), reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    fail(path_, "cannot create the socket file");
  }
  struct stat status {};
  if (fchmodat(folder.value(), own.c_str(), for_owner_and_group, 0) != 0 ||
      fstatat(folder.value(), own.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      renameat(folder.value(), own.c_str(), folder.value(), name.c_str()) != 0) {
    const int why = errno;
    unlinkat(folder.value(), own.c_str(), 0);
    errno = why;
    fail(path_, "cannot create the socket file");
  }
  device_ = status.st_dev;
  inode_ = status.st_ino;
  descriptor_ = made.release();
}

UnixSocket::~UnixSocket() {
  if (descriptor_ >= 0) close(descriptor_);
  struct stat status {};
  if (lstat(path_.c_str(), &status) != 0) return;
  if (status.st_dev == device_ && status.st_ino == inode_) unlink(path_.c_str());
}

int UnixSocket::release() noexcept { return std::exchange(descriptor_, -1); }

}  // namespace pssp
