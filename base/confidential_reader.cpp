// Errors in files begin with "FILE:LINE: ", which is not confidential. The rest quotes the content,
// which users with access can find in the file.

#include "base/confidential_reader.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "base/guarded_files.h"

namespace pssp {
namespace {

/// The line of "FILE:LINE: ..."; 0 for other texts.
unsigned line_in(std::string_view text, std::string_view file) {
  if (!text.starts_with(file) || !text.substr(file.size()).starts_with(':')) return 0;
  text.remove_prefix(file.size() + 1);
  unsigned line = 0;
  for (const char each : text) {
    if (each < '0' || each > '9') break;
    line = line * 10 + static_cast<unsigned>(each - '0');
  }
  return line;
}

}  // namespace

std::string ConfidentialReader::read(const std::filesystem::path& path, std::size_t limit) {
  std::string content = read_regular_file(path, limit);
  note(path);
  return content;
}

void ConfidentialReader::note(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IROTH) == 0) is_private_ = true;
  names_.push_back(path.string());
}

Error ConfidentialReader::redacted(const Error& error) const {
  if (!is_private_) return error;
  constexpr std::string_view why =
      "cannot be used; the reason is withheld, because not every user may read the file";
  for (const std::string& name : names_) {
    const unsigned line = line_in(error.what(), name);
    if (line == 0) continue;
    return {error.kind(),
            fmt::format("{0}:{1}: the line {2}; sed -n {1}p shows the line", name, line, why)};
  }
  return {error.kind(), fmt::format("{}: the content {}", names_.back(), why)};
}

}  // namespace pssp
