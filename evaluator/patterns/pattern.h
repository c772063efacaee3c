#pragma once

// A communication pattern: the flows between the ranks of a communicator, level by level
// (Schneider, Hoefler, Lumsdaine, "ORCS: An Oblivious Routing Congestion Simulator", 2009, sections
// 2.4 and 4). The flows of a level run at the same time; a level begins when the previous one has
// ended. Patterns do not determine which host has which rank (hosts/host_mapping.h).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/random.h"
#include "evaluator/patterns/flow.h"

namespace pssp {

/// Collects the flows of a level from a pattern. Passes them on in blocks of `capacity`, so that an
/// all-to-all of thousands of hosts is never completely in memory.
class FlowWriter {
 public:
  using Sink = std::function<void(std::span<const Flow>)>;
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  /// `sink` gets each full block; the last, partly filled one stays in block(). Memory grows with
  /// the content, up to a block, because most levels of small communicators have few flows.
  explicit FlowWriter(Sink sink) : sink_(std::move(sink)) {}

  void add(std::uint32_t source, std::uint32_t destination) {
    if (block_.size() == capacity) flush();
    block_.push_back({first_rank_ + source, first_rank_ + destination});
  }
  /// Adds `rank` to all ranks that are added from now on.
  void set_first_rank(std::uint32_t rank) noexcept { first_rank_ = rank; }
  std::span<const Flow> block() const noexcept { return block_; }
  void clear() noexcept { block_.clear(); }

 private:
  void flush() {
    sink_(block_);
    block_.clear();
  }

  Sink sink_;
  std::uint32_t first_rank_ = 0;
  std::vector<Flow> block_;
};

/// Immutable; can be used by any number of threads.
class Pattern {
 public:
  virtual ~Pattern() = default;
  Pattern() = default;
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Number of levels; 0 for a pattern without flows.
  virtual std::uint32_t level_count() const = 0;

  /// Writes the flows of a level, in ranks of the communicator, none from a rank to itself.
  /// `random` belongs to this level of this run; patterns may ignore it. The same generator gives
  /// the same flows, because large levels are written twice. O(flows of the level).
  virtual void write_level(std::uint32_t level, RandomGenerator random,
                           FlowWriter& flows) const = 0;

  /// The delay of lower ranks counts in dep_max_delay: for ptrnvsptrn those of the first pattern,
  /// else all.
  virtual std::uint32_t observed_ranks() const = 0;
};

}  // namespace pssp
