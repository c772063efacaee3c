#pragma once

// Changes of the fabric while packets are under way, as programs that simulate are told of them.

#include <deque>
#include <string>
#include <vector>

#include "fabric/input/fabric_input.h"
#include "simulator/changes/later_states.h"
#include "tools/kit/command_line.h"

namespace pssp {

struct LaterOptions {
  std::vector<std::string> then;    ///< TIME TOPOLOGY TABLES, of each change
  std::vector<std::string> orders;  ///< files with the order of the writes of the first changes
  SimulatedTime tables_after = 0, spread_over = 0;
  RetryRules retry;
};

/// Texts of these options that are understood after parsing.
struct LaterTexts {
  std::string tables_after, spread_over, timeout;
};

/// Declares them in a group of the help.
void add_later_options(CommandLine& line, LaterOptions& options, LaterTexts& texts,
                       const char* group);

/// After parse(). Throws Error(usage).
void take_later_texts(const CommandLine& line, const LaterTexts& texts, LaterOptions& options);

/// The states that a run is told of, with the fabrics and tables that they are of. Stays where it
/// is made: its parts refer to each other.
struct LaterInput {
  LaterInput() = default;
  LaterInput(const LaterInput&) = delete;
  LaterInput& operator=(const LaterInput&) = delete;

  std::deque<FabricInput> inputs;
  LaterStates states;

  /// What a run is given; null: the fabric stays.
  const LaterStates* for_run() const noexcept { return states.states.empty() ? nullptr : &states; }
};

/// `first` is the state that a run begins with. Throws Error.
void read_later_states(const LaterOptions& options, const RoutedState& first, LaterInput& input);

/// Until when connections try again after the last change, at most: for runs that go on until all
/// has arrived. 0 without changes.
SimulatedTime end_of_recovery(const LaterStates& later);

}  // namespace pssp
