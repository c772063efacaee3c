// Launchers pass ranks to their processes in the environment.

#include "tools/launch/was_launched.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace pssp {

bool was_launched() {
  constexpr std::array variables = {
      "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",           "PMI_RANK", "PMIX_RANK",
      "MPI_LOCALRANKID",      "MV2_COMM_WORLD_SIZE"};
  return std::any_of(variables.begin(), variables.end(), [](const char* variable) {
    return std::getenv(variable) != nullptr;  // NOLINT(concurrency-mt-unsafe): no other thread yet
  });
}

}  // namespace pssp
