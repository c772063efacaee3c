#pragma once

// Adaptive routing in simulations, if requested.

#include <deque>
#include <functional>
#include <span>
#include <string>

#include "base/digest.h"
#include "simulator/adaptive/adaptive_groups.h"
#include "simulator/adaptive/port_choice.h"
#include "tools/simulate_application/answer/answer.h"

namespace pssp {

class AdaptiveReplays {
 public:
  /// Groups for each of the tables, or none. Warns if the ports of groups have a credit loop. The
  /// inputs must outlive the object. Throws the errors of reading the file of groups, and of
  /// groups_of_file() with the name of the tables.
  AdaptiveReplays(const ApplicationQuestion& question, std::span<const NamedTables> inputs,
                  const std::function<void(const std::string&)>& warn);

  AdaptiveReplays(AdaptiveReplays&&) = default;
  AdaptiveReplays(const AdaptiveReplays&) = delete;

  /// Null: only the tables determine ports.
  const AdaptiveRouting* of(std::size_t tables) const {
    return routings_.empty() ? nullptr : &routings_[tables];
  }
  /// Of the file of groups.
  const Digest& digest() const { return digest_; }

 private:
  // A deque, so that referenced elements do not move with the object.
  std::deque<AdaptiveGroups> groups_;
  std::deque<AdaptiveRouting> routings_;
  Digest digest_;
};

}  // namespace pssp
