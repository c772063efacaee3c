#include "tools/kit/without_monitor.h"

#include "base/error.h"

namespace pssp {

void refuse_database() {
  throw Error(ErrorKind::usage,
              "--database: this program was built without the monitor (PSSP_BUILD_MONITOR=OFF)");
}

}  // namespace pssp
