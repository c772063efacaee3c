#pragma once

// Patterns without random numbers, each defined by a function.

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "evaluator/patterns/pattern.h"

namespace pssp {

/// Writes the flows of a level.
using LevelWriter = std::function<void(std::uint32_t level, FlowWriter& flows)>;

class FunctionPattern final : public Pattern {
 public:
  FunctionPattern(std::uint32_t ranks, std::uint32_t levels, LevelWriter writer)
      : ranks_(ranks), levels_(levels), writer_(std::move(writer)) {}

  std::uint32_t level_count() const override { return levels_; }
  void write_level(std::uint32_t level, RandomGenerator /*random*/,
                   FlowWriter& flows) const override {
    writer_(level, flows);
  }
  std::uint32_t observed_ranks() const override { return ranks_; }

 private:
  std::uint32_t ranks_, levels_;
  LevelWriter writer_;
};

inline std::unique_ptr<Pattern> make_function_pattern(std::uint32_t ranks, std::uint32_t levels,
                                                      LevelWriter writer) {
  return std::make_unique<FunctionPattern>(ranks, levels, std::move(writer));
}

/// One level in which every rank sends to the rank that the function returns, unless it is the same
/// rank. No level if there are no flows.
template <class Destination>
std::unique_ptr<Pattern> make_rank_map(std::uint32_t ranks, Destination destination) {
  const auto write = [ranks, destination](std::uint32_t /*level*/, FlowWriter& flows) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t other = destination(rank);
      if (other != rank) flows.add(rank, other);
    }
  };
  std::uint32_t levels = 0;
  for (std::uint32_t rank = 0; rank < ranks && levels == 0; ++rank) {
    levels = destination(rank) != rank ? 1 : 0;
  }
  return make_function_pattern(ranks, levels, write);
}

}  // namespace pssp
