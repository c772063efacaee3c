// A wrong threshold in a monitor must not reroute a fabric, hence the limit of one link in ten; and
// a file that is incomplete, damaged or of another fabric must change nothing, hence everything is
// checked before any capacity is lowered.
//
// A small capacity does not keep an engine with minimal paths off a link that is the only minimal
// path. So for routing, a link at 0 is removed from the fabric like a dead one, unless its ends are
// otherwise disconnected.

#include "fabric/formats/capacity_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::size_t largest_capacity_file = std::size_t{16} << 20;
constexpr std::size_t links_per_lowered_one = 10;
constexpr LinkRate rate_where_none_is_stated{4, 2000};  // 4xSDR

LinkCapacity read_capacity_line(const TextLines& lines) {
  std::string_view rest = lines.line().substr(0, lines.line().find('#'));
  const auto expected = [&] {
    lines.fail(fmt::format(
        "'{}' is not a capacity; expected the GUID of a node, a port (1 to {}), a percentage (0 to "
        "100), and 'out' or 'in' if it applies to one direction, e.g. 0x0002c90300000101 17 50",
        excerpt(lines.line()), max_port_number));
  };
  std::string_view guid_word = take_word(rest = without_indent(rest));
  std::string_view port_word = take_word(rest = without_indent(rest));
  std::string_view percent_word = take_word(rest = without_indent(rest));
  const std::string_view direction = trimmed(rest);
  const auto guid =
      take(guid_word, "0x") ? take_number(guid_word, 16) : std::optional<std::uint64_t>();
  const auto port = take_number(port_word);
  const auto percent = take_number(percent_word);
  const bool is_whole = guid_word.empty() && port_word.empty() && percent_word.empty();
  if (!is_whole || !guid || *guid == 0 || !port || *port == 0 || *port > max_port_number ||
      !percent || *percent > 100) {
    expected();
  }
  if (!direction.empty() && direction != "out" && direction != "in") expected();
  return {*guid,
          static_cast<PortNumber>(*port),
          static_cast<unsigned>(*percent),
          direction != "in",
          direction != "out",
          lines.number()};
}

/// A port of the builder.
struct CapacityPort {
  NodeId node;
  PortNumber port = no_port;
  friend auto operator<=>(const CapacityPort&,
                          const CapacityPort&) = default;  // NOLINT(modernize-use-nullptr)
};

class CapacityWork {
 public:
  CapacityWork(const CapacityFile& file, AtZero at_zero, FabricBuilder& builder)
      : file_(file), at_zero_(at_zero), builder_(builder) {}

  CapacityEffect run() {
    for (const LinkCapacity& each : file_.links) note(each);
    for_each_cable([this](CapacityPort, CapacityPort) { ++effect_.links; });
    count_lowered();
    if (percent_.empty()) return effect_;
    find_nominal_rate();
    if (at_zero_ == AtZero::left_out) leave_out();
    for (const auto& [port, percent] : percent_) lower(port, std::max(1U, percent));
    return effect_;
  }

 private:
  [[noreturn]] void refuse(const LinkCapacity& at, const std::string& what) const {
    throw Error(ErrorKind::mismatch, fmt::format("{}:{}: {}", file_.name, at.line, what));
  }

  void note(const LinkCapacity& each) {
    const std::optional<NodeId> node = builder_.find_node(each.node);
    if (!node) {
      refuse(
          each,
          fmt::format("the fabric has no node 0x{:016x}; expected capacities of the current fabric",
                      each.node));
    }
    if (each.port > builder_.ports(*node)) {
      refuse(each, fmt::format("node 0x{:016x} has no port {}: it has ports 1 to {}", each.node,
                               each.port, builder_.ports(*node)));
    }
    const std::optional<CableEnd> far = builder_.far_end(*node, each.port);
    if (!far) {
      ++effect_.without_cable;
      return;
    }
    if (each.percent == 100) return;
    if (each.out || each.percent == 0) keep_lower({*node, each.port}, each.percent);
    if (each.in || each.percent == 0) keep_lower({far->node, far->port}, each.percent);
  }
  void keep_lower(CapacityPort port, unsigned percent) {
    const auto [found, is_new] = percent_.try_emplace(port, percent);
    if (!is_new) found->second = std::min(found->second, percent);
  }

  /// Visits each cable between two switches once.
  template <class Visit>
  void for_each_cable(const Visit& visit) const {
    for (std::uint32_t n = 0; n < builder_.node_count(); ++n) {
      const NodeId node(n);
      if (!builder_.is_switch(node)) continue;
      for (unsigned p = 1; p <= builder_.ports(node); ++p) {
        const CapacityPort here{node, static_cast<PortNumber>(p)};
        const std::optional<CableEnd> far = builder_.far_end(node, here.port);
        if (!far || !builder_.is_switch(far->node)) continue;
        if (far->node == node || far->node < node) continue;
        visit(here, CapacityPort{far->node, far->port});
      }
    }
  }
  bool is_lowered(CapacityPort port) const { return percent_.count(port) != 0; }
  bool is_zero(CapacityPort port) const {
    const auto found = percent_.find(port);
    return found != percent_.end() && found->second == 0;
  }

  void count_lowered() {
    for_each_cable([this](CapacityPort here, CapacityPort there) {
      if (is_lowered(here) || is_lowered(there)) ++effect_.lowered;
    });
    if (effect_.lowered <= std::max<std::size_t>(1, effect_.links / links_per_lowered_one)) return;
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{}: {} of the {} links between switches would have less capacity; the limit "
                    "is one in {}, so that a wrong threshold cannot reroute the fabric",
                    file_.name, effect_.lowered, effect_.links, links_per_lowered_one));
  }

  void find_nominal_rate() {
    nominal_ = builder_.most_frequent_host_rate();
    if (nominal_.stated()) return;
    nominal_ = rate_where_none_is_stated;
    builder_.state_missing_rates(nominal_);
  }

  void leave_out() {
    DisjointSets parts(builder_.node_count());
    std::vector<std::pair<CapacityPort, CapacityPort>> at_zero;
    for_each_cable([&](CapacityPort here, CapacityPort there) {
      if (is_zero(here)) {
        at_zero.emplace_back(here, there);
      } else {
        parts.unite(here.node.value(), there.node.value());
      }
    });
    for (const auto& [here, there] : at_zero) {
      if (!parts.together(here.node.value(), there.node.value())) {
        ++effect_.needed;
        continue;
      }
      ++effect_.left_out;
      builder_.disconnect(here.node, here.port);
      percent_.erase(here);
      percent_.erase(there);
    }
  }

  void lower(CapacityPort port, unsigned percent) {
    LinkRate rate = builder_.far_end(port.node, port.port)->rate;
    if (!rate.stated()) rate = nominal_;
    rate.megabits_per_lane = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, std::uint64_t{rate.megabits_per_lane} * percent / 100));
    builder_.set_rate(port.node, port.port, rate);
  }

  const CapacityFile& file_;
  AtZero at_zero_;
  FabricBuilder& builder_;
  LinkRate nominal_;
  std::map<CapacityPort, unsigned> percent_;  // of the outgoing direction of the port, if lowered
  CapacityEffect effect_;
};

}  // namespace

CapacityFile parse_capacities(std::string_view text, std::string_view name) {
  CapacityFile file{std::string(name), {}};
  TextLines lines(text, name, describe_content);
  if (!lines.next() || !lines.line().starts_with(capacity_mark) ||
      (lines.line().size() > capacity_mark.size() &&
       !is_blank(lines.line()[capacity_mark.size()]))) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}:1: this is not a capacity file, but {}; expected '{}' in its first line",
                    name, describe_content(text, name), capacity_mark));
  }
  std::set<std::tuple<Guid, PortNumber, bool>> said;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.front() == '#') continue;
    file.links.push_back(read_capacity_line(lines));
    const LinkCapacity& each = file.links.back();
    if ((each.out && !said.insert({each.node, each.port, true}).second) ||
        (each.in && !said.insert({each.node, each.port, false}).second)) {
      lines.fail(
          fmt::format("an earlier line already states port {} of 0x{:016x}", each.port, each.node));
    }
  }
  if (!lines.ends_with_line_feed()) {
    lines.fail("the last line has no line end: the file is truncated; write it again");
  }
  return file;
}

CapacityFile read_capacities(const std::filesystem::path& path, const FileSource& source) {
  return parse_capacities(source(path, largest_capacity_file), path.string());
}

CapacityEffect apply_capacities(const CapacityFile& file, AtZero at_zero, FabricBuilder& builder) {
  return CapacityWork(file, at_zero, builder).run();
}

std::string to_string(const CapacityEffect& effect) {
  std::string text = fmt::format("{} of {} links between switches have less capacity",
                                 effect.lowered, effect.links);
  if (effect.left_out != 0) text += fmt::format(", {} of them are avoided", effect.left_out);
  if (effect.needed != 0) {
    text += fmt::format(", {} are at 0 but used, since nothing else connects their ends",
                        effect.needed);
  }
  if (effect.without_cable != 0) {
    text += fmt::format("; {} ports of the file have no cable", effect.without_cable);
  }
  return text;
}

}  // namespace pssp
