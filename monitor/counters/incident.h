#pragma once

// Problems for an operator: faults (one per cable or node) and congestion (one group per cause).
// Derived from the verdicts of a sweep (monitor/analysis/incident_watch.h).

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/counters/port_key.h"
#include "monitor/counters/verdict_record.h"

namespace pssp {

/// The most urgent type first.
enum class FaultKind : std::uint8_t {
  unreachable,     ///< no switch answers the monitor
  node_down,       ///< several links of a node went down, and the node is missing
  link_down,       ///< a link that was up is down
  not_responding,  ///< a node in the fabric that does not answer
  cabling,         ///< differs from the plan
  width,           ///< fewer lanes than both ends support
  speed,           ///< slower than both ends support
  errors,          ///< an error counter is above its limit
  no_data,         ///< a counter is full and must be cleared
};
constexpr std::string_view name_of(FaultKind kind) {
  constexpr std::array<std::string_view, 9> names{"unreachable",    "node_down", "link_down",
                                                  "not_responding", "cabling",   "width",
                                                  "speed",          "errors",    "no_data"};
  return names[static_cast<std::size_t>(kind)];
}

/// IncidentFinding::what and FabricFault::id if no switch answers the monitor.
inline constexpr std::string_view fault_unreachable = name_of(FaultKind::unreachable);

/// A port, or a node if number is 0. The name belongs to the node and may be printed.
struct IncidentPort {
  PortKey key;
  std::string name;
};

/// A verdict on one of the ports of an incident.
struct IncidentFinding {
  IncidentPort port;
  std::string what;  ///< as in VerdictRecord
  Level level = Level::watch;
  std::int64_t since_ms = 0;
  double value = 0, limit = 0;  ///< 0 if there is no number
  std::string measured;         ///< count, window and limit
};

struct FabricFault {
  /// Constant while a cable (or node) has faults, and the same for the next fault of the same
  /// cable. Consists of the hexadecimal digits of a GUID and, for a cable, "-" and a port number.
  /// The id of a fault of the whole fabric is "unreachable".
  std::string id;
  FaultKind kind = FaultKind::errors;
  Level level = Level::watch;
  IncidentPort end;                       ///< GUID 0: the fabric as a whole
  std::optional<IncidentPort> peer;       ///< nothing: a node, or a cable that was never up
  std::int64_t since_ms = 0;              ///< of the oldest finding
  std::vector<IncidentFinding> findings;  ///< at least one, the most urgent first
  std::string advice;                     ///< what to do about the first finding
  /// Ids of running jobs with paths over the cable; of a link that is down, the jobs with paths
  /// over it before it went down. May be printed.
  std::vector<std::string> jobs;
};

/// Ports that wait for credits because of one cause.
struct CongestionGroup {
  std::string id;  ///< "congestion-" and the digits of the GUID of `target`, or "unknown"
  std::string summary;
  IncidentPort target;   ///< the node to which the saturated links lead; GUID 0: unknown
  std::string job;       ///< the job that receives (or sends) most on these links; empty: unknown
  double job_share = 0;  ///< of the bytes per second on these links
  std::int64_t since_ms = 0;  ///< of the port that has waited longest
  std::uint32_t waiting_hosts = 0;
  std::vector<IncidentPort> saturated;   ///< ports that send to the saturated links
  std::vector<IncidentFinding> waiting;  ///< the largest share of time first
};

struct IncidentList {
  /// By urgency: the worst level, then FaultKind, then the most jobs, then the newest.
  std::vector<FabricFault> faults;
  std::vector<CongestionGroup> congestion;  ///< most waiting hosts first
};

/// The acknowledgement of an incident by an operator.
struct Acknowledgement {
  std::string incident;                     ///< id of the incident
  std::string comment;                      ///< by a user: apply untrusted_text() before printing
  std::int64_t since_ms = 0, until_ms = 0;  ///< valid while since <= time < until
};
/// By id.
using AcknowledgementList = std::shared_ptr<const std::map<std::string, Acknowledgement>>;
/// The acknowledgement of an incident that is valid at this time, or null. `list` may be null.
inline const Acknowledgement* valid_acknowledgement(const AcknowledgementList& list,
                                                    const std::string& id, std::int64_t now_ms) {
  if (list == nullptr) return nullptr;
  const auto found = list->find(id);
  return found != list->end() && now_ms < found->second.until_ms ? &found->second : nullptr;
}

}  // namespace pssp
