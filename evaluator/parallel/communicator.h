#pragma once

// How processes that were launched together exchange what they know. The programs that mpirun may
// start bring one (tools/launch/); libraries, and so all other programs, need no MPI library.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pssp {

/// All functions but rank() and count() are called by all processes, in the same order, by the
/// thread that made the communicator.
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  /// 0 .. count() - 1.
  virtual int rank() const noexcept = 0;
  virtual int count() const noexcept = 0;

  /// Elementwise sums over all processes, in every process. All vectors have the same size.
  virtual void add_up(std::vector<std::uint64_t>& numbers) = 0;
  /// The numbers of all processes, in order of their ranks, in every process.
  virtual std::vector<std::uint64_t> gather_number(std::uint64_t number) = 0;
  /// Writes the parts of all processes, in order of their ranks, one behind the other to `all`, in
  /// every process. `sizes` counts the values of each part, `bytes` those of a value.
  virtual void gather_values(const void* part, std::span<const std::uint64_t> sizes,
                             std::size_t bytes, void* all) = 0;
  /// Says goodbye: nothing is called after it. A process that ends without makes the launcher end
  /// the others.
  virtual void leave() = 0;
};

}  // namespace pssp
