#pragma once

// Health to routing: what verdicts make of the capacities of links, as a file that route_lft,
// eval_lft and the plugin read (fabric/formats/capacity_file.h).

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

/// A cable between two switches; both directions.
struct LoweredLink {
  PortKey port;          ///< of its ends that with the smaller (GUID, number)
  unsigned percent = 0;  ///< of the capacity that it has now; 100: it says itself what it is worth
  std::string remark;    ///< names and reason; one line, clean
};

struct CapacityPlan {
  std::vector<LoweredLink> links;  ///< by port
  std::size_t cables = 0;          ///< between switches, of the fabric
  std::size_t lowered = 0;         ///< of these, below 100 percent

  /// More than one link in ten, and more than one: readers refuse such a file.
  bool is_too_much() const noexcept;
};

/// Of the verdicts that stand those that are bad, on ports of the map that are cabled to a switch,
/// or are without a cable at the moment; ports in several verdicts have the least. Cables of hosts
/// are left alone, for nothing leads around them. A link below its width or speed has a line of 100
/// percent: its rate, which topologies state, is the active one. O((ports + verdicts) log).
CapacityPlan plan_capacities(const FabricMap& map, const std::vector<VerdictRecord>& standing,
                             const VerdictSettings& settings);

/// The file. `time_ms` since 1970.
std::string capacity_text(const CapacityPlan& plan, std::int64_t time_ms);
/// Of a plan that is too much: "3 of 24 links .."; what to do.
std::string too_much_text(const CapacityPlan& plan);

/// When the daemon writes the file: where links changed, and at the latest before readers hold it
/// for old; never twice within capacity_every_s.
class CapacityPacer {
 public:
  /// `written_ms`: when the file that is there was written; nothing: there is none.
  CapacityPacer(std::uint32_t every_s, std::optional<std::int64_t> written_ms)
      : every_ms_(std::int64_t{every_s} * 1000), written_ms_(written_ms) {}

  /// The text to be written now; nothing: not now. A plan that is too much is never written;
  /// problem() says so as long as it stands. Times may jump.
  std::optional<std::string> offer(const CapacityPlan& plan, std::int64_t time_ms);
  const std::string& problem() const noexcept { return problem_; }

 private:
  std::int64_t every_ms_;
  std::optional<std::int64_t> written_ms_;
  std::optional<std::vector<std::pair<PortKey, unsigned>>> written_;  ///< of this process
  std::string problem_;
};

}  // namespace pssp
