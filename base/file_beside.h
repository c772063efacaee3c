#pragma once

// A new file that replaces another one by a rename, so that the name always refers to the complete
// old or new content, and a symbolic link is replaced instead of followed. For guarded_files.h and
// private_files.h; programs write their results with file_io.h.

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/file_io.h"

namespace pssp {

/// A new file next to the target; removed unless it is published.
class FileBeside {
 public:
  /// `mode` as for open(). Throws Error(output).
  FileBeside(const std::filesystem::path& target, mode_t mode);
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;
  ~FileBeside();

  /// Sets exactly this mode, regardless of the umask, and makes fill() flush the file to the disk.
  /// Throws Error(output).
  void make_durable(mode_t mode);
  /// Throws Error(output), and the exceptions of `content`.
  void fill(const ContentSource& content);
  /// Throws Error(output).
  void publish();

 private:
  std::filesystem::path target_;
  std::string path_;
  int fd_ = -1;
  bool is_durable_ = false;
  bool published_ = false;
};

}  // namespace pssp
