#pragma once

// Feeds the health of links back to routing: derives link capacities from verdicts and formats them
// as a file that route_lft, eval_lft and the plugin read (fabric/formats/capacity_file.h).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/configuration/verdict_settings.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/counters/verdict_record.h"

namespace pssp {

/// A cable between two switches; the capacity applies to both directions.
struct LoweredLink {
  PortKey port;          ///< the end with the smaller (GUID, number)
  unsigned percent = 0;  ///< of its current capacity; 100 if its rate already shows the loss
  std::string remark;    ///< names and reason; one line, sanitized
};

struct CapacityPlan {
  std::vector<LoweredLink> links;  ///< by port
  std::size_t cables = 0;          ///< cables between switches in the fabric
  std::size_t lowered = 0;         ///< links below 100 percent

  /// More than one link in ten, and more than one link; programs that read such a file would refuse
  /// it.
  bool is_too_much() const noexcept;
};

/// Uses the standing bad verdicts on switch ports that are cabled to a switch or have no cable at
/// the moment; a port with several verdicts gets the lowest capacity. Skips cables of hosts,
/// because no route avoids them. A link below its width or speed gets 100 percent: topologies state
/// the active rate. O((ports + verdicts) log).
CapacityPlan plan_capacities(const FabricMap& map, const std::vector<VerdictRecord>& standing,
                             const VerdictSettings& settings);

/// The text of the file. `time_ms` is in milliseconds since 1970.
std::string capacity_text(const CapacityPlan& plan, std::int64_t time_ms);
/// For a plan with too many links: "3 of 24 links ..", and what to do.
std::string too_much_text(const CapacityPlan& plan);

/// Decides when the daemon writes the file: after a change of links, and at least every 6 hours,
/// before programs consider it outdated; never twice within capacity_every_s.
class CapacityPacer {
 public:
  /// `written_ms` is the time of the existing file; unset if there is none.
  CapacityPacer(std::uint32_t every_s, std::optional<std::int64_t> written_ms)
      : every_ms_(std::int64_t{every_s} * 1000), written_ms_(written_ms) {}

  /// The text if the file must be written now, else nullopt. A plan with too many links is never
  /// written; problem() explains this as long as it lasts. Times may jump.
  std::optional<std::string> offer(const CapacityPlan& plan, std::int64_t time_ms);
  const std::string& problem() const noexcept { return problem_; }

 private:
  std::int64_t every_ms_;
  std::optional<std::int64_t> written_ms_;
  /// Lines written by this process.
  std::optional<std::vector<std::pair<PortKey, unsigned>>> written_;
  std::string problem_;
};

}  // namespace pssp
