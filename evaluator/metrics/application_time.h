#pragma once

// Estimates the running time of an application with full communication bandwidth, as in Hoefler,
// Schneider, Lumsdaine, "Multistage switches are not crossbars" (Cluster 2008), section 5.2.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// A part of an application's running time.
struct CommunicationPart {
  double share = 0;      ///< of the running time, 0 .. 1
  double bandwidth = 0;  ///< of its pattern in the fabric, relative to full bandwidth; > 0
  std::string pattern;   ///< whose bandwidth is simulated; empty: bandwidth is given

  friend bool operator==(const CommunicationPart&, const CommunicationPart&) = default;
};

/// "27.4%:0.374,4.6%:0.574": shares of the running time, in percent or as fractions, each with a
/// bandwidth or with the name of a pattern without commas ("27.4%:neighbor:6,4.6%:tree"), whose
/// bandwidth is 0 until it is set. Throws Error(usage) if a share or bandwidth is invalid or out of
/// range, or if the sum of shares exceeds 1.
std::vector<CommunicationPart> parse_application(std::string_view text);

/// Running time with full bandwidth, relative to the measured time: communication at bandwidth b
/// takes b times as long, everything else the same time. 1 - sum of share * (1 - bandwidth).
double time_at_full_bandwidth(std::span<const CommunicationPart> parts);

}  // namespace pssp
