// A repeated pair means two flows. Empty levels are rejected, because they would change the numbers
// of --ptrn-level; so are pairs of a rank with itself.

#include "evaluator/patterns/pattern_file.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::size_t largest_pattern_file = std::size_t{256} << 20;

constexpr std::string_view expected_levels =
    "expected 'level', or the source and the destination of a flow, e.g. 0 1, or 0 -> 1";

class PatternFileParser {
 public:
  PatternFileParser(std::string_view text, std::string_view name, std::uint32_t ranks)
      : lines_(text, name, describe_content), content_(text), name_(name), ranks_(ranks) {}

  PatternLevels parse() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty() || line.front() == '#' || is_rule(line)) continue;
      if (begins_level(line)) {
        end_level();
        level_line_ = lines_.number();
      } else {
        levels_.flows.push_back(read_flow(line));
        levels_.bytes.push_back(read_bytes(line));
      }
    }
    end_level();
    if (levels_.flows.empty()) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}: the file contains no flow: it is {}; {}", name_,
                              describe_content(content_, name_), expected_levels));
    }
    return std::move(levels_);
  }

 private:
  /// The lines of equal signs around a level in the output of --printptrn.
  static bool is_rule(std::string_view line) {
    return line.find_first_not_of('=') == std::string_view::npos;
  }

  static bool begins_level(std::string_view line) {
    if (line == "Used Pattern:") return true;
    return take(line, "level") && is_end(line);
  }

  static bool is_end(std::string_view rest) {
    rest = without_indent(rest);
    return rest.empty() || rest.front() == '#' || rest.front() == '|';
  }

  void end_level() {
    if (levels_.flows.size() != levels_.first.back()) {
      levels_.first.push_back(levels_.flows.size());
    } else if (level_line_ != 0) {
      fail_at(name_, level_line_, "the level that begins here contains no flow");
    }
  }

  Flow read_flow(std::string_view line) const {
    std::string_view rest = line;
    const auto source = take_number(rest);
    rest = without_indent(rest);
    take(rest, "->");
    rest = without_indent(rest);
    // Each number takes all its digits, so two numbers are never read from one.
    const auto destination = take_number(rest);
    if (!source || !destination || !is_end(rest)) {
      lines_.fail(fmt::format("invalid flow '{}'; {}", excerpt(line), expected_levels));
    }
    return {checked(*source), checked_other(*destination, *source)};
  }

  /// A bar, a number and the word; other remarks contain no bytes.
  static std::uint64_t read_bytes(std::string_view line) {
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) return 1;
    std::string_view rest = without_indent(line.substr(bar + 1));
    const auto bytes = take_number(rest);
    return bytes && trimmed(rest) == "bytes" ? *bytes : 1;
  }

  std::uint32_t checked(std::uint64_t rank) const {
    if (rank >= ranks_) {
      lines_.fail(
          fmt::format("unknown rank {} in a communicator of {} ranks: ranks are numbered from 0",
                      rank, ranks_));
    }
    return static_cast<std::uint32_t>(rank);
  }

  std::uint32_t checked_other(std::uint64_t rank, std::uint64_t source) const {
    if (rank == source) lines_.fail(fmt::format("rank {} sends to itself", rank));
    return checked(rank);
  }

  TextLines lines_;
  std::string_view content_;
  std::string name_;
  std::uint32_t ranks_;
  std::size_t level_line_ = 0;  // 0: no line began the level
  PatternLevels levels_;
};

class FilePattern final : public Pattern {
 public:
  FilePattern(PatternLevels levels, std::uint32_t ranks)
      : levels_(std::move(levels)), ranks_(ranks) {}

  std::uint32_t level_count() const override {
    return static_cast<std::uint32_t>(levels_.first.size() - 1);
  }
  void write_level(std::uint32_t level, RandomGenerator /*random*/,
                   FlowWriter& flows) const override {
    for (std::size_t i = levels_.first[level]; i < levels_.first[level + 1]; ++i) {
      flows.add(levels_.flows[i].source, levels_.flows[i].destination);
    }
  }
  std::uint32_t observed_ranks() const override { return ranks_; }

 private:
  PatternLevels levels_;
  std::uint32_t ranks_;
};

std::unique_ptr<Pattern> make_pattern_file(const PatternSpec& request, std::string_view argument) {
  const std::string path(argument);
  return std::make_unique<FilePattern>(
      parse_pattern_levels(read_file(path, largest_pattern_file), path, request.ranks),
      request.ranks);
}

}  // namespace

PatternLevels parse_pattern_levels(std::string_view text, std::string_view name,
                                   std::uint32_t ranks) {
  return PatternFileParser(text, name, ranks).parse();
}

const PatternDescription file_pattern = {"file", "PATH", "phases of rank pairs from a file",
                                         make_pattern_file};

}  // namespace pssp
