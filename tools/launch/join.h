#pragma once

// Connects the processes of a program that an MPI launcher may start: eval_lft,
// simulate_application, simulate_fabric and tune_cc. Two libraries implement these functions:
// pssp_launch_mpi, and pssp_launch_alone for programs that must not require an MPI library.

#include <memory>

#include "evaluator/parallel/communicator.h"
#include "tools/launch/was_launched.h"

namespace pssp {

/// Joins the others where an MPI launcher started the program; null, without a touch of MPI, where
/// none did. Called once a program, before any other thread. Throws Error(usage) where a launcher
/// did and the program was built without MPI.
std::unique_ptr<Communicator> join_launched(int& argc, char**& argv);

}  // namespace pssp
