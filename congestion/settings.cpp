#include "congestion/settings.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::string_view expected_line =
    "expected name = value, e.g. switch.threshold = 2, and comments after '#'";

Setting read_setting(std::string_view line, const TextLines& lines) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    lines.fail(fmt::format("'{}' has no '='; {}", excerpt(line), expected_line));
  }
  const std::string_view name = trimmed(line.substr(0, equals));
  const std::string_view value = trimmed(line.substr(equals + 1));
  if (name.empty() || value.empty()) {
    lines.fail(fmt::format("'{}' has no {}; {}", excerpt(line), name.empty() ? "name" : "value",
                           expected_line));
  }
  return {std::string(name), std::string(value), lines.number()};
}

}  // namespace

std::vector<Setting> read_settings(std::string_view text, std::string_view name) {
  std::vector<Setting> settings;
  std::map<std::string, std::size_t, std::less<>> line_of;
  TextLines lines(text, name, describe_content);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line().substr(0, lines.line().find('#')));
    if (line.empty()) continue;
    Setting setting = read_setting(line, lines);
    const auto [earlier, is_new] = line_of.try_emplace(setting.name, setting.line);
    if (!is_new) {
      lines.fail(fmt::format("'{}' is already set in line {}; set it only once",
                             excerpt(setting.name), earlier->second));
    }
    settings.push_back(std::move(setting));
  }
  if (settings.empty()) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: no settings found: it is {}; {}", name,
                            describe_content(text, name), expected_line));
  }
  return settings;
}

}  // namespace pssp
