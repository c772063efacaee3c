#pragma once

// Reads files in a root process whose log is world-readable: the log quotes the content of a file
// only if the file is world-readable, too.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace pssp {

/// Reads regular files (guarded_files.h), and removes confidential content from errors.
class ConfidentialReader {
 public:
  /// As read_regular_file().
  std::string read(const std::filesystem::path& path, std::size_t limit);
  /// Registers a file that was read elsewhere.
  void note(const std::filesystem::path& path);

  /// The error to report: unchanged if all read files are world-readable; else only the file and
  /// line at its beginning.
  Error redacted(const Error& error) const;

 private:
  std::vector<std::string> names_;
  bool is_private_ = false;
};

}  // namespace pssp
