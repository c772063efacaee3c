#include "base/error.h"
#include "tools/launch/join.h"

// Without MPI. If a launcher starts such a program several times, each process would do the whole
// work and print the same report.

namespace pssp {

std::unique_ptr<Communicator> join_launched(int& /*argc*/, char**& /*argv*/) {
  if (!was_launched()) return nullptr;
  throw Error(ErrorKind::usage,
              "this program was built without MPI, so each process of the MPI launcher would do "
              "the same work; install the Debian package pssp-tools-mpi and start `pssp`, build "
              "with an MPI library (libopenmpi-dev), or run it without the launcher");
}

}  // namespace pssp
