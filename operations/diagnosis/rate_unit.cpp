#include "operations/diagnosis/rate_unit.h"

#include <cmath>

#include "base/text_lines.h"

namespace pssp {

std::optional<RateUnit> parse_rate_unit(std::string_view text) {
  constexpr std::string_view prefixes = "kMGT";
  std::string_view rest = text;
  std::string name;
  double bits = 1;
  if (!rest.empty() &&
      (rest.front() == 'K' || prefixes.find(rest.front()) != std::string_view::npos)) {
    const char prefix = rest.front() == 'K' ? 'k' : rest.front();
    name = prefix;
    rest.remove_prefix(1);
    const bool is_binary = take(rest, "i");
    if (is_binary) name += 'i';
    bits = std::pow(is_binary ? 1024.0 : 1000.0, static_cast<double>(prefixes.find(prefix) + 1));
  }
  if (take(rest, "B")) {
    bits *= 8;
    name += "B/s";
  } else if (take(rest, "bit") || take(rest, "b")) {
    name += "bit/s";
  } else {
    return std::nullopt;
  }
  if (rest != "/s" && rest != "/sec" && rest != "ps") return std::nullopt;
  constexpr double bits_of_gigabit = 1e9;
  return RateUnit{name, bits / bits_of_gigabit};
}

RateUnit gigabits_per_second() { return {"Gbit/s", 1}; }

}  // namespace pssp
