#include "tools/simulate_application/answer/application_spec.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "base/shown.h"
#include "base/text_lines.h"
#include "simulator/values.h"

namespace pssp {
namespace {

std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return part;
}

void read_grid(std::string_view text, ApplicationSize& size) {
  constexpr std::uint64_t longest = 1'000'000;
  std::uint64_t ranks = 1;
  while (!text.empty()) {
    const std::uint64_t length = read_count(take_part(text, 'x'), "a length of a grid", 1, longest);
    size.grid.push_back(static_cast<std::uint32_t>(length));
    ranks = std::min(ranks * length, longest * longest);
  }
  if (size.grid.size() == 3 && ranks == size.ranks) return;
  throw Error(ErrorKind::usage,
              fmt::format("halo:AxBxC has three lengths, and their product is the number of ranks; "
                          "there are {} ranks (--ranks)",
                          size.ranks));
}

void read_key(std::string_view text, ApplicationSize& size) {
  constexpr std::uint64_t most = 1'000'000;
  std::string_view value = text;
  const std::string_view key = take_part(value, '=');
  if (key == "window") {
    size.window = static_cast<std::uint32_t>(read_count(value, "a window", 1, most));
  } else if (key == "calc") {
    constexpr std::uint64_t picoseconds = 1000;
    size.compute_ns = static_cast<std::uint64_t>(read_time(value)) / picoseconds;
  } else {
    throw Error(ErrorKind::usage, fmt::format("'{}' is no part of an application; expected "
                                              "NAME,SIZE[,ITERATIONS][,window=W][,calc=TIME]",
                                              shown(text)));
  }
}

}  // namespace

std::vector<RankSchedule> make_application(std::string_view text, std::uint32_t ranks) {
  constexpr std::uint64_t most_iterations = 1'000'000;
  ApplicationSize size;
  size.ranks = ranks;
  std::string_view rest = text;
  std::string name(take_part(rest, ','));
  if (name.starts_with("halo:")) {
    read_grid(std::string_view(name).substr(name.find(':') + 1), size);
    name = "halo:AxBxC";
  }
  const ApplicationDescription& application = find_application(name);
  if (rest.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' has no size; expected NAME,SIZE, as in {},64KiB", shown(text),
                            shown(text)));
  }
  size.bytes = read_size(take_part(rest, ','));
  if (!rest.empty() && is_digit(rest.front())) {
    size.iterations = static_cast<std::uint32_t>(
        read_count(take_part(rest, ','), "a number of iterations", 1, most_iterations));
  }
  while (!rest.empty()) read_key(take_part(rest, ','), size);
  return application.make(size);
}

}  // namespace pssp
