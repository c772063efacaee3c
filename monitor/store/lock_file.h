#pragma once

// One writer a database: a file beside it that the writing process holds.

#include <filesystem>

namespace pssp {

class LockFile {
 public:
  /// Holds FILE.lock until the object ends, also where the process is killed. Throws Error(output)
  /// where another process holds it, naming that process, or where it cannot be made.
  explicit LockFile(const std::filesystem::path& file);
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile();

 private:
  int fd_ = -1;
};

}  // namespace pssp
