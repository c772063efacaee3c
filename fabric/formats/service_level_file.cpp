#include "fabric/formats/service_level_file.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
static_assert(digits.size() == service_level_count);
constexpr char no_route = '.';

class ServiceLevelParser {
 public:
  ServiceLevelParser(std::string_view text, std::string_view name)
      : lines_(text, name, describe_content), content_(text) {
    file_.name = name;
  }

  ServiceLevelFile parse() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty() || line.front() == '#') continue;
      if (ended_) lines_.fail("text follows the line with the number of switches");
      if (!has_header_) {
        read_header(line);
      } else if (line.starts_with("0x")) {
        read_switch(line);
      } else {
        read_end(line);
      }
    }
    if (!ended_) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}:{}: the last line, such as '12 switches', is missing; the file "
                              "is truncated: dump it again",
                              file_.name, lines_.number()));
    }
    return std::move(file_);
  }

 private:
  void read_header(std::string_view line) {
    std::string_view rest = line;
    std::optional<std::uint64_t> max_lid;
    if (take(rest, "service-levels max-lid ")) max_lid = take_number(rest);
    if (!max_lid || !rest.empty() || *max_lid < first_unicast_lid || *max_lid > last_unicast_lid) {
      lines_.fail(
          fmt::format("expected 'service-levels max-lid N' with N from {} to {}; the file is "
                      "{}",
                      first_unicast_lid, last_unicast_lid, describe_content(content_, file_.name)));
    }
    file_.max_lid = static_cast<Lid>(*max_lid);
    has_header_ = true;
  }

  void read_switch(std::string_view line) {
    StatedServiceLevels stated;
    stated.line = lines_.number();
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    std::string_view number = word;
    const std::optional<std::uint64_t> guid = take_c_number(number);
    if (!guid || !number.empty())
      lines_.fail(fmt::format("'{}' is not the GUID of a switch", excerpt(word)));
    stated.guid = *guid;
    const auto [seen, is_new] = line_of_.emplace(stated.guid, stated.line);
    if (!is_new) lines_.fail(fmt::format("the switch is already in line {}", seen->second));
    rest = without_indent(rest);
    if (rest.size() != std::size_t{file_.max_lid} + 1) {
      lines_.fail(fmt::format("found {} levels; expected {}, one for each LID from 0 to {}",
                              rest.size(), std::size_t{file_.max_lid} + 1, file_.max_lid));
    }
    stated.levels.reserve(rest.size());
    for (const char each : rest) stated.levels.push_back(level_of(each));
    file_.switches.push_back(std::move(stated));
  }

  ServiceLevel level_of(char digit) const {
    if (digit == no_route) return no_service_level;
    const std::size_t level = digits.find(digit);
    if (level == std::string_view::npos) {
      lines_.fail(
          fmt::format("'{}' is not a service level; expected 0 to 9, a to f, or {} for no route",
                      excerpt(std::string_view(&digit, 1)), no_route));
    }
    return static_cast<ServiceLevel>(level);
  }

  void read_end(std::string_view line) {
    std::string_view rest = line;
    const std::optional<std::uint64_t> count = take_number(rest);
    if (!count || rest != " switches") {
      lines_.fail(
          fmt::format("expected a switch, '0x<GUID> <levels>', or the end, '<number> "
                      "switches'; found '{}'",
                      excerpt(line)));
    }
    if (*count != file_.switches.size()) {
      lines_.fail(
          fmt::format("the file states {} switches but has {}: lines are missing or duplicate",
                      *count, file_.switches.size()));
    }
    ended_ = true;
  }

  TextLines lines_;
  std::string_view content_;
  bool has_header_ = false, ended_ = false;
  std::unordered_map<Guid, std::size_t> line_of_;
  ServiceLevelFile file_;
};

}  // namespace

ServiceLevelFile read_service_levels(const std::filesystem::path& path) {
  return parse_service_levels(read_file(path), path.string());
}

ServiceLevelFile parse_service_levels(std::string_view text, std::string_view name) {
  return ServiceLevelParser(text, name).parse();
}

ServiceLevels match_service_levels(const ServiceLevelFile& file, const Fabric& fabric) {
  const auto mismatch = [&file](const std::string& message) {
    throw Error(ErrorKind::mismatch, fmt::format("{}: {}; dump the topology, the tables and the "
                                                 "levels of one fabric at the same time",
                                                 file.name, message));
  };
  if (file.max_lid != fabric.max_lid()) {
    mismatch(fmt::format("the levels are for LIDs up to {}, the fabric has LIDs up to {}",
                         file.max_lid, fabric.max_lid()));
  }
  ServiceLevels levels(fabric.switch_count(), file.max_lid);
  std::vector<char> is_stated(fabric.switch_count(), 0);
  Cases unknown, missing;
  for (const StatedServiceLevels& stated : file.switches) {
    const std::optional<SwitchId> s = fabric.find_switch(stated.guid);
    if (!s) {
      unknown.add(fmt::format("0x{:016x} (line {})", stated.guid, stated.line));
      continue;
    }
    is_stated[s->value()] = 1;
    for (std::size_t lid = 0; lid < stated.levels.size(); ++lid)
      levels.set(*s, static_cast<Lid>(lid), stated.levels[lid]);
  }
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (is_stated[s] == 0) missing.add(fabric.label(SwitchId(s)));
  }
  if (unknown.count() != 0)
    mismatch(fmt::format("the topology has no switch {}", unknown.examples()));
  if (missing.count() != 0) mismatch(fmt::format("no levels of switch {}", missing.examples()));
  return levels;
}

void write_service_levels(const Fabric& fabric, const ServiceLevels& levels,
                          const ContentSink& sink) {
  sink(fmt::format("{}{} is no route.\nservice-levels max-lid {}\n", service_level_mark, no_route,
                   levels.max_lid()));
  std::string line;
  for (std::uint32_t s = 0; s < levels.switch_count(); ++s) {
    line = fmt::format("0x{:016x} ", fabric.switch_at(SwitchId(s)).guid);
    for (const ServiceLevel level : levels.row(SwitchId(s)))
      line += level < service_level_count ? digits[level] : no_route;
    line += '\n';
    sink(line);
  }
  sink(fmt::format("{} switches\n", levels.switch_count()));
}

}  // namespace pssp
