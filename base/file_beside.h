#pragma once

// A new file that takes the place of another one by a rename, so that the name means the old
// content or the new one, and a link of that name is replaced and not followed. For guarded_files.h
// and private_files.h; programs write their answers with file_io.h.

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/file_io.h"

namespace pssp {

/// A new file beside the target; removed again unless it got the target's name.
class FileBeside {
 public:
  /// `mode` as for open(). Throws Error(output).
  FileBeside(const std::filesystem::path& target, mode_t mode);
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;
  ~FileBeside();

  /// Gives it exactly this mode, whatever the umask is, and has fill() flush it to the disk. Throws
  /// Error(output).
  void make_durable(mode_t mode);
  /// Throws Error(output), and whatever `content` throws.
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
