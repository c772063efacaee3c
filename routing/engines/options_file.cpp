#include "routing/engines/options_file.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/discreet_reader.h"
#include "base/error.h"

namespace pssp {
namespace {

constexpr std::size_t largest_options_file = std::size_t{1} << 20;

bool is_text(std::string_view line) {
  for (const char each : line) {
    if (static_cast<unsigned char>(each) < ' ' && each != '\t' && each != '\r') return false;
  }
  return true;
}

/// Takes over what the lines of a file say; `name` is the file's in errors.
void take_options(std::string_view rest, const std::string& name, const OptionsCheck& check,
                  EngineOptions& options) {
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    if (!is_text(line)) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}:{}: control characters; expected a text file with one or more "
                              "name=value a line and comments after '#'",
                              name, number));
    }
    line = line.substr(0, line.find('#'));
    try {
      const EngineOptions of_line = EngineOptions::parse(line);
      check(of_line);
      for (const auto& [option, value] : of_line.entries()) options.set(option, value);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}:{}: {}", name, number, error.what()));
    }
  }
}

}  // namespace

void read_options_file(const std::filesystem::path& path, const OptionsCheck& check,
                       EngineOptions& options) {
  DiscreetReader reader;
  const std::string content = reader.read(path, largest_options_file);
  try {
    take_options(content, path.string(), check, options);
  } catch (const Error& error) {
    throw reader.told(error);
  }
}

}  // namespace pssp
