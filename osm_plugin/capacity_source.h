#pragma once

// The file of option capacity_file, read at the beginning of each routing.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "fabric/formats/capacity_file.h"

namespace pssp {

class CapacitySource {
 public:
  /// If `path` is empty, there is no file. A file older than `max_age` is ignored.
  CapacitySource(std::filesystem::path path, std::chrono::hours max_age)
      : path_(std::move(path)), max_age_(max_age) {}

  /// Returns the content of the file, or nothing and the reason in `said` if the file is missing,
  /// not a regular file, too old or invalid. Never blocks.
  std::optional<CapacityFile> read(std::string& said) const;

 private:
  std::filesystem::path path_;
  std::chrono::hours max_age_;
};

/// The text of the log message for an ignored file.
std::string nominal_capacities(std::string_view reason);

}  // namespace pssp
