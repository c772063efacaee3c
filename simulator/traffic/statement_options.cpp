// A table of options for each kind of statement says all keywords; what needs more than words
// (names of hosts, rates of their links) stands beside it.

#include "simulator/traffic/statement_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/error.h"
#include "base/shown.h"
#include "fabric/tables/service_levels.h"
#include "simulator/values.h"

namespace pssp {

SimulatedTime take_time(TrafficWords& words) { return read_time(words.take("a time").text); }

std::uint8_t take_level(TrafficWords& words) {
  return static_cast<std::uint8_t>(read_count(words.take("a service level").text, "a service level",
                                              0, service_level_count - 1));
}

std::uint32_t take_packets(TrafficWords& words) {
  constexpr std::uint64_t most = 1'000'000;
  const auto packets = static_cast<std::uint32_t>(
      read_count(words.take("a number of packets").text, "a number of packets", 1, most));
  words.take_keyword("packets");
  return packets;
}

namespace {

[[noreturn]] void refuse_option(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

/// Reports have it as it is, so it must not command the terminal that shows them.
std::string take_label(TrafficWords& words) {
  std::string label = words.take("a label").text;
  if (printable(label) != label) {
    refuse_option(fmt::format("label '{}' has control characters, or is no UTF-8; expected text",
                              shown(label)));
  }
  return label;
}

template <class Target>
struct StatementOption {
  std::string_view name;
  void (*take)(TrafficWords& words, Target& target);
};

/// Takes options to the end of the statement. `take_other` gets what is not in the table, and
/// returns false where it does not know it either.
template <class Target, class Other>
void take_statement_options(TrafficWords& words, Target& target,
                            std::span<const StatementOption<Target>> options,
                            const Other& take_other, std::string_view others) {
  std::vector<std::string> taken;
  while (!words.empty()) {
    const std::string name = words.take("an option").text;
    if (std::ranges::find(taken, name) != taken.end()) {
      refuse_option(fmt::format("'{}' for the second time", shown(name)));
    }
    taken.push_back(name);
    const auto found = std::ranges::find(options, name, &StatementOption<Target>::name);
    if (found != options.end()) {
      found->take(words, target);
    } else if (!take_other(name)) {
      std::vector<std::string_view> names;
      for (const StatementOption<Target>& each : options) names.push_back(each.name);
      refuse_option(fmt::format("'{}' where an option was expected: {}, {}", shown(name),
                                fmt::join(names, ", "), others));
    }
  }
}

constexpr std::array flow_options{
    StatementOption<StaticFlow>{
        "start", [](TrafficWords& words, StaticFlow& flow) { flow.start = take_time(words); }},
    StatementOption<StaticFlow>{
        "stop", [](TrafficWords& words, StaticFlow& flow) { flow.stop = take_time(words); }},
    StatementOption<StaticFlow>{
        "sl", [](TrafficWords& words, StaticFlow& flow) { flow.level = take_level(words); }},
    StatementOption<StaticFlow>{"path",
                                [](TrafficWords& words, StaticFlow& flow) {
                                  flow.path = static_cast<std::uint16_t>(
                                      read_count(words.take("a path").text, "a path", 0, 127));
                                }},
    StatementOption<StaticFlow>{"bytes",
                                [](TrafficWords& words, StaticFlow& flow) {
                                  flow.bytes = read_size(words.take("a size").text);
                                }},
    StatementOption<StaticFlow>{
        "on", [](TrafficWords& words, StaticFlow& flow) { flow.on = take_time(words); }},
    StatementOption<StaticFlow>{
        "off", [](TrafficWords& words, StaticFlow& flow) { flow.off = take_time(words); }},
    StatementOption<StaticFlow>{
        "label", [](TrafficWords& words, StaticFlow& flow) { flow.label = take_label(words); }},
};

constexpr std::array uniform_options{
    StatementOption<UniformTraffic>{
        "start",
        [](TrafficWords& words, UniformTraffic& uniform) { uniform.start = take_time(words); }},
    StatementOption<UniformTraffic>{
        "stop",
        [](TrafficWords& words, UniformTraffic& uniform) { uniform.stop = take_time(words); }},
    StatementOption<UniformTraffic>{
        "sl",
        [](TrafficWords& words, UniformTraffic& uniform) { uniform.level = take_level(words); }},
    StatementOption<UniformTraffic>{"messages",
                                    [](TrafficWords& words, UniformTraffic& uniform) {
                                      uniform.messages = static_cast<std::uint32_t>(
                                          read_count(words.take("a number of messages").text,
                                                     "messages under way at once", 1, 10'000));
                                    }},
};

constexpr std::array pattern_options{
    StatementOption<PatternStatement>{"bytes",
                                      [](TrafficWords& words, PatternStatement& pattern) {
                                        pattern.rounds.bytes = read_size(words.take("a size").text);
                                      }},
    StatementOption<PatternStatement>{"start",
                                      [](TrafficWords& words, PatternStatement& pattern) {
                                        pattern.rounds.start = take_time(words);
                                      }},
    StatementOption<PatternStatement>{"sl",
                                      [](TrafficWords& words, PatternStatement& pattern) {
                                        pattern.rounds.level = take_level(words);
                                      }},
    StatementOption<PatternStatement>{"label",
                                      [](TrafficWords& words, PatternStatement& pattern) {
                                        pattern.rounds.label = take_label(words);
                                      }},
    StatementOption<PatternStatement>{"order",
                                      [](TrafficWords& words, PatternStatement& pattern) {
                                        const std::string order = words.take("an order").text;
                                        if (order != "random" && order != "lid") {
                                          refuse_option(fmt::format(
                                              "order '{}'; expected random or lid", shown(order)));
                                        }
                                        pattern.by_lid = order == "lid";
                                      }},
};

void take_arrivals(TrafficWords& words, Arrivals& arrivals) {
  const std::string how = words.take("how packets arrive").text;
  if (how != "regular" && how != "poisson") {
    refuse_option(fmt::format("arrivals '{}'; expected regular or poisson", shown(how)));
  }
  arrivals = how == "poisson" ? Arrivals::poisson : Arrivals::regular;
}

double take_link_share(TrafficWords& words, const StatementContext& context,
                       const std::vector<std::uint32_t>& senders) {
  const std::string text = words.take("a rate").text;
  double share = 0;
  if (!text.ends_with("/s")) {
    share = read_share(text);
  } else {
    const double rate = read_rate(text);
    context.needs_host_rate = true;
    for (const std::uint32_t rank : senders) {
      constexpr double bytes_per_megabit = 1e6 / 8;
      const LinkRate stated = context.fabric.end_port(context.fabric.endpoints()[rank]).rate;
      const double link = context.host_rate.value_or(stated).capacity() * bytes_per_megabit;
      if (link == 0) {
        refuse_option(
            fmt::format("the rate of the link of {} is not stated by the topology; "
                        "expected a share of it, as in 50%, or host-rate before",
                        context.hosts.name(rank)));
      }
      if (rate > link) {
        refuse_option(fmt::format("{} is more than the link of {} carries, {}", shown(text),
                                  context.hosts.name(rank), rate_text(link)));
      }
      if (share != 0 && share != rate / link) {
        refuse_option("the senders have links of several rates; expected a share, as in 50%");
      }
      share = rate / link;
    }
  }
  if (share == 0) refuse_option("a rate of 0; expected a rate above it");
  return share;
}

/// Of StaticFlow and UniformTraffic; false where it is another option.
template <class Statement>
bool take_rate_or_arrivals(TrafficWords& words, const StatementContext& context,
                           const std::vector<std::uint32_t>& senders, const std::string& name,
                           Statement& statement) {
  if (name == "arrivals") {
    take_arrivals(words, statement.arrivals);
    return true;
  }
  if (name != "rate") return false;
  statement.rate = take_link_share(words, context, senders);
  if (statement.arrivals == Arrivals::backlogged) statement.arrivals = Arrivals::regular;
  return true;
}

}  // namespace

void take_flow_options(TrafficWords& words, const StatementContext& context, StaticFlow& flow) {
  const std::vector<std::uint32_t> sender{flow.hosts.source};
  take_statement_options<StaticFlow>(
      words, flow, flow_options,
      [&](const std::string& name) {
        return take_rate_or_arrivals(words, context, sender, name, flow);
      },
      "rate, arrivals");
  if ((flow.on == 0) != (flow.off == 0)) {
    refuse_option("'on' and 'off' belong together; expected both, each above 0");
  }
}

bool take_uniform_options(TrafficWords& words, const StatementContext& context,
                          UniformTraffic& uniform) {
  bool states_message = false;
  take_statement_options<UniformTraffic>(
      words, uniform, uniform_options,
      [&](const std::string& name) {
        if (name == "message") {
          uniform.message_packets = take_packets(words);
          states_message = true;
          return true;
        }
        return take_rate_or_arrivals(words, context, uniform.senders, name, uniform);
      },
      "message, rate, arrivals");
  return states_message;
}

void take_pattern_options(TrafficWords& words, const StatementContext& context,
                          PatternStatement& pattern) {
  take_statement_options<PatternStatement>(
      words, pattern, pattern_options,
      [&](const std::string& name) {
        if (name != "among") return false;
        pattern.among = context.hosts.take_set(words);
        return true;
      },
      "among");
}

}  // namespace pssp
