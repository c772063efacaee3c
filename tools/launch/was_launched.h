#pragma once

namespace pssp {

/// Whether the environment is that of a process of Open MPI, MPICH, MVAPICH or Slurm's PMI.
bool was_launched();

}  // namespace pssp
