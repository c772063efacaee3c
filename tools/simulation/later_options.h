#pragma once

// Options for changes of the fabric during a simulation.

#include <deque>
#include <string>
#include <vector>

#include "fabric/input/fabric_input.h"
#include "simulator/changes/later_states.h"
#include "tools/kit/command_line.h"

namespace pssp {

struct LaterOptions {
  std::vector<std::string> then;    ///< TIME TOPOLOGY TABLES, per change
  std::vector<std::string> orders;  ///< files with the order of the writes of the first changes
  SimulatedTime tables_after = 0, spread_over = 0;
  RetryRules retry;
};

/// Options that are interpreted after parsing.
struct LaterTexts {
  std::string tables_after, spread_over, timeout;
};

void add_later_options(CommandLine& line, LaterOptions& options, LaterTexts& texts);

/// After parse(). Throws Error(usage).
void take_later_texts(const CommandLine& line, const LaterTexts& texts, LaterOptions& options);

/// The states of a run, with their fabrics and tables. Not movable, because its parts refer to each
/// other.
struct LaterInput {
  LaterInput() = default;
  LaterInput(const LaterInput&) = delete;
  LaterInput& operator=(const LaterInput&) = delete;

  std::deque<FabricInput> inputs;
  LaterStates states;

  /// The argument of a run; null: the fabric does not change.
  const LaterStates* for_run() const noexcept { return states.states.empty() ? nullptr : &states; }
};

/// `first` is the initial state of a run. Throws Error.
void read_later_states(const LaterOptions& options, const RoutedState& first, LaterInput& input);

/// Upper bound of the time of connection retries after the last change, for runs that end when
/// everything has arrived. 0 without changes.
SimulatedTime end_of_recovery(const LaterStates& later);

}  // namespace pssp
