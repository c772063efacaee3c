#pragma once

// Executes the statements of a traffic file.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/traffic/host_sets.h"
#include "simulator/traffic/statement_options.h"
#include "simulator/traffic/traffic_file.h"
#include "simulator/traffic/traffic_tokens.h"

namespace pssp {

/// Processes statements one after the other.
class TrafficStatements {
 public:
  /// `host_rate` takes precedence over the file.
  TrafficStatements(const Fabric& fabric, std::uint64_t seed, std::string file_name,
                    const FileSource& reader, std::optional<LinkRate> host_rate);

  /// Processes a statement at line `line`. Throws Error(usage), or Error(unreadable_input) for
  /// errors in another file.
  void take(TrafficTokens& tokens, std::size_t line);
  /// The result of all statements, with the times `instead`. Throws Error(unreadable_input) for
  /// errors of the whole file, and Error(usage) if the times are invalid.
  TrafficFile finish(const TrafficTimes& instead);

 private:
  void take_duration(TrafficTokens& tokens);
  void take_warmup(TrafficTokens& tokens);
  void take_sample(TrafficTokens& tokens);
  void take_message(TrafficTokens& tokens);
  void take_packet(TrafficTokens& tokens);
  void take_flow(TrafficTokens& tokens);
  void take_victim(TrafficTokens& tokens);
  void take_uniform(TrafficTokens& tokens);
  void take_pattern(TrafficTokens& tokens);
  void take_trace(TrafficTokens& tokens);
  void take_model(TrafficTokens& tokens);
  void take_expect(TrafficTokens& tokens);

  StatementContext context() { return {fabric_, hosts_, host_rate_, needs_host_rate_}; }
  void add_flows(TrafficTokens& tokens, bool victim);
  void note_start(SimulatedTime start, SimulatedTime stop);

  const Fabric& fabric_;
  std::uint64_t seed_;
  std::string name_;
  const FileSource& reader_;
  std::optional<LinkRate> host_rate_;
  bool host_rate_is_final_, needs_host_rate_ = false;
  HostSets hosts_;
  TrafficFile file_;
  std::size_t line_ = 0;
  std::size_t pattern_flows_ = 0, pattern_rounds_ = 0;  ///< total of all patterns
  std::optional<std::uint32_t> message_packets_, packet_bytes_;
  std::vector<bool> states_message_;                           ///< by uniform statement
  std::vector<std::pair<std::size_t, SimulatedTime>> starts_;  ///< line, time
};

}  // namespace pssp
