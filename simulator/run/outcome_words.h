#pragma once

// Converts an Outcome to plain numbers and back, for other processes of the same program on
// machines of one kind; not for storage.

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/run/simulation.h"

namespace pssp {

/// Appends the outcome.
void add_words(const Outcome& outcome, std::vector<std::uint64_t>& words);

/// Removes an outcome from the front of `words`, which must come from add_words().
Outcome take_outcome(std::span<const std::uint64_t>& words);

}  // namespace pssp
