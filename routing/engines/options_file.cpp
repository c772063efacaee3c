#include "routing/engines/options_file.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/guarded_files.h"

namespace pssp {
namespace {

constexpr std::size_t largest_options_file = std::size_t{1} << 20;

bool is_text(std::string_view line) {
  for (const char each : line) {
    if (static_cast<unsigned char>(each) < ' ' && each != '\t' && each != '\r') return false;
  }
  return true;
}

}  // namespace

void read_options_file(const std::filesystem::path& path, const OptionsCheck& check,
                       EngineOptions& options) {
  const std::string content = read_regular_file(path, largest_options_file);
  std::string_view rest = content;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (!is_text(line)) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}:{}: control characters; expected a text file with one or more "
                              "name=value a line and comments after '#'",
                              path.string(), number));
    }
    line = line.substr(0, line.find('#'));
    try {
      const EngineOptions of_line = EngineOptions::parse(line);
      check(of_line);
      for (const auto& [name, value] : of_line.entries()) options.set(name, value);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
  }
}

}  // namespace pssp
