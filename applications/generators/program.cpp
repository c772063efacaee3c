// Strands of a phase are written one after the other, so operations are numbered by iteration,
// phase, strand and step.

#include "applications/generators/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pssp {
namespace {

/// Operations of a rank, relative to its first.
struct StepRange {
  std::uint64_t first = 0, end = 0;
};
std::uint64_t size_of(const std::vector<StepRange>& ranges) {
  std::uint64_t count = 0;
  for (const StepRange& range : ranges) count += range.end - range.first;
  return count;
}

/// Visits the iterations of a rank with their dependencies.
class RankWalk {
 public:
  RankWalk(const Application& application, std::uint32_t rank)
      : application_(application), rank_(rank) {}

  /// Calls take(operations, waited_for) for each nonempty step of the next iteration; each
  /// operation of the step waits for all operations in the ranges.
  template <class Take>
  void next_iteration(const Take& take) {
    step_.clear();
    StepWriter(step_).compute(application_.compute_ns);
    std::vector<StepRange> begun;
    if (!step_.empty()) waited_for_ = {hand_on(waited_for_, take)};
    const ApplicationProgram& program = *application_.program;
    for (std::uint32_t phase = 0; phase < program.phase_count(); ++phase) {
      begun.clear();
      for (std::uint32_t strand = 0; strand < program.strand_count(phase); ++strand) {
        walk_strand({rank_, phase, strand, 0}, begun, take);
      }
      if (!begun.empty()) waited_for_ = begun;
    }
  }

 private:
  template <class Take>
  void walk_strand(StepPosition place, std::vector<StepRange>& last_steps, const Take& take) {
    std::vector<StepRange> before;
    for (;; ++place.step) {
      step_.clear();
      StepWriter writer(step_);
      if (!application_.program->write_step(place, writer)) break;
      if (!step_.empty()) before = {hand_on(before.empty() ? waited_for_ : before, take)};
    }
    last_steps.insert(last_steps.end(), before.begin(), before.end());
  }
  template <class Take>
  StepRange hand_on(const std::vector<StepRange>& waited_for, const Take& take) {
    take(step_, waited_for);
    const StepRange range{count_, count_ + step_.size()};
    count_ = range.end;
    return range;
  }

  const Application& application_;
  std::uint32_t rank_;
  std::uint64_t count_ = 0;
  std::vector<Operation> step_;
  std::vector<StepRange> waited_for_;
};

void add(const std::vector<Operation>& step, ApplicationExtent& extent) {
  for (const Operation& operation : step) {
    ++extent.operations;
    extent.adapter = std::max(extent.adapter, operation.adapter);
    const auto size = static_cast<double>(operation.size);
    switch (operation.kind) {
      case OperationKind::send:
        ++extent.messages;
        extent.bytes += size;
        break;
      case OperationKind::receive:
        extent.received += size;
        break;
      case OperationKind::compute:
        extent.compute_ns += size;
        break;
    }
  }
}

/// Adds `times` the difference between `after` and `before`.
void add_times(std::uint64_t times, const ApplicationExtent& before, const ApplicationExtent& after,
               ApplicationExtent& sum) {
  sum.operations += times * (after.operations - before.operations);
  sum.dependencies += times * (after.dependencies - before.dependencies);
  sum.messages += times * (after.messages - before.messages);
  const auto factor = static_cast<double>(times);
  sum.bytes += factor * (after.bytes - before.bytes);
  sum.received += factor * (after.received - before.received);
  sum.compute_ns += factor * (after.compute_ns - before.compute_ns);
  sum.adapter = std::max(sum.adapter, after.adapter);
}

void require_room(const Application& application, const ApplicationExtent& all,
                  std::uint32_t rank) {
  if (all.operations <= most_operations && all.dependencies <= most_dependencies) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} iterations of {} ranks have more than {} operations or {} "
                          "dependencies (reached at rank {}), the limits of the simulation; use "
                          "fewer iterations, fewer ranks, or a smaller window",
                          application.iterations, application.ranks, most_operations,
                          most_dependencies, rank));
}

}  // namespace

ApplicationExtent extent_of(const Application& application) {
  ApplicationExtent all;
  for (std::uint32_t rank = 0; rank < application.ranks; ++rank) {
    // The second iteration waits for the first, and each later one equals the second.
    RankWalk walk(application, rank);
    ApplicationExtent first, both;
    const auto count = [&](const std::vector<Operation>& step,
                           const std::vector<StepRange>& waited_for) {
      both.dependencies += step.size() * size_of(waited_for);
      add(step, both);
    };
    walk.next_iteration(count);
    add_times(1, {}, both, all);
    if (application.iterations > 1) {
      first = both;
      walk.next_iteration(count);
      add_times(application.iterations - 1, first, both, all);
    }
    require_room(application, all, rank);
  }
  return all;
}

std::vector<RankSchedule> written(const Application& application) {
  extent_of(application);
  std::vector<RankSchedule> ranks(application.ranks);
  for (std::uint32_t rank = 0; rank < application.ranks; ++rank) {
    RankSchedule& of = ranks[rank];
    RankWalk walk(application, rank);
    for (std::uint32_t i = 0; i < application.iterations; ++i) {
      walk.next_iteration(
          [&](const std::vector<Operation>& step, const std::vector<StepRange>& waited_for) {
            for (const Operation& operation : step) {
              const auto number = static_cast<std::uint32_t>(of.operations.size());
              of.operations.push_back(operation);
              for (const StepRange& range : waited_for) {
                for (std::uint64_t earlier = range.first; earlier < range.end; ++earlier) {
                  of.dependencies.push_back({static_cast<std::uint32_t>(earlier), number, false});
                }
              }
            }
          });
    }
  }
  return ranks;
}

}  // namespace pssp
