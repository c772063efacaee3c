#include "congestion/parameter_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/text_lines.h"
#include "congestion/injection_delay.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view allowed) {
  throw Error(ErrorKind::usage,
              fmt::format("'{}' is not allowed here; expected {}", excerpt(text), allowed));
}

/// The whole text as a number; none if it is not a number.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  const auto number = take_c_number(text);
  return text.empty() ? number : std::nullopt;
}

struct TimeUnit {
  std::string_view name;
  double nanoseconds;
};
constexpr std::array<TimeUnit, 3> time_units{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}}};

/// Nanoseconds, if the text is a number followed by a unit of time.
std::optional<double> time_in_ns(std::string_view text) {
  for (const TimeUnit& unit : time_units) {
    if (!text.ends_with(unit.name)) continue;
    const auto value = decimal_fraction(trimmed(text.substr(0, text.size() - unit.name.size())));
    if (value) return *value * unit.nanoseconds;
  }
  return std::nullopt;
}

/// A range of whole numbers, as in 4 or 4-7.
struct NumberRange {
  std::uint32_t first = 0, last = 0;
};

NumberRange read_range(std::string_view text, std::uint32_t largest, std::string_view allowed) {
  const std::size_t dash = text.find('-');
  const auto first = whole_number(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : whole_number(text.substr(dash + 1));
  if (!first || !last || *last > largest || *first > *last) refuse(text, allowed);
  return {static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last)};
}

/// "1-4,7" for the bits below `size` for which `is_set` is true.
template <class IsSet>
std::vector<std::string> ranges_text(std::size_t size, const IsSet& is_set) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < size; ++first) {
    if (!is_set(first)) continue;
    std::size_t last = first;
    while (last + 1 < size && is_set(last + 1)) ++last;
    parts.push_back(first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
    first = last;
  }
  return parts;
}

bool is_mask(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

constexpr std::string_view ports_allowed =
    "ports 0 .. 254 as numbers and ranges, host, switch, port0, separated by commas, or none, all, "
    "or a mask up to bit 254 such as 0x1E";

PortMask read_port_mask(std::string_view text) {
  const std::string_view digits = text.substr(2);
  if (digits.empty() || digits.size() > PortMask().size() / 4) refuse(text, ports_allowed);
  PortMask mask;
  for (const char digit : digits) {
    std::string_view rest(&digit, 1);
    const auto value = take_number(rest, 16);
    if (!value) refuse(text, ports_allowed);
    mask = (mask << 4) | PortMask(*value);
  }
  if (mask.test(cc_limits::highest_port + 1)) refuse(text, ports_allowed);
  return mask;
}

PortMask all_ports() {
  PortMask mask;
  for (std::size_t port = 0; port <= cc_limits::highest_port; ++port) mask.set(port);
  return mask;
}

struct ComponentName {
  std::string_view name;
  std::uint32_t bit;
};
constexpr std::array<ComponentName, 5> components{{
    {"victim_mask", switch_component::victim_mask},
    {"credit_mask", switch_component::credit_mask},
    {"threshold", switch_component::threshold_and_packet_size},
    {"credit_starvation", switch_component::credit_starvation},
    {"marking_rate", switch_component::marking_rate},
}};

constexpr std::string_view components_allowed =
    "victim_mask, credit_mask, threshold, credit_starvation, marking_rate, separated by commas, or "
    "all, none, or a mask up to 0x1F";

std::string joined_or_none(const std::vector<std::string>& parts) {
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

std::vector<std::string_view> list_parts(std::string_view text) {
  constexpr std::string_view separators = ", \t";
  std::vector<std::string_view> parts;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return parts;
}

std::uint32_t read_number(std::string_view text, std::uint32_t smallest, std::uint32_t largest) {
  const auto number = whole_number(text);
  if (!number || *number < smallest || *number > largest) {
    refuse(text, fmt::format("a whole number, {} .. {}", smallest, largest));
  }
  return static_cast<std::uint32_t>(*number);
}

std::uint8_t read_packet_size(std::string_view text) {
  std::string_view bytes = text;
  if (!bytes.ends_with('B')) {
    return static_cast<std::uint8_t>(read_number(text, 0, cc_limits::packet_size));
  }
  bytes.remove_suffix(1);
  const auto number = whole_number(trimmed(bytes));
  if (!number || *number % packet_size_unit_bytes != 0 ||
      *number / packet_size_unit_bytes > cc_limits::packet_size) {
    refuse(text,
           fmt::format("a multiple of {0}B up to {1}B, or a number of units of {0} bytes, 0 "
                       ".. {2}",
                       packet_size_unit_bytes, packet_size_unit_bytes * cc_limits::packet_size,
                       cc_limits::packet_size));
  }
  return static_cast<std::uint8_t>(*number / packet_size_unit_bytes);
}

std::uint16_t read_ccti_timer(std::string_view text) {
  const auto nanoseconds = time_in_ns(text);
  const auto number = whole_number(text);
  const double units = nanoseconds ? std::round(*nanoseconds / ccti_timer_unit_ns)
                       : number    ? static_cast<double>(*number)
                                   : -1;
  const bool vanished = nanoseconds && *nanoseconds > 0 && units == 0;
  if (!(units >= 0 && units <= cc_limits::ccti_timer) || vanished) {
    refuse(text, fmt::format("a time up to {} such as 250us (0, or at least half a unit of 1.024 "
                             "us), or a number of units of 1.024 us, 0 .. {}",
                             ccti_timer_as_time(cc_limits::ccti_timer), cc_limits::ccti_timer));
  }
  return static_cast<std::uint16_t>(units);
}

std::string ccti_timer_as_time(std::uint16_t units) {
  return nanoseconds_text(std::uint64_t{units} * ccti_timer_unit_ns);
}

std::uint64_t read_nanoseconds(std::string_view text) {
  constexpr double longest = 1e9;
  const auto nanoseconds = time_in_ns(text);
  if (!nanoseconds || std::round(*nanoseconds) < 1 || *nanoseconds > longest) {
    refuse(text, "a time with its unit, 1ns .. 1000ms, such as 300ns, 1.5us, 2ms");
  }
  return static_cast<std::uint64_t>(std::round(*nanoseconds));
}

std::string nanoseconds_text(std::uint64_t nanoseconds) {
  const std::uint64_t whole = nanoseconds / 1000, thousandths = nanoseconds % 1000;
  if (thousandths == 0) return fmt::format("{}us", whole);
  return whole == 0 ? fmt::format("{}ns", thousandths)
                    : fmt::format("{}.{:03}us", whole, thousandths);
}

PortSelection read_ports(std::string_view text) {
  PortSelection selection;
  if (text == "none") return selection;
  if (text == "all") {
    selection.ports = all_ports();
    return selection;
  }
  const std::vector<std::string_view> parts = list_parts(text);
  if (parts.empty()) refuse(text, ports_allowed);
  for (const std::string_view part : parts) {
    if (part == "host") {
      selection.host_facing = true;
    } else if (part == "switch") {
      selection.switch_facing = true;
    } else if (part == "port0") {
      selection.ports.set(0);
    } else if (is_mask(part)) {
      selection.ports |= read_port_mask(part);
    } else {
      const NumberRange range = read_range(part, cc_limits::highest_port, ports_allowed);
      for (std::size_t port = range.first; port <= range.last; ++port) selection.ports.set(port);
    }
  }
  return selection;
}

std::string ports_text(const PortSelection& selection) {
  if (selection.is_uniform() && selection.ports == all_ports()) return "all";
  std::vector<std::string> parts;
  if (selection.host_facing) parts.emplace_back("host");
  if (selection.switch_facing) parts.emplace_back("switch");
  for (std::string& part : ranges_text(
           selection.ports.size(), [&](std::size_t port) { return selection.ports.test(port); })) {
    parts.push_back(std::move(part));
  }
  return joined_or_none(parts);
}

std::uint16_t read_service_levels(std::string_view text) {
  constexpr std::uint32_t all = 0xffff;
  constexpr std::string_view allowed =
      "service levels 0 .. 15 as numbers and ranges separated by commas, or all, none, or a mask "
      "up to 0xFFFF";
  if (text == "all") return all;
  if (text == "none") return 0;
  if (is_mask(text)) return static_cast<std::uint16_t>(read_number(text, 0, all));
  const std::vector<std::string_view> parts = list_parts(text);
  if (parts.empty()) refuse(text, allowed);
  std::uint32_t mask = 0;
  for (const std::string_view part : parts) {
    const NumberRange range = read_range(part, service_levels - 1, allowed);
    for (std::uint32_t sl = range.first; sl <= range.last; ++sl) mask |= 1U << sl;
  }
  return static_cast<std::uint16_t>(mask);
}

std::string service_levels_text(std::uint16_t mask) {
  if (mask == 0xffff) return "all";
  return joined_or_none(
      ranges_text(service_levels, [mask](std::size_t sl) { return ((mask >> sl) & 1) != 0; }));
}

std::uint32_t read_switch_components(std::string_view text) {
  if (text == "all") return cc_limits::switch_control_map;
  if (text == "none") return 0;
  if (is_mask(text)) return read_number(text, 0, cc_limits::switch_control_map);
  const std::vector<std::string_view> parts = list_parts(text);
  if (parts.empty()) refuse(text, components_allowed);
  std::uint32_t mask = 0;
  for (const std::string_view part : parts) {
    const auto* const found =
        std::find_if(components.begin(), components.end(),
                     [part](const ComponentName& component) { return component.name == part; });
    if (found == components.end()) refuse(part, components_allowed);
    mask |= found->bit;
  }
  return mask;
}

std::string switch_components_text(std::uint32_t mask) {
  if (mask == cc_limits::switch_control_map) return "all";
  std::vector<std::string> parts;
  for (const ComponentName& component : components) {
    if ((mask & component.bit) != 0) parts.emplace_back(component.name);
  }
  return joined_or_none(parts);
}

CongestionScope read_scope(std::string_view text) {
  if (text == "qp" || text == "0") return CongestionScope::queue_pair;
  if (text == "sl" || text == "1") return CongestionScope::service_level;
  refuse(text, "qp (or 0) for queue pairs, sl (or 1) for service levels");
}

std::string_view scope_text(CongestionScope scope) {
  return scope == CongestionScope::queue_pair ? "qp" : "sl";
}

TableLaw read_law(std::string_view text) {
  if (text == "linear") return TableLaw::linear;
  if (text == "exponential") return TableLaw::exponential;
  refuse(text, "linear or exponential");
}

std::string_view law_text(TableLaw law) {
  return law == TableLaw::linear ? "linear" : "exponential";
}

std::uint32_t read_mtu(std::string_view text) {
  constexpr std::uint32_t smallest = 256, largest = 4096;
  const auto mtu = whole_number(text);
  if (!mtu || *mtu < smallest || *mtu > largest || (*mtu & (*mtu - 1)) != 0) {
    refuse(text, "256, 512, 1024, 2048 or 4096");
  }
  return static_cast<std::uint32_t>(*mtu);
}

LinkRate read_link_rate(std::string_view text) {
  const auto rate = parse_link_rate(text);
  if (!rate) {
    refuse(text,
           "a width of 1x, 2x, 4x, 8x or 12x and one of SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, "
           "XDR, such as 4xQDR");
  }
  return *rate;
}

CctEntry read_entry(std::string_view text, double packet_time_ns) {
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const auto shift = whole_number(text.substr(0, colon));
    const auto multiplier = whole_number(text.substr(colon + 1));
    if (!shift || !multiplier || *shift > cc_limits::shift || *multiplier > cc_limits::multiplier) {
      refuse(text, fmt::format("shift:multiplier with a shift of 0 .. {} and a multiplier of 0 .. "
                               "{}",
                               cc_limits::shift, cc_limits::multiplier));
    }
    return {static_cast<std::uint8_t>(*shift), static_cast<std::uint16_t>(*multiplier)};
  }
  const auto nanoseconds = time_in_ns(text);
  const auto packets =
      nanoseconds ? std::optional(*nanoseconds / packet_time_ns) : decimal_fraction(text);
  if (!packets || *packets > largest_delay_in_packets) {
    refuse(text,
           fmt::format("shift:multiplier, a delay in packet times such as 1.5, or a time such "
                       "as 20us, up to {} packet times (here {:.1f} ns each)",
                       cc_limits::multiplier, packet_time_ns));
  }
  return nearest_entry(*packets);
}

std::string entry_text(CctEntry entry) {
  return fmt::format("{}:{}", entry.shift, entry.multiplier);
}

}  // namespace pssp
