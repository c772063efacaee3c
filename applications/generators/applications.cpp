#include "applications/generators/applications.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "applications/generators/descriptions.h"
#include "base/error.h"

namespace pssp {
namespace {

constexpr std::array all_applications{&allreduce_ring,         &allreduce_recursive_doubling,
                                      &allreduce_rabenseifner, &alltoall_pairwise,
                                      &alltoall_linear,        &alltoall_bruck,
                                      &bcast_binomial,         &barrier_dissemination,
                                      &halo_application,       &incast_application,
                                      &train_application,      &pattern_application};

}  // namespace

std::span<const ApplicationDescription* const> applications() { return all_applications; }

const ApplicationDescription& find_application(std::string_view name) {
  std::string names;
  for (const ApplicationDescription* application : all_applications) {
    if (application->name == name) return *application;
    names += (names.empty() ? "" : ", ") + std::string(application->name);
  }
  throw Error(ErrorKind::usage,
              fmt::format("unknown application '{}'; expected one of {}", name, names));
}

}  // namespace pssp
