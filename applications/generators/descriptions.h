#pragma once

// The built-in applications, each defined in a file of this folder and named in registry.cpp.

#include "applications/generators/applications.h"

namespace pssp {

extern const ApplicationDescription allreduce_ring, allreduce_recursive_doubling,
    allreduce_rabenseifner, alltoall_pairwise, alltoall_linear, alltoall_bruck, bcast_binomial,
    barrier_dissemination, halo_application, incast_application, train_application,
    pattern_application;

}  // namespace pssp
