#pragma once

// A socket with a name in the file system.

#include <sys/types.h>

#include <string>

namespace pssp {

/// A stream socket with mode 0660 that is bound to a path; its owner calls listen().
class UnixSocket {
 public:
  /// Throws Error(usage) if the path is a file that is not a socket, which stays unchanged, or a
  /// socket on which a process listens; Error(output) if the socket cannot be created. Replaces the
  /// socket of a process that has ended.
  explicit UnixSocket(std::string path);
  UnixSocket(const UnixSocket&) = delete;
  UnixSocket& operator=(const UnixSocket&) = delete;
  /// Removes the name, unless it now belongs to another socket.
  ~UnixSocket();

  /// The descriptor; from now on the caller must close it.
  int release() noexcept;

 private:
  std::string path_;
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace pssp
