#pragma once

// How a program that an MPI launcher may start finds the others: eval_lft, simulate_application,
// simulate_fabric and tune_cc. Two libraries have these functions: pssp_launch_mpi, and
// pssp_launch_alone for programs that are to be installed where there is no MPI library.

#include <memory>

#include "evaluator/parallel/communicator.h"

namespace pssp {

/// Whether the environment is that of a process of Open MPI, MPICH, MVAPICH or Slurm's PMI.
bool was_launched();

/// Joins the others where an MPI launcher started the program; null, without a touch of MPI, where
/// none did. Called once a program, before any other thread. Throws Error(usage) where a launcher
/// did and the program was built without MPI.
std::unique_ptr<Communicator> join_launched(int& argc, char**& argv);

}  // namespace pssp
