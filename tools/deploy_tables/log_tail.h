#pragma once

// Follows the log of another program, of any length.

#include <cstdint>
#include <filesystem>
#include <string>

namespace pssp {

/// The lines added to a log from now on. A log that is restarted is read from its beginning.
class LogTail {
 public:
  /// `file` may be empty or missing: then there are no lines.
  explicit LogTail(std::filesystem::path file);
  /// Reads new complete lines.
  void read_more();
  const std::string& text() const noexcept { return text_; }
  /// Discards the lines so far.
  void forget() { text_.clear(); }

 private:
  std::filesystem::path file_;
  std::uintmax_t at_ = 0;
  std::string rest_, text_;
};

}  // namespace pssp
