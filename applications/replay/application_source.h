#pragma once

// Creates the operations of an application as they become ready.

#include <cstdint>
#include <string>
#include <vector>

#include "applications/generators/program.h"
#include "applications/replay/operation_source.h"

namespace pssp {

/// Memory: O(ranks * strands + concurrently simulated operations). The application must outlive the
/// object.
class ApplicationSource : public OperationSource {
 public:
  explicit ApplicationSource(const Application& application);

  std::uint32_t rank_count() const override { return application_.ranks; }
  Operation operation(std::uint32_t number) const override { return slots_[number].operation; }
  std::uint32_t rank_of(std::uint32_t number) const override { return slots_[number].rank; }
  std::uint64_t order_of(std::uint32_t number) const override { return slots_[number].order; }
  void first(std::vector<std::uint32_t>& freed) override;
  void begun(std::uint32_t /*number*/, std::vector<std::uint32_t>& /*freed*/) override {}
  void ended(std::uint32_t number, std::vector<std::uint32_t>& freed) override;
  void forget(std::uint32_t number) override { unused_.push_back(number); }
  std::vector<std::string> waiting(std::size_t most) const override;

 private:
  struct Slot {
    Operation operation;
    std::uint64_t order = 0;
    std::uint32_t rank = 0;
    std::uint8_t strand = 0;
    bool is_simulated = false;  // not ended
  };
  struct Strand {
    std::uint64_t next_step = 0, written = 0;  // operations written
    std::uint32_t unfinished = 0;              // operations of the current step
  };
  /// The position of a rank. Phase 0 is the computation of an iteration, the others are the
  /// program's.
  struct RankState {
    std::uint32_t iteration = 0, phase = 0;
    std::uint32_t strands = 0;  // that have not ended
  };

  Strand& strand(std::uint32_t rank, std::uint32_t number) {
    return strands_[std::size_t{rank} * most_strands_ + number];
  }
  void begin_phases(std::uint32_t rank, std::vector<std::uint32_t>& freed);
  bool begin_phase(std::uint32_t rank, std::vector<std::uint32_t>& freed);
  bool begin_step(std::uint32_t rank, std::uint32_t of, std::vector<std::uint32_t>& freed);
  bool write_step(const StepPosition& place);
  std::uint32_t take_slot();

  const Application& application_;
  std::uint32_t phases_, most_strands_ = 1;
  std::vector<RankState> ranks_;
  std::vector<Strand> strands_;  // [rank][strand]
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> unused_;
  std::vector<Operation> step_;
};

}  // namespace pssp
