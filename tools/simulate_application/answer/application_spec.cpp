#include "tools/simulate_application/answer/application_spec.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
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
    const std::uint64_t length = read_count(take_part(text, 'x'), "a grid length", 1, longest);
    size.grid.push_back(static_cast<std::uint32_t>(length));
    ranks = std::min(ranks * length, longest * longest);
  }
  if (size.grid.size() == 3 && ranks == size.ranks) return;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "halo:AxBxC: expected three lengths whose product is the number of ranks, {} (--ranks)",
          size.ranks));
}

std::uint64_t nanoseconds(std::string_view text) {
  constexpr std::uint64_t picoseconds = 1000;
  return static_cast<std::uint64_t>(read_time(text)) / picoseconds;
}

std::uint32_t small_count(std::string_view text, const char* what, std::uint64_t most) {
  return static_cast<std::uint32_t>(read_count(text, what, 1, most));
}

bool yes_or_no(std::string_view text) {
  if (text == "yes" || text == "no") return text == "yes";
  throw Error(ErrorKind::usage, fmt::format("barrier={}: expected yes or no", excerpt(text)));
}

constexpr std::uint64_t most_of_a_count = 1'000'000;
constexpr std::uint64_t most_rails = 256;

/// Each key with the application to which it belongs; empty `of`: to all.
struct Key {
  std::string_view name, of;
  void (*read)(std::string_view value, ApplicationSize& size);
};
constexpr std::array keys{
    Key{"calc", "", [](auto value, auto& size) { size.compute_ns = nanoseconds(value); }},
    Key{"window", "alltoall:linear",
        [](auto value, auto& size) {
          size.window = small_count(value, "a window size", most_of_a_count);
        }},
    Key{"stages", "train",
        [](auto value, auto& size) {
          size.training.stages = small_count(value, "a number of stages", most_of_a_count);
        }},
    Key{"microbatches", "train",
        [](auto value, auto& size) {
          size.training.microbatches =
              small_count(value, "a number of microbatches", most_of_a_count);
        }},
    Key{"act", "train",
        [](auto value, auto& size) { size.training.activation_bytes = read_size(value); }},
    Key{"back", "train",
        [](auto value, auto& size) { size.training.backward_ns = nanoseconds(value); }},
    Key{"rails", "train",
        [](auto value, auto& size) {
          size.training.rails = small_count(value, "a number of rails", most_rails);
        }},
    Key{"barrier", "pattern:NAME", [](auto value, auto& size) { size.barrier = yes_or_no(value); }},
};

void read_key(std::string_view text, std::string_view application, ApplicationSize& size) {
  std::string_view value = text;
  const std::string_view name = take_part(value, '=');
  std::string known;
  for (const Key& key : keys) {
    if (!key.of.empty() && key.of != application) continue;
    if (key.name == name) {
      key.read(value, size);
      return;
    }
    known += fmt::format("[,{}=..]", key.name);
  }
  throw Error(ErrorKind::usage,
              fmt::format("application {1}: unknown part '{0}'; expected NAME,SIZE[,ITERATIONS]{2}",
                          excerpt(text), application, known));
}

/// Names that also contain parameters: these are stored in the size, or, for a part "key=value",
/// returned to the other parts.
std::string take_name(std::string_view text, ApplicationSize& size, std::string_view& key) {
  std::string_view rest = text;
  const std::string_view family = take_part(rest, ':');
  if (family == "halo" && family != text) {
    read_grid(rest, size);
    return "halo:AxBxC";
  }
  if (family == "pattern" && family != text) {
    size.pattern = rest;
    return "pattern:NAME";
  }
  if (family == "train") {
    key = rest;
    return "train";
  }
  return std::string(text);
}

}  // namespace

Application make_application(std::string_view text, std::uint32_t ranks, std::uint64_t seed) {
  ApplicationSize size;
  size.ranks = ranks;
  size.seed = seed;
  std::string_view rest = text;
  std::string_view first_key;
  const std::string name = take_name(take_part(rest, ','), size, first_key);
  const ApplicationDescription& application = find_application(name);
  if (!first_key.empty()) read_key(first_key, name, size);
  bool has_size = false, has_iterations = false;
  while (!rest.empty()) {
    const std::string_view part = take_part(rest, ',');
    const bool is_key = part.find('=') != std::string_view::npos;
    if (!is_key && !std::exchange(has_size, true)) {
      size.bytes = read_size(part);
    } else if (!is_key && !std::exchange(has_iterations, true)) {
      size.iterations = small_count(part, "a number of iterations", most_of_a_count);
    } else {
      read_key(part, name, size);
    }
  }
  if (!has_size) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' has no size; expected NAME,SIZE, for example {},64KiB",
                            excerpt(text), excerpt(text)));
  }
  return application.make(size);
}

}  // namespace pssp
