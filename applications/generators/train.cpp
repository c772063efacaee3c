// A training step: the layers of a network are divided into stages, each on a group of ranks; the
// samples pass the stages in microbatches, forward and then backward (Y. Huang et al., "GPipe",
// NeurIPS 2019); then the ranks of a stage sum their gradients in rings (P. Patarasu, X. Yuan,
// "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 2009).
//
// Stage t has ranks t * G .. t * G + G - 1, G = P / stages, and rank i of a stage exchanges
// activations with rank i of the neighboring stages. While a rank computes microbatch m, it sends
// its result of m - 1 and receives m + 1: it has one processor, which a send or receive occupies
// for o. Sends come first in a step, so that no computation of a microbatch delays a neighbor.
//
// With several rails, the vector is divided into as many parts, each in an independent ring with
// its own adapter.

#include <fmt/format.h>

#include "applications/generators/descriptions.h"
#include "applications/generators/steps.h"
#include "base/error.h"

namespace pssp {
namespace {

constexpr std::uint32_t forward_tag = 0, backward_tag = 1, first_ring_tag = 2;

/// A pass through the stages.
struct Pass {
  bool has_before = false, has_behind = false;
  std::uint32_t before = 0, behind = 0;  // ranks
  std::uint64_t compute_ns = 0;
  std::uint32_t tag = forward_tag;
};

class Training : public ApplicationProgram {
 public:
  explicit Training(const ApplicationSize& size)
      : size_(size), group_(size.ranks / size.training.stages) {}

  std::uint32_t phase_count() const override { return 2; }
  std::uint32_t strand_count(std::uint32_t phase) const override {
    return phase == 0 ? 1 : size_.training.rails;
  }
  bool write_step(const StepPosition& place, StepWriter& writer) const override {
    return place.phase == 0 ? write_pass(place, writer) : write_ring(place, writer);
  }

 private:
  Pass pass_of(std::uint32_t rank, bool is_forward) const {
    const std::uint32_t stage = rank / group_;
    const bool is_first = stage == 0;
    const bool is_last = stage + 1 == size_.training.stages;
    const std::uint32_t down = is_first ? rank : rank - group_;
    const std::uint32_t up = is_last ? rank : rank + group_;
    if (is_forward) return {!is_first, !is_last, down, up, size_.compute_ns, forward_tag};
    return {!is_last, !is_first, up, down, size_.training.backward_ns, backward_tag};
  }
  bool write_pass(const StepPosition& place, StepWriter& writer) const {
    const std::uint64_t microbatches = size_.training.microbatches;
    const std::uint64_t steps = microbatches + 2;
    if (place.step >= 2 * steps) return false;
    const Pass pass = pass_of(place.rank, place.step < steps);
    const std::uint64_t step = place.step % steps;
    const std::uint64_t bytes = size_.training.activation_bytes;
    if (step >= 2 && pass.has_behind) writer.send(bytes, pass.behind, pass.tag);
    if (step < microbatches && pass.has_before) writer.receive(bytes, pass.before, pass.tag);
    if (step >= 1 && step <= microbatches) writer.compute(pass.compute_ns);
    return true;
  }
  bool write_ring(const StepPosition& place, StepWriter& writer) const {
    if (place.step >= 2 * (std::uint64_t{group_} - 1)) return false;
    const std::uint32_t member = place.rank % group_;
    const std::uint32_t first = place.rank - member;
    const RingStep bytes = ring_step(block_bytes(size_.bytes, size_.training.rails, place.strand),
                                     group_, member, static_cast<std::uint32_t>(place.step));
    const auto adapter = static_cast<std::uint8_t>(place.strand);
    const std::uint32_t tag = first_ring_tag + place.strand;
    writer.send(bytes.out, first + (member + 1) % group_, tag, adapter);
    writer.receive(bytes.in, first + (member + group_ - 1) % group_, tag, adapter);
    return true;
  }

  ApplicationSize size_;
  std::uint32_t group_;
};

Application make_training(const ApplicationSize& size) {
  const std::uint32_t stages = size.training.stages;
  if (stages == 0 || size.ranks % stages != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("train: {} ranks cannot be divided evenly among {} stages (stages=)",
                            size.ranks, stages));
  }
  // The computation belongs to a microbatch, not to an iteration.
  return {size.ranks, size.iterations, 0, std::make_shared<Training>(size)};
}

}  // namespace

const ApplicationDescription train_application{
    "train", "forward and back through stages=N, microbatches=M, then a ring in each stage",
    make_training};

}  // namespace pssp
