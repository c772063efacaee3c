// `scontrol show hostnames` writes one name per line, Open MPI accepts "name slots=8", MPICH
// "name:8", and `scontrol show nodes --oneliner` begins its lines with "NodeName=name".

#include "fabric/nodes/host_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/nodes/host_list.h"

namespace pssp {
namespace {

/// "name" of "name:8".
std::string_view without_slots(std::string_view word) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == word.size()) return word;
  const std::string_view slots = word.substr(colon + 1);
  return std::ranges::all_of(slots, is_digit) ? word.substr(0, colon) : word;
}

class UniqueNames {
 public:
  void add(std::vector<std::string> names) {
    for (std::string& name : names) {
      if (seen_.insert(name).second) names_.push_back(std::move(name));
    }
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::vector<std::string> parse_host_file(std::string_view text, std::string_view name) {
  UniqueNames names;
  TextLines lines(text, name);
  while (lines.next()) {
    std::string_view line = trimmed(lines.line().substr(0, lines.line().find('#')));
    if (line.empty()) continue;
    try {
      take(line, "NodeName=");
      names.add(expand_host_list(without_slots(take_word(line))));
    } catch (const Error& error) {
      lines.fail(error.what());
    }
  }
  return names.take();
}

std::vector<std::string> read_host_names(const std::string& list_or_file) {
  constexpr std::size_t largest_file = std::size_t{64} << 20;
  UniqueNames names;
  std::error_code ignored;
  if (list_or_file == standard_stream || std::filesystem::exists(list_or_file, ignored)) {
    names.add(parse_host_file(read_file(list_or_file, largest_file), list_or_file));
  } else {
    names.add(expand_host_list(list_or_file));
  }
  std::vector<std::string> found = names.take();
  if (found.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}' names no node: expected a list (n[1-8]) or a file with one name per line",
                    excerpt(list_or_file)));
  }
  return found;
}

}  // namespace pssp
