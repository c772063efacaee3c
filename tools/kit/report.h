#pragma once

// How a program speaks: remarks and warnings on stderr, each with the program's name before it, and
// answers as text or JSON.

#include <span>
#include <string>
#include <string_view>

#include "base/file_io.h"

namespace pssp {

/// What a program has to say beside its answer. Nothing here throws because stderr is closed or
/// full: a message that cannot be said changes neither the answer nor the exit code.
class Report {
 public:
  /// From here on the program prints no warnings and no progress lines (--quiet).
  static void be_quiet() noexcept;
  static bool is_quiet() noexcept;

  /// `tool` is the name of the program, which is not copied.
  explicit constexpr Report(const char* tool) : tool_(tool) {}

  /// "TOOL: TEXT"
  void print_line(std::string_view text) const noexcept;

  /// "TOOL: warning: TEXT", unless the program is quiet.
  void warn(std::string_view text) const noexcept;
  void warn(std::span<const std::string> texts) const noexcept;

 private:
  void write(std::string_view kind, std::string_view text) const noexcept;

  const char* tool_;
};

/// Writes an answer to `file` ("-" is standard output): what `json` returns where JSON is wanted,
/// otherwise what `text` returns. Both return a string; only the wanted one is called. Throws
/// Error(output).
template <class Text, class Json>
void write_answer(const std::string& file, bool as_json, const Text& text, const Json& json) {
  if (as_json) {
    write_file(file, json());
  } else {
    write_file(file, text());
  }
}

}  // namespace pssp
