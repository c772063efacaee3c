// Successors are stored in two lists for the two types of dependency. A cycle is found by
// repeatedly removing operations without preconditions: the rest waits for a cycle or is one, and
// following its preconditions backwards must reach an operation twice.

#include "applications/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::size_t most_entries = std::numeric_limits<std::uint32_t>::max() - 1;

void require_room(std::size_t count, const char* what) {
  if (count <= most_entries) return;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "the schedule has {} {}; at most {} are possible; use fewer ranks, or fewer rounds",
          count, what, most_entries));
}

}  // namespace

Schedule::Schedule(std::vector<RankSchedule> ranks) {
  take_operations(ranks);
  ended_ = successors(ranks, false);
  begun_ = successors(ranks, true);
  ranks.clear();
  predecessors_.assign(operation_count(), 0);
  for (const Successors* kind : {&ended_, &begun_}) {
    for (const std::uint32_t later : kind->list) ++predecessors_[later];
  }
  refuse_cycles();
}

void Schedule::take_operations(std::vector<RankSchedule>& ranks) {
  std::size_t operations = 0;
  std::size_t dependencies = 0;
  for (const RankSchedule& rank : ranks) {
    operations += rank.operations.size();
    dependencies += rank.dependencies.size();
  }
  require_room(operations, "operations");
  require_room(dependencies, "dependencies");
  operations_.reserve(operations);
  rank_of_.reserve(operations);
  first_operation_.reserve(ranks.size() + 1);
  first_operation_.push_back(0);
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    for (const Operation& operation : ranks[r].operations) {
      operations_.push_back(operation);
      if (operation.kind != OperationKind::send) continue;
      ++messages_;
      bytes_ += static_cast<double>(operation.size);
    }
    rank_of_.resize(operations_.size(), r);
    first_operation_.push_back(static_cast<std::uint32_t>(operations_.size()));
    std::vector<Operation>().swap(ranks[r].operations);
  }
}

Schedule::Successors Schedule::successors(const std::vector<RankSchedule>& ranks,
                                          bool begun) const {
  Successors result;
  result.first.assign(std::size_t{operation_count()} + 1, 0);
  const auto for_each = [&](const auto& work) {
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
      for (const Dependency& dependency : ranks[r].dependencies) {
        if (dependency.begun_is_enough == begun) work(first_operation_[r], dependency);
      }
    }
  };
  for_each([&](std::uint32_t first, const Dependency& dependency) {
    ++result.first[first + dependency.earlier + 1];
  });
  for (std::size_t i = 1; i < result.first.size(); ++i) result.first[i] += result.first[i - 1];
  result.list.resize(result.first.back());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for_each([&](std::uint32_t first, const Dependency& dependency) {
    result.list[next[first + dependency.earlier]++] = first + dependency.later;
  });
  return result;
}

void Schedule::refuse_cycles() const {
  std::vector<std::uint32_t> waits(predecessors_);
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < waits.size(); ++i) {
    if (waits[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next) {
    for (const auto& later : {after_end(free[next]), after_begin(free[next])}) {
      for (const std::uint32_t operation : later) {
        if (--waits[operation] == 0) free.push_back(operation);
      }
    }
  }
  if (free.size() == waits.size()) return;
  std::vector<std::uint32_t> waits_for(waits.size());
  for (std::uint32_t i = 0; i < waits.size(); ++i) {
    if (waits[i] == 0) continue;
    for (const auto& later : {after_end(i), after_begin(i)}) {
      for (const std::uint32_t operation : later) waits_for[operation] = i;
    }
  }
  const auto left = std::ranges::find_if(waits, [](std::uint32_t count) { return count != 0; });
  auto at = static_cast<std::uint32_t>(left - waits.begin());
  std::vector<char> seen(waits.size());
  for (; seen[at] == 0; at = waits_for[at]) seen[at] = 1;
  throw Error(ErrorKind::verification_failed,
              fmt::format("operations wait for each other in a cycle and never begin; one of them "
                          "is operation {} of {}; remove one of its dependencies",
                          at - first_operation_[rank_of_[at]], label(at)));
}

std::string operation_label(const Operation& operation, std::uint32_t rank) {
  const auto name = [](std::uint32_t value) {
    return value == any_rank ? std::string("any") : fmt::to_string(value);
  };
  switch (operation.kind) {
    case OperationKind::send:
      return fmt::format("rank {}: send {} bytes to {} tag {}", rank, operation.size,
                         operation.peer, name(operation.tag));
    case OperationKind::receive:
      return fmt::format("rank {}: receive {} bytes from {} tag {}", rank, operation.size,
                         name(operation.peer), name(operation.tag));
    case OperationKind::compute:
      break;
  }
  return fmt::format("rank {}: compute {} ns", rank, operation.size);
}

}  // namespace pssp
