#pragma once

// Allows only one writer per database, by means of a lock file beside it.

#include <filesystem>

namespace pssp {

class LockFile {
 public:
  /// Locks FILE.lock until the object is destroyed or the process is killed. Throws Error(output)
  /// if another process holds the lock, naming that process, or if the file cannot be created.
  explicit LockFile(const std::filesystem::path& file);
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile();

 private:
  int fd_ = -1;
};

}  // namespace pssp
