#include "evaluator/parallel/processes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "base/error.h"

#ifdef PSSP_HAS_MPI
#include <mpi.h>
#endif

// MPI is used only by programs that an MPI launcher started: initialising it takes a good part of a
// second and opens network devices, which eval_lft on a login node should not. Launchers tell
// their processes who they are through the environment.

namespace pssp {
namespace {

/// Whether the environment is that of a process of Open MPI, MPICH, MVAPICH or Slurm's PMI.
bool was_launched() {
  constexpr std::array variables = {
      "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",           "PMI_RANK", "PMIX_RANK",
      "MPI_LOCALRANKID",      "MV2_COMM_WORLD_SIZE"};
  return std::any_of(variables.begin(), variables.end(), [](const char* variable) {
    return std::getenv(variable) != nullptr;  // NOLINT(concurrency-mt-unsafe): no other thread yet
  });
}

}  // namespace

Share Processes::share(std::uint64_t all) const noexcept {
  const auto processes = static_cast<std::uint64_t>(count_);
  const auto rank = static_cast<std::uint64_t>(rank_);
  const std::uint64_t each = all / processes;
  const std::uint64_t larger = all % processes;  // the first so many have one more
  return {.first = rank * each + std::min(rank, larger), .count = each + (rank < larger ? 1 : 0)};
}

void Processes::add_up(std::map<double, std::uint64_t>& histogram) const {
  if (count_ == 1) return;
  std::vector<double> keys;
  std::vector<std::uint64_t> numbers;
  for (const auto& [key, number] : histogram) {
    keys.push_back(key);
    numbers.push_back(number);
  }
  keys = gather(keys);
  numbers = gather(numbers);
  histogram.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) histogram[keys[i]] += numbers[i];
}

int Processes::first_where(bool here) const {
  const std::vector<std::uint64_t> answers = gather_number(here ? 1 : 0);
  const auto found = std::find(answers.begin(), answers.end(), 1U);
  return static_cast<int>(found - answers.begin());
}

#ifdef PSSP_HAS_MPI

// MPI's own error handler ends all processes with a message, which is the best that can be done
// where one of them has gone.

Processes::Processes(int& argc, char**& argv) {
  if (!was_launched()) return;
  int threads = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  joined_ = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Processes::~Processes() {
  // An exception on its way may leave the others waiting for this process for ever. A launcher that
  // sees a process end without saying goodbye ends them.
  if (std::uncaught_exceptions() == 0) leave();
}

void Processes::leave() {
  if (joined_) MPI_Finalize();
  joined_ = false;
}

void Processes::add_up(std::vector<std::uint64_t>& numbers) const {
  if (count_ == 1) return;
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T,
                MPI_SUM, MPI_COMM_WORLD);
}

std::vector<std::uint64_t> Processes::gather_number(std::uint64_t number) const {
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count_), number);
  if (count_ == 1) return numbers;
  MPI_Allgather(&number, 1, MPI_UINT64_T, numbers.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  return numbers;
}

void Processes::gather_values(const void* part, std::span<const std::uint64_t> sizes,
                              std::size_t bytes, void* all) const {
  std::vector<int> counts, offsets;
  int offset = 0;
  for (const std::uint64_t size : sizes) {
    counts.push_back(static_cast<int>(size));
    offsets.push_back(offset);
    offset += static_cast<int>(size);
  }
  // One element of a type of its own, so that the limit of 2^31 is one of values and not of bytes.
  MPI_Datatype value = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &value);
  MPI_Type_commit(&value);
  MPI_Allgatherv(part, counts[static_cast<std::size_t>(rank_)], value, all, counts.data(),
                 offsets.data(), value, MPI_COMM_WORLD);
  MPI_Type_free(&value);
}

#else

Processes::Processes(int& /*argc*/, char**& /*argv*/) {
  if (!was_launched()) return;
  throw Error(ErrorKind::usage,
              "this program was built without MPI, so an MPI launcher would start the same work "
              "several times; install an MPI library (Debian: libopenmpi-dev), build anew, or "
              "start it without the launcher");
}

Processes::~Processes() = default;

void Processes::leave() {}

void Processes::add_up(std::vector<std::uint64_t>& /*numbers*/) const {}

std::vector<std::uint64_t> Processes::gather_number(std::uint64_t number) const { return {number}; }

void Processes::gather_values(const void* /*part*/, std::span<const std::uint64_t> /*sizes*/,
                              std::size_t /*bytes*/, void* /*all*/) const {}

#endif

}  // namespace pssp
