// A statement begins with a keyword, followed by hosts and options. The table of statements
// contains all keywords, and messages list them.

#include "simulator/traffic/traffic_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "congestion/cct_generation.h"
#include "congestion/parameter_values.h"
#include "fabric/tables/service_levels.h"
#include "simulator/model_values.h"
#include "simulator/traffic/pattern_traffic.h"
#include "simulator/traffic/statement_options.h"
#include "simulator/traffic/trace_file.h"
#include "simulator/values.h"

namespace pssp {
namespace {

[[noreturn]] void refuse_statement(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

}  // namespace

TrafficStatements::TrafficStatements(const Fabric& fabric, std::uint64_t seed,
                                     std::string file_name, const FileSource& reader,
                                     std::optional<LinkRate> host_rate)
    : fabric_(fabric),
      seed_(seed),
      name_(std::move(file_name)),
      reader_(reader),
      host_rate_(host_rate),
      host_rate_is_final_(host_rate.has_value()),
      hosts_(fabric, seed) {}

void TrafficStatements::take(TrafficTokens& tokens, std::size_t line) {
  struct Statement {
    std::string_view name;
    void (TrafficStatements::*take)(TrafficTokens&);
  };
  static constexpr std::array statements{Statement{"duration", &TrafficStatements::take_duration},
                                         Statement{"warmup", &TrafficStatements::take_warmup},
                                         Statement{"sample", &TrafficStatements::take_sample},
                                         Statement{"message", &TrafficStatements::take_message},
                                         Statement{"packet", &TrafficStatements::take_packet},
                                         Statement{"flow", &TrafficStatements::take_flow},
                                         Statement{"victim", &TrafficStatements::take_victim},
                                         Statement{"uniform", &TrafficStatements::take_uniform},
                                         Statement{"pattern", &TrafficStatements::take_pattern},
                                         Statement{"trace", &TrafficStatements::take_trace},
                                         Statement{"model", &TrafficStatements::take_model},
                                         Statement{"expect", &TrafficStatements::take_expect}};
  line_ = line;
  const std::string name = tokens.take("a statement").text;
  const auto found = std::ranges::find(statements, name, &Statement::name);
  if (found == statements.end()) {
    std::vector<std::string_view> names;
    names.reserve(statements.size());
    for (const Statement& each : statements) names.push_back(each.name);
    refuse_statement(
        fmt::format("unknown statement '{}'; expected {}", excerpt(name), fmt::join(names, ", ")));
  }
  (this->*found->take)(tokens);
  if (!tokens.empty()) {
    refuse_statement(fmt::format("unexpected '{}' after the end of statement {}",
                                 excerpt(tokens.take("").text), name));
  }
}

namespace {

/// Sets a value above 0 that may be set only once.
template <class Value>
void state_once(std::optional<Value>& value, Value stated, std::string_view what) {
  if (value) refuse_statement(fmt::format("{} is given twice", what));
  value = stated;
}

}  // namespace

void TrafficStatements::take_duration(TrafficTokens& tokens) {
  const SimulatedTime time = take_time(tokens);
  if (time == 0) refuse_statement("a duration of 0; expected a time above 0");
  state_once(file_.times.duration, time, "the duration");
}

void TrafficStatements::take_warmup(TrafficTokens& tokens) {
  state_once(file_.times.warmup, take_time(tokens), "the warm-up");
}

void TrafficStatements::take_sample(TrafficTokens& tokens) {
  const SimulatedTime time = take_time(tokens);
  if (time == 0) refuse_statement("samples of 0; expected a time above 0");
  state_once(file_.times.sample, time, "the length of samples");
}

void TrafficStatements::take_message(TrafficTokens& tokens) {
  state_once(message_packets_, take_packets(tokens), "the length of messages");
}

void TrafficStatements::take_packet(TrafficTokens& tokens) {
  const std::uint64_t bytes = read_size(tokens.take("a size").text);
  if (bytes < least_packet_bytes || bytes > most_packet_bytes) {
    refuse_statement(fmt::format("packets of {} bytes; expected {} .. {}", bytes,
                                 least_packet_bytes, most_packet_bytes));
  }
  state_once(packet_bytes_, static_cast<std::uint32_t>(bytes), "the size of packets");
}

void TrafficStatements::take_flow(TrafficTokens& tokens) { add_flows(tokens, false); }
void TrafficStatements::take_victim(TrafficTokens& tokens) { add_flows(tokens, true); }

void TrafficStatements::add_flows(TrafficTokens& tokens, bool victim) {
  const std::vector<std::uint32_t> senders = hosts_.take_set(tokens);
  tokens.expect("->");
  StaticFlow flow;
  flow.victim = victim;
  flow.hosts = {senders.front(), hosts_.take_host(tokens)};
  take_flow_options(tokens, context(), flow);
  note_start(flow.start, flow.stop);
  if (file_.traffic.flows.size() + senders.size() > most_static_flows) {
    refuse_statement(fmt::format("more than {} flows", most_static_flows));
  }
  const EndPort& receiver = fabric_.end_port(fabric_.endpoints()[flow.hosts.destination]);
  if (flow.path >= 1U << receiver.lmc) {
    refuse_statement(fmt::format("unknown path {} to {}; expected 0 .. {}", flow.path,
                                 hosts_.name(flow.hosts.destination), (1U << receiver.lmc) - 1));
  }
  for (const std::uint32_t sender : senders) {
    if (sender == flow.hosts.destination) {
      refuse_statement(fmt::format("{} sends to itself", hosts_.name(sender)));
    }
    hosts_.note_sender(sender);
    flow.hosts.source = sender;
    file_.traffic.flows.push_back(flow);
  }
}

void TrafficStatements::take_uniform(TrafficTokens& tokens) {
  if (file_.traffic.uniform.size() == most_uniform_statements) {
    refuse_statement(fmt::format("more than {} statements 'uniform'", most_uniform_statements));
  }
  UniformTraffic uniform;
  uniform.senders = hosts_.take_set(tokens);
  tokens.expect("->");
  uniform.destinations = hosts_.take_set(tokens);
  if (uniform.destinations.size() < 2) {
    refuse_statement("uniform traffic to one host; expected at least two hosts, or a flow");
  }
  states_message_.push_back(take_uniform_options(tokens, context(), uniform));
  note_start(uniform.start, uniform.stop);
  for (const std::uint32_t sender : uniform.senders) hosts_.note_sender(sender);
  file_.traffic.uniform.push_back(std::move(uniform));
}

void TrafficStatements::take_pattern(TrafficTokens& tokens) {
  const std::string pattern = tokens.take("a pattern").text;
  PatternStatement statement;
  take_pattern_options(tokens, context(), statement);
  if (statement.rounds.bytes == 0) {
    refuse_statement("'bytes SIZE' is missing: the length of each message of the pattern");
  }
  std::vector<std::uint32_t> ranks;
  const auto hosts = static_cast<std::uint32_t>(fabric_.endpoints().size());
  for (const std::uint32_t rank :
       statement.by_lid ? hosts_.by_lid() : random_rank_order(hosts, seed_)) {
    if (statement.among.empty() || std::ranges::binary_search(statement.among, rank))
      ranks.push_back(rank);
  }
  statement.rounds.rounds = pattern_rounds(pattern, ranks, seed_);
  pattern_rounds_ += statement.rounds.rounds.size();
  for (const std::vector<Flow>& round : statement.rounds.rounds) pattern_flows_ += round.size();
  if (pattern_flows_ > most_pattern_flows || pattern_rounds_ > most_pattern_rounds) {
    refuse_statement(fmt::format("all patterns together have more than {} flows or {} levels",
                                 most_pattern_flows, most_pattern_rounds));
  }
  if (statement.rounds.label.empty()) statement.rounds.label = pattern;
  note_start(statement.rounds.start, never);
  for (const std::uint32_t rank : ranks) hosts_.note_sender(rank);
  file_.traffic.rounds.push_back(std::move(statement.rounds));
}

void TrafficStatements::take_trace(TrafficTokens& tokens) {
  const std::filesystem::path named = tokens.take("the name of a file").text;
  const std::filesystem::path path = std::filesystem::path(name_).parent_path() / named;
  std::vector<TracedMessage> more =
      parse_trace(reader_(path, largest_traffic_file), path.string(), hosts_);
  std::vector<TracedMessage>& trace = file_.traffic.trace;
  if (trace.size() + more.size() > most_traced_messages) {
    refuse_statement(fmt::format("more than {} messages in traces", most_traced_messages));
  }
  for (const TracedMessage& message : more) hosts_.note_sender(message.hosts.source);
  const auto middle = trace.insert(trace.end(), more.begin(), more.end());
  std::inplace_merge(
      trace.begin(), middle, trace.end(),
      [](const TracedMessage& a, const TracedMessage& b) { return a.time < b.time; });
}

void TrafficStatements::take_model(TrafficTokens& tokens) {
  const std::string name = tokens.take("a value of the model").text;
  if (name == "cct") {
    TableOrigin origin;
    origin.law = read_law(tokens.take("a law").text);
    origin.flows = static_cast<std::uint32_t>(read_count(
        tokens.take("a number of flows").text, "a number of flows", fewest_flows, most_flows));
    state_once(file_.table, origin, "the congestion control table");
    return;
  }
  const std::string value = tokens.take("a value").text;
  Model tried;
  set_model_value(tried, name, value);
  if (tried.host_rate && !host_rate_is_final_) {
    if (needs_host_rate_) {
      refuse_statement(
          "host-rate after a rate in bytes; expected host-rate first, because rates in bytes are "
          "converted to shares of the link");
    }
    host_rate_ = tried.host_rate;
  }
  file_.model.push_back({name, value});
}

void TrafficStatements::take_expect(TrafficTokens& tokens) {
  Expectation expectation;
  expectation.line = line_;
  if (tokens.take_keyword("throughput")) {
    expectation.value = read_rate(tokens.take("a rate").text);
  } else {
    tokens.expect("share");
    expectation.label = tokens.take("the label of a flow").text;
    expectation.value = read_share(tokens.take("a share").text);
  }
  tokens.expect("within");
  expectation.within = read_share(tokens.take("a deviation").text);
  file_.expectations.push_back(std::move(expectation));
}

void TrafficStatements::note_start(SimulatedTime start, SimulatedTime stop) {
  if (stop <= start) {
    refuse_statement(fmt::format("the traffic stops at {}, but starts at {}", time_text(stop),
                                 time_text(start)));
  }
  starts_.emplace_back(line_, start);
}

TrafficFile TrafficStatements::finish(const TrafficTimes& instead) {
  Traffic& traffic = file_.traffic;
  if (packet_bytes_) traffic.packet_bytes = *packet_bytes_;
  for (std::size_t i = 0; i < traffic.uniform.size(); ++i) {
    if (message_packets_ && !states_message_[i]) {
      traffic.uniform[i].message_packets = *message_packets_;
    }
  }
  set_times(traffic, instead.or_else(file_.times));
  const SimulatedTime end = std::max(traffic.duration, file_.times.duration.value_or(0));
  for (const auto& [line, start] : starts_) {
    if (start >= end) {
      fail_at(name_, line,
              fmt::format("the traffic starts at {}, after the end at {}", time_text(start),
                          time_text(end)));
    }
  }
  for (const Expectation& each : file_.expectations) {
    const bool is_known =
        each.label.empty() || std::ranges::any_of(traffic.flows, [&](const StaticFlow& flow) {
          return flow.label == each.label ||
                 (flow.label.empty() &&
                  fabric_.end_port(fabric_.endpoints()[flow.hosts.source]).name == each.label);
        });
    if (!is_known) {
      fail_at(name_, each.line,
              fmt::format("no flow has the label '{}', and no flow without a label starts at a "
                          "host of this name",
                          excerpt(each.label)));
    }
  }
  return std::move(file_);
}

}  // namespace pssp
