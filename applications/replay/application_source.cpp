// A strand has one active step: when its last operation ends, the next step is written. The order
// of operations is that of generators/program.cpp in files: by iteration, phase, strand and step,
// which are the bit fields of a 64-bit number.

#include "applications/replay/application_source.h"

#include <algorithm>

namespace pssp {

ApplicationSource::ApplicationSource(const Application& application)
    : application_(application),
      phases_(application.program->phase_count() + 1),
      ranks_(application.ranks) {
  for (std::uint32_t phase = 0; phase + 1 < phases_; ++phase) {
    most_strands_ = std::max(most_strands_, application.program->strand_count(phase));
  }
  strands_.resize(std::size_t{application.ranks} * most_strands_);
}

void ApplicationSource::first(std::vector<std::uint32_t>& freed) {
  for (std::uint32_t rank = 0; rank < application_.ranks; ++rank) begin_phases(rank, freed);
}

void ApplicationSource::ended(std::uint32_t number, std::vector<std::uint32_t>& freed) {
  Slot& slot = slots_[number];
  slot.is_simulated = false;
  const std::uint32_t rank = slot.rank;
  const std::uint32_t of = slot.strand;
  if (--strand(rank, of).unfinished != 0) return;
  if (begin_step(rank, of, freed)) return;
  RankState& state = ranks_[rank];
  if (--state.strands != 0) return;
  ++state.phase;
  begin_phases(rank, freed);
}

/// Begins the next phase with an operation, if there is one.
void ApplicationSource::begin_phases(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
  RankState& state = ranks_[rank];
  for (; state.iteration < application_.iterations; ++state.iteration, state.phase = 0) {
    for (; state.phase < phases_; ++state.phase) {
      if (begin_phase(rank, freed)) return;
    }
  }
}

bool ApplicationSource::begin_phase(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
  RankState& state = ranks_[rank];
  const std::uint32_t count =
      state.phase == 0 ? 1 : application_.program->strand_count(state.phase - 1);
  state.strands = 0;
  for (std::uint32_t s = 0; s < count; ++s) {
    strand(rank, s) = {};
    if (begin_step(rank, s, freed)) ++state.strands;
  }
  return state.strands != 0;
}

/// Begins the next step with an operation, if there is one.
bool ApplicationSource::begin_step(std::uint32_t rank, std::uint32_t of,
                                   std::vector<std::uint32_t>& freed) {
  Strand& state = strand(rank, of);
  const RankState& at = ranks_[rank];
  do {
    step_.clear();
    if (!write_step({rank, at.phase, of, state.next_step++})) return false;
  } while (step_.empty());
  constexpr unsigned strand_bits = 8, written_bits = 32;
  const std::uint64_t phase = std::uint64_t{at.iteration} * phases_ + at.phase;
  const std::uint64_t order = (phase << strand_bits | of) << written_bits;
  for (const Operation& operation : step_) {
    const std::uint32_t number = take_slot();
    slots_[number] = {operation, order | state.written++, rank, static_cast<std::uint8_t>(of),
                      true};
    freed.push_back(number);
  }
  state.unfinished = static_cast<std::uint32_t>(step_.size());
  return true;
}

bool ApplicationSource::write_step(const StepPosition& place) {
  StepWriter writer(step_);
  if (place.phase > 0) {
    return application_.program->write_step({place.rank, place.phase - 1, place.strand, place.step},
                                            writer);
  }
  if (place.step > 0) return false;
  writer.compute(application_.compute_ns);
  return true;
}

std::uint32_t ApplicationSource::take_slot() {
  if (unused_.empty()) {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t number = unused_.back();
  unused_.pop_back();
  return number;
}

std::vector<std::string> ApplicationSource::waiting(std::size_t most) const {
  std::vector<const Slot*> replayed;
  for (const Slot& slot : slots_) {
    if (slot.is_simulated) replayed.push_back(&slot);
  }
  std::ranges::sort(replayed, [](const Slot* a, const Slot* b) {
    return a->rank != b->rank ? a->rank < b->rank : a->order < b->order;
  });
  std::vector<std::string> labels;
  for (const Slot* slot : replayed) {
    if (labels.size() == most) break;
    labels.push_back(operation_label(slot->operation, slot->rank));
  }
  return labels;
}

}  // namespace pssp
