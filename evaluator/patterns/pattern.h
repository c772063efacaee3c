#pragma once

// A communication pattern: who sends to whom among the ranks of a communicator, level by level
// (Schneider, Hoefler, Lumsdaine, "ORCS: An Oblivious Routing Congestion Simulator", 2009, sections
// 2.4 and 4). The flows of a level run at the same time; a level begins when the one before has
// ended. Which host plays which rank is not the pattern's business (hosts/host_mapping.h).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/random.h"
#include "evaluator/patterns/flow.h"

namespace pssp {

/// Takes the flows of a level from a pattern. Holds up to `capacity` of them; what is beyond is
/// handed on in blocks, so that an all-to-all of thousands of hosts never is in memory at once.
class FlowWriter {
 public:
  using Sink = std::function<void(std::span<const Flow>)>;
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  /// `sink` gets each full block; the last, partly filled one stays in block().
  /// Memory grows with what is written, up to a block: most levels of small communicators are a few
  /// flows.
  explicit FlowWriter(Sink sink) : sink_(std::move(sink)) {}

  void add(std::uint32_t source, std::uint32_t destination) {
    if (block_.size() == capacity) flush();
    block_.push_back({first_rank_ + source, first_rank_ + destination});
  }
  /// From now on rank 0 of what is added is rank `rank` of the communicator.
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

/// Immutable; safe to use from any number of threads.
class Pattern {
 public:
  virtual ~Pattern() = default;
  Pattern() = default;
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Number of levels; 0 when no one ever sends.
  virtual std::uint32_t level_count() const = 0;

  /// Writes the flows of a level, in ranks of the communicator, none from a rank to itself.
  /// `random` belongs to this level of this run; who draws nothing ignores it. The same generator
  /// gives the same flows: large levels are written twice. O(flows of the level).
  virtual void write_level(std::uint32_t level, RandomGenerator random,
                           FlowWriter& flows) const = 0;

  /// Ranks below it are those whose delay counts in dep_max_delay: of ptrnvsptrn those of the first
  /// pattern, else all.
  virtual std::uint32_t observed_ranks() const = 0;
};

}  // namespace pssp
