#pragma once

// A log of another program, from now on; it may be as long as it likes.

#include <cstdint>
#include <filesystem>
#include <string>

namespace pssp {

/// What is added to a log from now on. A log that begins again is read from its beginning.
class LogTail {
 public:
  /// `file` may be empty or missing: then nothing is ever added.
  explicit LogTail(std::filesystem::path file);
  /// Takes in what was added, in whole lines.
  void read_more();
  const std::string& text() const noexcept { return text_; }
  /// From here on.
  void forget() { text_.clear(); }

 private:
  std::filesystem::path file_;
  std::uintmax_t at_ = 0;
  std::string rest_, text_;
};

}  // namespace pssp
