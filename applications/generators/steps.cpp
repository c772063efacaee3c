#include "applications/generators/steps.h"

#include <utility>

namespace pssp {
namespace {

class StepProgram : public ApplicationProgram {
 public:
  StepProgram(ApplicationSize size, StepFunction function)
      : size_(std::move(size)), function_(function) {}
  bool write_step(const StepPosition& place, StepWriter& writer) const override {
    return function_(size_, place.rank, place.step, writer);
  }

 private:
  ApplicationSize size_;
  StepFunction function_;
};

}  // namespace

Application application_of(const ApplicationSize& size, StepFunction write_step) {
  return {size.ranks, size.iterations, size.compute_ns,
          std::make_shared<StepProgram>(size, write_step)};
}

RingStep ring_step(std::uint64_t bytes, std::uint32_t members, std::uint32_t place,
                   std::uint32_t step) {
  // Blocks are summed in the first round and distributed in the second, in which each member begins
  // with the block whose sum it has.
  const std::uint32_t round = members - 1;
  const std::uint64_t begin = step < round ? std::uint64_t{place} : std::uint64_t{place} + 1;
  const std::uint64_t block = begin + 2 * std::uint64_t{members} - step % round;
  return {block_bytes(bytes, members, static_cast<std::uint32_t>(block % members)),
          block_bytes(bytes, members, static_cast<std::uint32_t>((block - 1) % members))};
}

}  // namespace pssp
