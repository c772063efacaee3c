// Exchange with the neighbors on a periodic grid of three dimensions. In a dimension of length 2,
// the single neighbor gets the faces of both sides.

#include "applications/generators/descriptions.h"
#include "applications/generators/steps.h"

namespace pssp {
namespace {

bool faces(const ApplicationSize& size, std::uint32_t rank, std::uint64_t step,
           StepWriter& writer) {
  if (step != 0) return false;
  std::uint32_t stride = 1;
  std::vector<std::uint32_t> neighbours;
  for (const std::uint32_t length : size.grid) {
    const std::uint32_t place = rank / stride % length;
    const std::uint32_t base = rank - place * stride;
    if (length > 1) {
      neighbours.push_back(base + (place + 1) % length * stride);
      neighbours.push_back(base + (place + length - 1) % length * stride);
    }
    stride *= length;
  }
  for (const std::uint32_t neighbour : neighbours) writer.receive(size.bytes, neighbour);
  for (const std::uint32_t neighbour : neighbours) writer.send(size.bytes, neighbour);
  return true;
}

}  // namespace

const ApplicationDescription halo_application{
    "halo:AxBxC", "six neighbors on a torus of ranks, all at the same time", make_of_steps<faces>};

}  // namespace pssp
