#pragma once

// Connects the processes of a program that an MPI launcher may start: eval_lft,
// simulate_application, simulate_fabric and tune_cc. Two libraries implement these functions:
// pssp_launch_mpi, and pssp_launch_alone for programs that must not require an MPI library.

#include <memory>

#include "evaluator/parallel/communicator.h"

namespace pssp {

/// Whether the environment is that of a process started by Open MPI, MPICH, MVAPICH or Slurm's PMI.
bool was_launched();

/// Joins the others if an MPI launcher started the program; otherwise returns null without
/// initializing MPI. Called once per program, before any other thread. Throws Error(usage) if a
/// launcher started a program that was built without MPI.
std::unique_ptr<Communicator> join_launched(int& argc, char**& argv);

}  // namespace pssp
