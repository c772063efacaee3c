// A topology without LIDs gets them from its tables, so each change is read with both.

#include "tools/simulation/later_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "simulator/values.h"
#include "tools/simulation/understood.h"

namespace pssp {
namespace {

constexpr std::size_t text_of_change = 3;
constexpr std::size_t largest_order = std::size_t{256} << 20;

/// The state after a change.
const RoutedState& read_state(const LaterOptions& options, std::size_t number,
                              const RoutedState& before, LaterInput& input) {
  const std::string* const words = &options.then[number * text_of_change];
  const SimulatedTime time = read_time(words[0]);
  const std::vector<std::filesystem::path> paths{words[2], words[1]};
  const FabricInput& read = input.inputs.emplace_back(read_fabric_input(paths));
  require_tables(read.tables.has_value(), words[2]);
  LaterState& state = input.states.states.emplace_back(
      LaterState{time, {read.fabric, *read.tables}, options.tables_after, options.spread_over});
  state.order.writes = writes_between(before, state.state);
  if (number < options.orders.size()) {
    const std::string& order = options.orders[number];
    state.order =
        parse_write_order(read_file(order, largest_order), order, read.fabric, state.order.writes);
  }
  return state.state;
}

}  // namespace

void add_later_options(CommandLine& line, LaterOptions& options, LaterTexts& texts) {
  const Option then = line.option("--then", options.then,
                                  "Change the fabric at TIME to topology TOPO with TABLES; links "
                                  "missing in TOPO fail and lose their packets; repeatable")
                          .in_groups_of(text_of_change)
                          .type_name("TIME TOPO TABLES")
                          .mentions();
  const auto add = [&](const char* name, auto& value, const char* help) {
    return line.option(name, value, help).needs(then);
  };
  add("--tables-after", texts.tables_after,
      "Time from the change to the first write of a block of the new tables (default: 0)")
      .type_name("T");
  add("--spread-over", texts.spread_over,
      "Time over which the blocks of the new tables are written (default: 0)")
      .type_name("T");
  add("--write-order", options.orders,
      "File with the order of the block writes, and optionally their times, in the format of "
      "pssp reroute-impact --order; one for each --then (default: the order of opensm)")
      .one_at_a_time()
      .reads();
  add("--ack-timeout", texts.timeout,
      "Time after which a lost packet and those after it are sent again, unless a later packet "
      "reveals the loss earlier (default: 500ms)")
      .type_name("T");
  add("--retry-count", options.retry.retries,
      "Consecutive retransmissions without progress before a connection gives up")
      .range(0, 1000)
      .type_name("N")
      .show_default();
}

void take_later_texts(const CommandLine& line, const LaterTexts& texts, LaterOptions& options) {
  const auto take = [&](const char* name, const std::string& text, SimulatedTime& time) {
    if (!line.given(name)) return;
    time = understood(name, text, [](const std::string& word) { return read_time(word); });
  };
  take("--tables-after", texts.tables_after, options.tables_after);
  take("--spread-over", texts.spread_over, options.spread_over);
  take("--ack-timeout", texts.timeout, options.retry.timeout);
  if (options.retry.timeout == 0)
    throw Error(ErrorKind::usage, "--ack-timeout: expected a time above 0");
  const std::size_t changes = options.then.size() / text_of_change;
  if (options.orders.size() > changes) {
    throw Error(ErrorKind::usage,
                fmt::format("--write-order: {} files for {} --then; expected at most one for each",
                            options.orders.size(), changes));
  }
}

void read_later_states(const LaterOptions& options, const RoutedState& first, LaterInput& input) {
  input.states.retry = options.retry;
  // Later states refer to earlier ones, so the vector must not grow.
  input.states.states.reserve(options.then.size() / text_of_change);
  const RoutedState* before = &first;
  for (std::size_t i = 0; i < options.then.size(); i += text_of_change) {
    try {
      before = &read_state(options, i / text_of_change, *before, input);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("--then {} {} {}: {}", excerpt(options.then[i]),
                                            excerpt(options.then[i + 1]),
                                            excerpt(options.then[i + 2]), error.what()));
    }
  }
}

SimulatedTime end_of_recovery(const LaterStates& later) {
  if (later.states.empty()) return 0;
  return last_write(later.states.back()) +
         later.retry.timeout * (SimulatedTime{later.retry.retries} + 1);
}

}  // namespace pssp
