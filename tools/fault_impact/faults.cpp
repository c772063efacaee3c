// The lower of a link's two channels represents it.

#include "tools/fault_impact/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/random.h"
#include "base/text_lines.h"
#include "evaluator/paths/node_directory.h"

namespace pssp {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;
enum Stream : std::uint64_t { of_links = 1, of_switches = 2 };

/// This many random numbers below `count`, ascending.
std::vector<std::uint32_t> random_numbers(std::uint32_t count, std::uint64_t wanted,
                                          RandomGenerator random) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  const auto chosen = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, count));
  for (std::uint32_t i = 0; i < chosen; ++i) {
    std::swap(numbers[i], numbers[i + random.below(count - i)]);
  }
  numbers.resize(chosen);
  std::ranges::sort(numbers);
  return numbers;
}

/// None if the text is a file instead of a number.
std::optional<std::uint64_t> wanted_number(const std::string& text) {
  if (text == "all") return std::numeric_limits<std::uint64_t>::max();
  std::string_view rest = text;
  const auto number = take_number(rest, 10);
  return number && rest.empty() ? std::optional<std::uint64_t>(*number) : std::nullopt;
}

Fault link_fault(const Fabric& fabric, std::uint32_t channel) {
  const std::uint32_t link = std::min(channel, fabric.channel_reverse()[channel]);
  return {fabric.channel_label(ChannelId(link)), {ChannelId(link)}, {}};
}

Fault switch_fault(const Fabric& fabric, SwitchId s) { return {fabric.label(s), {}, {s}}; }

class FaultFile {
 public:
  FaultFile(const Fabric& fabric, const std::string& path)
      : fabric_(fabric),
        directory_(fabric),
        text_(read_file(path, largest_file)),
        lines_(text_, path) {}

  template <class Take>
  void each_line(const Take& take) {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (!line.empty() && line.front() != '#') take(line);
    }
  }

  SwitchId switch_of(std::string_view text) {
    std::vector<LidOwner> owners = directory_.with_guid(text);
    if (owners.empty()) owners = directory_.named(text);
    std::erase_if(owners,
                  [](LidOwner owner) { return owner.kind != LidOwner::Kind::switch_port0; });
    if (owners.size() == 1) return SwitchId(owners.front().index);
    lines_.fail(
        fmt::format("'{}' is the name or GUID of {}; expected one switch, followed by a port if "
                    "the file lists links",
                    excerpt(text), owners.empty() ? "no switch" : "several switches"));
  }

  ChannelId link_of(std::string_view line) {
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == std::string_view::npos) lines_.fail("expected a switch and a port");
    std::string_view port_text = line.substr(blank + 1);
    const auto port = take_number(port_text, 10);
    const SwitchId at = switch_of(trimmed(line.substr(0, blank)));
    if (port && port_text.empty() && *port < no_port) {
      const PortTarget target = fabric_.behind(at, static_cast<PortNumber>(*port));
      if (target.kind == PortTarget::Kind::channel) return ChannelId(target.index);
    }
    lines_.fail(fmt::format("port '{}' of {} has no link to another switch",
                            excerpt(line.substr(blank + 1)), fabric_.label(at)));
  }

 private:
  const Fabric& fabric_;
  NodeDirectory directory_;
  std::string text_;
  TextLines lines_;
};

void add_once(std::vector<Fault>& faults, Fault fault) {
  const bool is_known = std::ranges::any_of(faults, [&](const Fault& each) {
    return each.links == fault.links && each.switches == fault.switches;
  });
  if (!is_known) faults.push_back(std::move(fault));
}

void add_links(const Fabric& fabric, const FaultOptions& options, std::vector<Fault>& faults) {
  const auto wanted = wanted_number(options.links);
  if (!wanted) {
    FaultFile file(fabric, options.links);
    file.each_line([&](std::string_view line) {
      add_once(faults, link_fault(fabric, file.link_of(line).value()));
    });
    return;
  }
  std::vector<std::uint32_t> links;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (c < fabric.channel_reverse()[c]) links.push_back(c);
  }
  for (const std::uint32_t i : random_numbers(static_cast<std::uint32_t>(links.size()), *wanted,
                                              RandomGenerator(options.seed, of_links))) {
    faults.push_back(link_fault(fabric, links[i]));
  }
}

void add_switches(const Fabric& fabric, const FaultOptions& options, std::vector<Fault>& faults) {
  const auto wanted = wanted_number(options.switches);
  if (!wanted) {
    FaultFile file(fabric, options.switches);
    file.each_line([&](std::string_view line) {
      add_once(faults, switch_fault(fabric, file.switch_of(line)));
    });
    return;
  }
  for (const std::uint32_t s :
       random_numbers(static_cast<std::uint32_t>(fabric.switch_count()), *wanted,
                      RandomGenerator(options.seed, of_switches))) {
    faults.push_back(switch_fault(fabric, SwitchId(s)));
  }
}

}  // namespace

std::vector<Fault> choose_faults(const Fabric& fabric, const FaultOptions& options) {
  std::vector<Fault> faults;
  if (!options.links.empty()) add_links(fabric, options, faults);
  if (!options.switches.empty()) add_switches(fabric, options, faults);
  return faults;
}

}  // namespace pssp
