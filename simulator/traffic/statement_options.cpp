// A table of options per kind of statement contains all keywords; separate code handles options
// that need names of hosts or rates of their links.

#include "simulator/traffic/statement_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/error.h"
#include "base/printable.h"
#include "fabric/tables/service_levels.h"
#include "simulator/values.h"

namespace pssp {

SimulatedTime take_time(TrafficTokens& tokens) { return read_time(tokens.take("a time").text); }

std::uint8_t take_level(TrafficTokens& tokens) {
  return static_cast<std::uint8_t>(read_count(tokens.take("a service level").text,
                                              "a service level", 0, service_level_count - 1));
}

std::uint32_t take_packets(TrafficTokens& tokens) {
  constexpr std::uint64_t most = 1'000'000;
  const auto packets = static_cast<std::uint32_t>(
      read_count(tokens.take("a number of packets").text, "a number of packets", 1, most));
  tokens.take_keyword("packets");
  return packets;
}

namespace {

[[noreturn]] void refuse_option(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

/// Labels must not contain control characters, because reports print them to a terminal.
std::string take_label(TrafficTokens& tokens) {
  std::string label = tokens.take("a label").text;
  if (printable(label) != label) {
    refuse_option(fmt::format("label '{}' has control characters, or is not UTF-8; expected text",
                              excerpt(label)));
  }
  return label;
}

template <class Target>
struct StatementOption {
  std::string_view name;
  void (*take)(TrafficTokens& tokens, Target& target);
};

/// Reads options to the end of the statement. `take_other` reads options outside the table, and
/// returns false for unknown ones.
template <class Target, class Other>
void take_statement_options(TrafficTokens& tokens, Target& target,
                            std::span<const StatementOption<Target>> options,
                            const Other& take_other, std::string_view others) {
  std::vector<std::string> taken;
  while (!tokens.empty()) {
    const std::string name = tokens.take("an option").text;
    if (std::ranges::find(taken, name) != taken.end()) {
      refuse_option(fmt::format("'{}' is given twice", excerpt(name)));
    }
    taken.push_back(name);
    const auto found = std::ranges::find(options, name, &StatementOption<Target>::name);
    if (found != options.end()) {
      found->take(tokens, target);
    } else if (!take_other(name)) {
      std::vector<std::string_view> names;
      for (const StatementOption<Target>& each : options) names.push_back(each.name);
      refuse_option(fmt::format("unknown option '{}'; expected: {}, {}", excerpt(name),
                                fmt::join(names, ", "), others));
    }
  }
}

constexpr std::array flow_options{
    StatementOption<StaticFlow>{
        "start", [](TrafficTokens& tokens, StaticFlow& flow) { flow.start = take_time(tokens); }},
    StatementOption<StaticFlow>{
        "stop", [](TrafficTokens& tokens, StaticFlow& flow) { flow.stop = take_time(tokens); }},
    StatementOption<StaticFlow>{
        "sl", [](TrafficTokens& tokens, StaticFlow& flow) { flow.level = take_level(tokens); }},
    StatementOption<StaticFlow>{"path",
                                [](TrafficTokens& tokens, StaticFlow& flow) {
                                  flow.path = static_cast<std::uint16_t>(
                                      read_count(tokens.take("a path").text, "a path", 0, 127));
                                }},
    StatementOption<StaticFlow>{"bytes",
                                [](TrafficTokens& tokens, StaticFlow& flow) {
                                  flow.bytes = read_size(tokens.take("a size").text);
                                }},
    StatementOption<StaticFlow>{
        "on", [](TrafficTokens& tokens, StaticFlow& flow) { flow.on = take_time(tokens); }},
    StatementOption<StaticFlow>{
        "off", [](TrafficTokens& tokens, StaticFlow& flow) { flow.off = take_time(tokens); }},
    StatementOption<StaticFlow>{
        "label", [](TrafficTokens& tokens, StaticFlow& flow) { flow.label = take_label(tokens); }},
};

constexpr std::array uniform_options{
    StatementOption<UniformTraffic>{
        "start",
        [](TrafficTokens& tokens, UniformTraffic& uniform) { uniform.start = take_time(tokens); }},
    StatementOption<UniformTraffic>{
        "stop",
        [](TrafficTokens& tokens, UniformTraffic& uniform) { uniform.stop = take_time(tokens); }},
    StatementOption<UniformTraffic>{
        "sl",
        [](TrafficTokens& tokens, UniformTraffic& uniform) { uniform.level = take_level(tokens); }},
    StatementOption<UniformTraffic>{"messages",
                                    [](TrafficTokens& tokens, UniformTraffic& uniform) {
                                      uniform.messages = static_cast<std::uint32_t>(
                                          read_count(tokens.take("a number of messages").text,
                                                     "messages in flight", 1, 10'000));
                                    }},
};

constexpr std::array pattern_options{
    StatementOption<PatternStatement>{"bytes",
                                      [](TrafficTokens& tokens, PatternStatement& pattern) {
                                        pattern.rounds.bytes =
                                            read_size(tokens.take("a size").text);
                                      }},
    StatementOption<PatternStatement>{"start",
                                      [](TrafficTokens& tokens, PatternStatement& pattern) {
                                        pattern.rounds.start = take_time(tokens);
                                      }},
    StatementOption<PatternStatement>{"sl",
                                      [](TrafficTokens& tokens, PatternStatement& pattern) {
                                        pattern.rounds.level = take_level(tokens);
                                      }},
    StatementOption<PatternStatement>{"label",
                                      [](TrafficTokens& tokens, PatternStatement& pattern) {
                                        pattern.rounds.label = take_label(tokens);
                                      }},
    StatementOption<PatternStatement>{
        "order",
        [](TrafficTokens& tokens, PatternStatement& pattern) {
          const std::string order = tokens.take("an order").text;
          if (order != "random" && order != "lid") {
            refuse_option(fmt::format("order '{}'; expected random or lid", excerpt(order)));
          }
          pattern.by_lid = order == "lid";
        }},
};

void take_arrivals(TrafficTokens& tokens, Arrivals& arrivals) {
  const std::string how = tokens.take("a type of arrivals").text;
  if (how != "regular" && how != "poisson") {
    refuse_option(fmt::format("arrivals '{}'; expected regular or poisson", excerpt(how)));
  }
  arrivals = how == "poisson" ? Arrivals::poisson : Arrivals::regular;
}

double take_link_share(TrafficTokens& tokens, const StatementContext& context,
                       const std::vector<std::uint32_t>& senders) {
  const std::string text = tokens.take("a rate").text;
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
            fmt::format("the topology does not state the rate of the link of {}; expected a share "
                        "of the rate, as in 50%, or an earlier host-rate",
                        context.hosts.name(rank)));
      }
      if (rate > link) {
        refuse_option(fmt::format("{} is more than the rate of the link of {}, {}", excerpt(text),
                                  context.hosts.name(rank), rate_text(link)));
      }
      if (share != 0 && share != rate / link) {
        refuse_option("the links of the senders have different rates; expected a share, as in 50%");
      }
      share = rate / link;
    }
  }
  if (share == 0) refuse_option("a rate of 0; expected a rate above 0");
  return share;
}

/// For StaticFlow and UniformTraffic; returns false for other options.
template <class Statement>
bool take_rate_or_arrivals(TrafficTokens& tokens, const StatementContext& context,
                           const std::vector<std::uint32_t>& senders, const std::string& name,
                           Statement& statement) {
  if (name == "arrivals") {
    take_arrivals(tokens, statement.arrivals);
    return true;
  }
  if (name != "rate") return false;
  statement.rate = take_link_share(tokens, context, senders);
  if (statement.arrivals == Arrivals::backlogged) statement.arrivals = Arrivals::regular;
  return true;
}

}  // namespace

void take_flow_options(TrafficTokens& tokens, const StatementContext& context, StaticFlow& flow) {
  const std::vector<std::uint32_t> sender{flow.hosts.source};
  take_statement_options<StaticFlow>(
      tokens, flow, flow_options,
      [&](const std::string& name) {
        return take_rate_or_arrivals(tokens, context, sender, name, flow);
      },
      "rate, arrivals");
  if ((flow.on == 0) != (flow.off == 0)) {
    refuse_option("'on' and 'off' belong together; expected both, each above 0");
  }
}

bool take_uniform_options(TrafficTokens& tokens, const StatementContext& context,
                          UniformTraffic& uniform) {
  bool states_message = false;
  take_statement_options<UniformTraffic>(
      tokens, uniform, uniform_options,
      [&](const std::string& name) {
        if (name == "message") {
          uniform.message_packets = take_packets(tokens);
          states_message = true;
          return true;
        }
        return take_rate_or_arrivals(tokens, context, uniform.senders, name, uniform);
      },
      "message, rate, arrivals");
  return states_message;
}

void take_pattern_options(TrafficTokens& tokens, const StatementContext& context,
                          PatternStatement& pattern) {
  take_statement_options<PatternStatement>(
      tokens, pattern, pattern_options,
      [&](const std::string& name) {
        if (name != "among") return false;
        pattern.among = context.hosts.take_set(tokens);
        return true;
      },
      "among");
}

}  // namespace pssp
