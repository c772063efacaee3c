#include "evaluator/metrics/application_time.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(std::string_view part, std::string_view why) {
  throw Error(ErrorKind::usage,
              fmt::format("invalid part of an application's time '{}': {}; expected "
                          "SHARE:BANDWIDTH or SHARE:PATTERN, e.g. 27.4%:0.374 or 4.6%:tree",
                          excerpt(part), why));
}

/// The whole text as a number.
std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

double parse_share(std::string_view part, std::string_view text) {
  const bool in_percent = text.ends_with('%');
  if (in_percent) text.remove_suffix(1);
  const std::optional<double> number = to_number(text);
  if (!number) refuse(part, "the share is not a number");
  const double share = in_percent ? *number / 100 : *number;
  if (share < 0 || share > 1) refuse(part, "the share is not between 0 and 100 %");
  return share;
}

CommunicationPart parse_part(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) refuse(text, "the ':' is missing");
  CommunicationPart part;
  part.share = parse_share(text, text.substr(0, colon));
  const std::string_view rest = text.substr(colon + 1);
  if (rest.empty()) refuse(text, "nothing follows the ':'");
  if (const std::optional<double> bandwidth = to_number(rest)) {
    if (*bandwidth <= 0) refuse(text, "the bandwidth is not above 0");
    part.bandwidth = *bandwidth;
  } else {
    part.pattern = rest;
  }
  return part;
}

}  // namespace

std::vector<CommunicationPart> parse_application(std::string_view text) {
  std::vector<CommunicationPart> parts;
  double sum = 0;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.push_back(parse_part(text.substr(0, comma)));
    sum += parts.back().share;
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  constexpr double rounding = 1e-9;
  if (sum > 1 + rounding) {
    throw Error(ErrorKind::usage,
                fmt::format("the shares of the application's time add up to {:g} %; expected at "
                            "most 100 %, with parts that do not overlap",
                            100 * sum));
  }
  return parts;
}

double time_at_full_bandwidth(std::span<const CommunicationPart> parts) {
  double time = 1;
  for (const CommunicationPart& part : parts) time -= part.share * (1 - part.bandwidth);
  return time;
}

}  // namespace pssp
