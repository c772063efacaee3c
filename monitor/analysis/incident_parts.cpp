// Reasons of verdicts have the form "count, window, limit: what to do" (verdicts.cpp), so both
// parts can be shown separately.

#include "monitor/analysis/incident_parts.h"

#include "base/untrusted_text.h"

namespace pssp {
namespace {

constexpr std::string_view advice_separator = ": ";

}  // namespace

IncidentPort incident_node(const FabricMap& map, std::uint32_t node) {
  return {{map.nodes[node].guid, 0}, untrusted_text(map.nodes[node].description)};
}

IncidentPort incident_port(const FabricMap& map, std::uint32_t port) {
  IncidentPort result = incident_node(map, map.ports[port].node);
  result.key.number = map.ports[port].number;
  return result;
}

IncidentFinding incident_finding(const FabricMap& map, const StandingVerdict& standing) {
  const Verdict& verdict = standing.verdict;
  return {incident_port(map, verdict.port),
          verdict.what,
          verdict.level,
          standing.since_ms,
          verdict.value,
          verdict.limit,
          untrusted_text(verdict.reason.substr(0, verdict.reason.find(advice_separator)))};
}

std::string advice_in(const std::string& reason) {
  const std::size_t at = reason.find(advice_separator);
  return untrusted_text(at == std::string::npos ? reason
                                                : reason.substr(at + advice_separator.size()));
}

}  // namespace pssp
