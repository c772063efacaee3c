#pragma once

// A name in the file system at which others connect.

#include <sys/types.h>

#include <string>

namespace pssp {

/// A stream socket of mode 0660 that is bound to a path, and listens as soon as its owner lets it.
class UnixSocket {
 public:
  /// Throws Error(usage) where the path is a file that is no socket, which is not touched, or one
  /// that somebody listens on; Error(output) where it cannot be made. What a dead process left is
  /// replaced.
  explicit UnixSocket(std::string path);
  UnixSocket(const UnixSocket&) = delete;
  UnixSocket& operator=(const UnixSocket&) = delete;
  /// Takes the name away, unless it is somebody else's by now.
  ~UnixSocket();

  /// The descriptor; from now on it is the caller's to close.
  int release() noexcept;

 private:
  std::string path_;
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace pssp
