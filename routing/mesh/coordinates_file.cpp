// A switch is given by one word, or by any text in double quotes. Only numbers follow the text, so
// the last quote of the line ends it, and quotes in descriptions need no escapes.

#include "routing/mesh/coordinates_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/guarded_files.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;
// With 49151 unicast LIDs and 10,000 switches, a mesh has at most 13 dimensions of size two or
// more.
constexpr std::size_t most_dimensions = 16;
constexpr std::uint64_t largest_coordinate = 65535;

constexpr std::string_view expected_line =
    "expected a switch (node GUID, name or \"description\") and its coordinates, e.g. S00001 0 2";

/// Builds the file line by line.
class CoordinatesParser {
 public:
  CoordinatesParser(std::string_view text, std::string_view name)
      : lines_(text, name, describe_content), content_(text) {
    file_.name = name;
  }

  CoordinatesFile parse() {
    while (lines_.next()) {
      std::string_view rest = trimmed(lines_.line());
      if (rest.empty() || rest.front() == '#') continue;
      std::string_view after_word = rest;
      if (file_.switches.empty() && take_word(after_word) == "dimensions") {
        read_header(after_word);
      } else {
        read_switch(rest);
      }
    }
    if (file_.switches.empty()) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}: the file names no switch: it is {}; {}", file_.name,
                              describe_content(content_, file_.name), expected_line));
    }
    return std::move(file_);
  }

 private:
  void read_header(std::string_view rest) {
    if (file_.header_line != 0) {
      lines_.fail(fmt::format("the dimensions are already given in line {}", file_.header_line));
    }
    file_.header_line = lines_.number();
    while (!at_end(rest)) {
      const std::string_view word = take_word(rest);
      std::string_view left = word;
      const auto size = take_number(left);
      if (!size || *size == 0 || *size > largest_coordinate + 1 || (!left.empty() && left != "t")) {
        lines_.fail(
            fmt::format("invalid size of a dimension '{}'; expected a whole number, 1 .. {}, "
                        "followed by t for a torus dimension, e.g. dimensions 5 5t",
                        excerpt(word), largest_coordinate + 1));
      }
      file_.dimensions.push_back({static_cast<std::uint32_t>(*size), !left.empty()});
    }
    require_count(file_.dimensions.size());
    file_.dimension_count = file_.dimensions.size();
  }

  void read_switch(std::string_view rest) {
    StatedCoordinates stated;
    stated.line = lines_.number();
    stated.text = take_identity(rest);
    while (!at_end(rest)) {
      const std::string_view word = take_word(rest);
      std::string_view left = word;
      const auto number = take_number(left);
      if (!number || *number > largest_coordinate || !left.empty()) {
        lines_.fail(fmt::format("invalid coordinate '{}'; expected a whole number, 0 .. {}; {}",
                                excerpt(word), largest_coordinate, expected_line));
      }
      if (stated.coordinates.size() > most_dimensions) break;  // require_count() rejects the line
      stated.coordinates.push_back(static_cast<std::uint32_t>(*number));
    }
    require_count(stated.coordinates.size());
    if (file_.dimension_count == 0) file_.dimension_count = stated.coordinates.size();
    if (stated.coordinates.size() != file_.dimension_count) {
      lines_.fail(fmt::format("'{}' has {} coordinates; expected {}, as in the lines before",
                              excerpt(stated.text), stated.coordinates.size(),
                              file_.dimension_count));
    }
    file_.switches.push_back(std::move(stated));
  }

  std::string_view take_identity(std::string_view& rest) const {
    if (rest.front() != '"') return take_word(rest);
    const std::size_t close = rest.rfind('"');
    if (close == 0) lines_.fail("the closing quote of the description is missing");
    const std::string_view text = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
    if (text.empty())
      lines_.fail(fmt::format("the description in quotes is empty; {}", expected_line));
    return text;
  }

  void require_count(std::size_t count) const {
    if (count != 0 && count <= most_dimensions) return;
    lines_.fail(fmt::format("{} numbers; expected 1 .. {}, one for each dimension; {}", count,
                            most_dimensions, expected_line));
  }

  static bool at_end(std::string_view& rest) {
    rest = without_indent(rest);
    return rest.empty() || rest.front() == '#';
  }

  TextLines lines_;
  std::string_view content_;
  CoordinatesFile file_;
};

[[noreturn]] void mismatch(const std::string& message) {
  throw Error(ErrorKind::mismatch, message);
}

/// Finds switches by GUID, name or description.
class SwitchFinder {
 public:
  explicit SwitchFinder(const Fabric& fabric) : fabric_(fabric) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      by_name_[fabric.switches()[s].name].emplace_back(s);
      by_description_[fabric.switches()[s].description].emplace_back(s);
    }
  }

  /// All switches that match the text: by GUID, or else by name, or else by description.
  std::vector<SwitchId> find(const std::string& text) const {
    if (const auto by_guid = find_guid(text)) return {*by_guid};
    if (const auto found = by_name_.find(text); found != by_name_.end()) return found->second;
    if (const auto found = by_description_.find(text); found != by_description_.end()) {
      return found->second;
    }
    return {};
  }

 private:
  std::optional<SwitchId> find_guid(std::string_view text) const {
    if (!text.starts_with("0x")) return std::nullopt;
    const auto guid = take_c_number(text);
    if (!guid || !text.empty()) return std::nullopt;
    return fabric_.find_switch(*guid);
  }

  const Fabric& fabric_;
  std::unordered_map<std::string_view, std::vector<SwitchId>> by_name_, by_description_;
};

/// `unknown`: the first line that matches no switch, or null.
void require_all_stated(const CoordinatesFile& file, const Fabric& fabric,
                        const std::vector<std::size_t>& line_of, const StatedCoordinates* unknown) {
  constexpr std::size_t examples = 5;
  std::vector<std::string> missing;
  std::size_t count = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const bool cabled = fabric.first_channel()[s] != fabric.first_channel()[s + 1];
    if (!cabled || line_of[s] != 0) continue;
    if (++count <= examples) missing.push_back(fabric.label(SwitchId(s)));
  }
  if (count == 0) return;
  const std::string misnamed =
      unknown == nullptr
          ? ""
          : fmt::format(", or correct line {}: no switch has the GUID, name or description '{}'",
                        unknown->line, excerpt(unknown->text));
  mismatch(
      fmt::format("{}: {} of {} switches have no coordinates, for example {}; add a line for each "
                  "switch that is cabled to another switch{}",
                  file.name, count, fabric.switch_count(), fmt::join(missing, ", "), misnamed));
}

}  // namespace

CoordinatesFile parse_coordinates(std::string_view text, std::string_view name) {
  return CoordinatesParser(text, name).parse();
}

CoordinatesFile read_coordinates(const std::filesystem::path& path) {
  return parse_coordinates(read_regular_file(path, largest_file), path.string());
}

std::vector<SwitchId> match_coordinates(const CoordinatesFile& file, const Fabric& fabric) {
  const SwitchFinder finder(fabric);
  std::vector<std::size_t> line_of(fabric.switch_count(), 0);
  std::vector<SwitchId> owners;
  owners.reserve(file.switches.size());
  const StatedCoordinates* unknown = nullptr;
  for (const StatedCoordinates& each : file.switches) {
    const std::vector<SwitchId> found = finder.find(each.text);
    if (found.empty()) {
      if (unknown == nullptr) unknown = &each;
      owners.emplace_back();
      continue;
    }
    if (found.size() > 1) {
      mismatch(fmt::format("{}:{}: {} switches are called '{}'; name them by GUID, e.g. {:#018x}",
                           file.name, each.line, found.size(), excerpt(each.text),
                           fabric.switch_at(found.front()).guid));
    }
    std::size_t& line = line_of[found.front().value()];
    if (line != 0) {
      mismatch(fmt::format("{}:{}: switch {} already has coordinates from line {}", file.name,
                           each.line, fabric.label(found.front()), line));
    }
    line = each.line;
    owners.push_back(found.front());
  }
  require_all_stated(file, fabric, line_of, unknown);
  if (std::ranges::none_of(owners, [](SwitchId each) { return each.valid(); })) {
    mismatch(
        fmt::format("{}:{}: the fabric has no switch with the GUID, name or description '{}', and "
                    "none of the switches in the other lines",
                    file.name, unknown->line, excerpt(unknown->text)));
  }
  return owners;
}

}  // namespace pssp
