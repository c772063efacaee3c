#include "base/error.h"
#include "tools/launch/join.h"

// Without MPI. A launcher that starts such a program several times would get the same report
// several times, each after the whole work.

namespace pssp {

std::unique_ptr<Communicator> join_launched(int& /*argc*/, char**& /*argv*/) {
  if (!was_launched()) return nullptr;
  throw Error(ErrorKind::usage,
              "this program was built without MPI, so an MPI launcher would start the same work "
              "several times; start the program of the same name with -mpi at its end (Debian "
              "package pssp-tools-mpi), or build with an MPI library (libopenmpi-dev), or start it "
              "without the launcher");
}

}  // namespace pssp
