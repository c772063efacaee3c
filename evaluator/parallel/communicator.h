#pragma once

// Communication between processes that were launched together. Programs that mpirun can start
// provide a communicator (tools/launch/); libraries and all other programs need no MPI library.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pssp {

/// All processes must call all functions except rank() and count() in the same order, in the thread
/// that made the communicator.
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
  /// Writes the parts of all processes, in order of their ranks, one after the other to `all`, in
  /// every process. `sizes` are the numbers of values of the parts, `bytes` is the size of a value.
  virtual void gather_values(const void* part, std::span<const std::uint64_t> sizes,
                             std::size_t bytes, void* all) = 0;
  /// Must be the last call. If a process ends without it, the launcher ends the others.
  virtual void leave() = 0;
};

}  // namespace pssp
