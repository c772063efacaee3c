#pragma once

// How long an application would run if the fabric gave full bandwidth to its communication: the
// estimate of Hoefler, Schneider, Lumsdaine, "Multistage switches are not crossbars" (Cluster
// 2008), section 5.2.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// A part of an application's running time.
struct CommunicationPart {
  double share = 0;      ///< of the running time, 0 .. 1
  double bandwidth = 0;  ///< that the fabric gives to its pattern, relative to full bandwidth; > 0
  std::string pattern;   ///< that the bandwidth is to be simulated with; empty: it is given

  friend bool operator==(const CommunicationPart&, const CommunicationPart&) = default;
};

/// "27.4%:0.374,4.6%:0.574": shares of the running time, in per cent or as fractions, each with a
/// bandwidth or with the name of a pattern ("27.4%:neighbor:6,4.6%:tree"; no commas in it), whose
/// bandwidth is 0 until it is filled in. Throws Error(usage) where a share or a bandwidth is no
/// number or out of range, or the shares are more than the whole.
std::vector<CommunicationPart> parse_application(std::string_view text);

/// Running time with full bandwidth, relative to the measured one: communication at bandwidth b
/// takes b times as long, everything else as long as before. 1 - sum of share * (1 - bandwidth).
double time_at_full_bandwidth(std::span<const CommunicationPart> parts);

}  // namespace pssp
