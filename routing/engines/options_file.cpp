#include "routing/engines/options_file.h"

#include <fmt/format.h>

#include <string>

#include "base/confidential_reader.h"
#include "routing/engines/options.h"

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

void read_options_file(const std::filesystem::path& path, const TakeOption& take,
                       const TellFault& tell) {
  ConfidentialReader reader;
  const std::string content = reader.read(path, largest_options_file);
  std::string_view rest = content;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    const auto tell_fault = [&](ErrorKind kind, std::string_view what) {
      tell(reader.redacted(Error(kind, fmt::format("{}:{}: {}", path.string(), number, what))));
    };
    if (!is_text(line)) {
      tell_fault(ErrorKind::unreadable_input,
                 "control characters; expected a text file with one or more name=value on each "
                 "line and comments after '#'");
      continue;
    }
    for (const std::string_view entry : option_entries(line.substr(0, line.find('#')))) {
      try {
        take(entry);
      } catch (const Error& error) {
        tell_fault(error.kind(), error.what());
      }
    }
  }
}

}  // namespace pssp
