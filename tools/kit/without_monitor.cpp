#include "tools/kit/without_monitor.h"

#include "base/error.h"

namespace pssp {

void refuse_database() {
  throw Error(ErrorKind::usage,
              "--database: this program was built without the monitor, whose database it is "
              "(PSSP_BUILD_MONITOR)");
}

}  // namespace pssp
