#pragma once

// The file that option capacity_file names, as it is when a routing begins.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "fabric/formats/capacity_file.h"

namespace pssp {

class CapacitySource {
 public:
  /// An empty path: there is none. A file that was written longer ago than `max_age` is as none.
  CapacitySource(std::filesystem::path path, std::chrono::hours max_age)
      : path_(std::move(path)), max_age_(max_age) {}

  /// What the file says; nothing, and the reason in `said`, where it is missing, no regular file,
  /// too old or broken. Waits for no one.
  std::optional<CapacityFile> read(std::string& said) const;

 private:
  std::filesystem::path path_;
  std::chrono::hours max_age_;
};

/// What the log says where a file does not count.
std::string nominal_capacities(std::string_view reason);

}  // namespace pssp
