#pragma once

// Files of a process that is root and writes a log which everybody may read: what is wrong with a
// line of a file is said there only where everybody may read the file, too.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace pssp {

/// Reads regular files (guarded_files.h), and afterwards knows how an error in them may be told.
class ConfidentialReader {
 public:
  /// As read_regular_file().
  std::string read(const std::filesystem::path& path, std::size_t limit);
  /// Somebody else read it.
  void note(const std::filesystem::path& path);

  /// An error that was found in what was read: as it is where all of these files may be read by
  /// everybody. Else the file and line that it begins with, and nothing that stands there.
  Error redacted(const Error& error) const;

 private:
  std::vector<std::string> names_;
  bool is_private_ = false;
};

}  // namespace pssp
