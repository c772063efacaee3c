// Simulates a pattern of the evaluator: in each level, a rank sends and receives the messages of
// the level, and continues when these have ended. A random pattern is drawn once for all
// iterations, because an application keeps its communication partners.
//
// Flows of all levels are stored by rank, because a rank requests its own part of a level, and
// levels are written as a whole.

#include "applications/generators/descriptions.h"
#include "applications/generators/steps.h"
#include "base/random.h"
#include "evaluator/patterns/registry.h"

namespace pssp {
namespace {

constexpr std::uint32_t message_tag = 0, barrier_tag = 1;

/// Sends and receives of each rank, by level.
class PatternProgram : public ApplicationProgram {
 public:
  PatternProgram(const ApplicationSize& size, const Pattern& pattern)
      : size_(size), levels_(pattern.level_count()), first_(std::size_t{size.ranks} * levels_ + 1) {
    for_each_flow(pattern, [&](std::uint32_t level, const Flow& flow) {
      ++first_[place(flow.source, level) + 1];
      ++first_[place(flow.destination, level) + 1];
    });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    ends_.resize(first_.back());
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    for_each_flow(pattern, [&](std::uint32_t level, const Flow& flow) {
      ends_[next[place(flow.source, level)]++] = {flow.destination, true};
      ends_[next[place(flow.destination, level)]++] = {flow.source, false};
    });
  }

  bool write_step(const StepPosition& at, StepWriter& writer) const override {
    const std::uint64_t steps = 1 + barrier_steps();
    if (at.step >= levels_ * steps) return false;
    const std::uint64_t part = at.step % steps;
    if (part == 0) {
      write_level(at.rank, static_cast<std::uint32_t>(at.step / steps), writer);
    } else {
      write_barrier(at.rank, part - 1, writer);
    }
    return true;
  }

 private:
  struct End {
    std::uint32_t peer = 0;
    bool sends = false;
  };

  template <class Take>
  void for_each_flow(const Pattern& pattern, const Take& take) const {
    constexpr std::uint64_t purpose_of_pattern = 0x61707074;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      const auto take_all = [&](std::span<const Flow> flows) {
        for (const Flow& flow : flows) take(level, flow);
      };
      FlowWriter flows(take_all);
      pattern.write_level(level, random_stream(size_.seed, purpose_of_pattern, level), flows);
      take_all(flows.block());
    }
  }
  std::size_t place(std::uint32_t rank, std::uint32_t level) const {
    return std::size_t{rank} * levels_ + level;
  }
  void write_level(std::uint32_t rank, std::uint32_t level, StepWriter& writer) const {
    for (std::uint64_t i = first_[place(rank, level)]; i < first_[place(rank, level) + 1]; ++i) {
      if (ends_[i].sends) {
        writer.send(size_.bytes, ends_[i].peer, message_tag);
      } else {
        writer.receive(size_.bytes, ends_[i].peer, message_tag);
      }
    }
  }
  /// Steps of a dissemination of empty messages after each level.
  std::uint64_t barrier_steps() const {
    std::uint64_t steps = 0;
    while (size_.barrier && doubled(steps, size_.ranks) < size_.ranks) ++steps;
    return steps;
  }
  void write_barrier(std::uint32_t rank, std::uint64_t step, StepWriter& writer) const {
    const auto distance = static_cast<std::uint32_t>(doubled(step, size_.ranks));
    writer.send(0, (rank + distance) % size_.ranks, barrier_tag);
    writer.receive(0, (rank + size_.ranks - distance) % size_.ranks, barrier_tag);
  }

  ApplicationSize size_;
  std::uint64_t levels_;
  std::vector<std::uint64_t> first_;  // by rank and level
  std::vector<End> ends_;
};

Application make_pattern_application(const ApplicationSize& size) {
  PatternSpec spec;
  spec.pattern = size.pattern;
  spec.ranks = size.ranks;
  const std::unique_ptr<Pattern> pattern = make_pattern(spec);
  return {size.ranks, size.iterations, size.compute_ns,
          std::make_shared<PatternProgram>(size, *pattern)};
}

}  // namespace

const ApplicationDescription pattern_application{
    "pattern:NAME",
    "any pattern of pssp eval, one level after the other; barrier=yes: with a barrier between "
    "levels",
    make_pattern_application};

}  // namespace pssp
