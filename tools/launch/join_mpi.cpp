#include <mpi.h>

#include <vector>

#include "tools/launch/join.h"

// MPI is used only if an MPI launcher started the program: initializing it takes a good part of a
// second and opens network devices, which eval_lft on a login node should not. MPI's own error
// handler ends all processes with a message, which is the best reaction to a lost process.

namespace pssp {
namespace {

/// All processes of the launcher.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator(int& argc, char**& argv) {
    int threads = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }

  int rank() const noexcept override { return rank_; }
  int count() const noexcept override { return count_; }

  void add_up(std::vector<std::uint64_t>& numbers) override {
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T,
                  MPI_SUM, MPI_COMM_WORLD);
  }

  std::vector<std::uint64_t> gather_number(std::uint64_t number) override {
    std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count_), number);
    MPI_Allgather(&number, 1, MPI_UINT64_T, numbers.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return numbers;
  }

  void gather_values(const void* part, std::span<const std::uint64_t> sizes, std::size_t bytes,
                     void* all) override {
    std::vector<int> counts, offsets;
    int offset = 0;
    for (const std::uint64_t size : sizes) {
      counts.push_back(static_cast<int>(size));
      offsets.push_back(offset);
      offset += static_cast<int>(size);
    }
    // A separate type for one element, so that the limit of 2^31 applies to values, not bytes.
    MPI_Datatype value = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &value);
    MPI_Type_commit(&value);
    MPI_Allgatherv(part, counts[static_cast<std::size_t>(rank_)], value, all, counts.data(),
                   offsets.data(), value, MPI_COMM_WORLD);
    MPI_Type_free(&value);
  }

  void leave() override { MPI_Finalize(); }

 private:
  int rank_ = 0;
  int count_ = 1;
};

}  // namespace

std::unique_ptr<Communicator> join_launched(int& argc, char**& argv) {
  if (!was_launched()) return nullptr;
  return std::make_unique<MpiCommunicator>(argc, argv);
}

}  // namespace pssp
