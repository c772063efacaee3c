// In the place of counted_ports.cpp in a build without the monitor, which has no reader of its
// database.

#include "base/error.h"
#include "tools/locate_slow/counted_ports.h"

namespace pssp {
namespace {

[[noreturn]] void refuse_database() {
  throw Error(ErrorKind::usage,
              "--database: this program was built without the monitor, whose database it is "
              "(PSSP_BUILD_MONITOR)");
}

}  // namespace

struct CountedPorts::State {};

CountedPorts::CountedPorts(const std::string&, const TimeWindow&) { refuse_database(); }

CountedPorts::~CountedPorts() = default;

std::vector<CountedPort> CountedPorts::of(const MeasuredFabric&, SuspectObject) const { return {}; }

TimeWindow measured_window(const std::string&, const std::string&, const std::string&,
                           const std::string&) {
  refuse_database();
}

}  // namespace pssp
