#pragma once

// Matches messages to receives by source and tag, first come, first served, on both sides.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "applications/schedule/schedule.h"

namespace pssp {

/// The waiting operations of one rank. Linear in their number, which is small: at most the number
/// of ranks in an all-to-all with all receives posted.
class WaitingEnds {
 public:
  /// Posts a receive. Returns the waiting message that it takes (a number passed to arrived()); if
  /// there is none, the receive waits.
  std::optional<std::uint32_t> post(std::uint32_t receive, std::uint32_t source,
                                    std::uint32_t tag) {
    return take_or_wait(messages_, receives_, {receive, source, tag});
  }
  /// A message has arrived. Returns the waiting receive that takes it, if there is one.
  std::optional<std::uint32_t> arrived(std::uint32_t message, std::uint32_t source,
                                       std::uint32_t tag) {
    return take_or_wait(receives_, messages_, {message, source, tag});
  }

 private:
  struct End {
    std::uint32_t number, source, tag;
  };
  static bool fit(const End& a, const End& b) {
    return (a.source == b.source || a.source == any_rank || b.source == any_rank) &&
           (a.tag == b.tag || a.tag == any_tag || b.tag == any_tag);
  }
  static std::optional<std::uint32_t> take_or_wait(std::vector<End>& others,
                                                   std::vector<End>& waiting, const End& end) {
    const auto found = std::ranges::find_if(others, [&](const End& o) { return fit(o, end); });
    if (found == others.end()) {
      waiting.push_back(end);
      return std::nullopt;
    }
    const std::uint32_t number = found->number;
    others.erase(found);
    return number;
  }

  std::vector<End> receives_, messages_;
};

}  // namespace pssp
