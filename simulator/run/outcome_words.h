#pragma once

// An Outcome as plain numbers, and back: for other processes of the same program on machines of one
// kind, and for nothing that is kept.

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/run/simulation.h"

namespace pssp {

/// Appends all of the outcome.
void add_words(const Outcome& outcome, std::vector<std::uint64_t>& words);

/// The outcome that stands at the front of `words`, which lose it. Expects what add_words() wrote.
Outcome take_outcome(std::span<const std::uint64_t>& words);

}  // namespace pssp
