// Configurations of the monitor: each must be the same after it is written and read again. Also
// parses the address to listen on.

#include "base/error.h"
#include "monitor/configuration/configuration.h"
#include "monitor/server/listen_address.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_monitor_configuration(std::string_view input) {
  const MonitorConfiguration read = parse_monitor_configuration(input, "input");
  const std::string text = configuration_text(read);
  const MonitorConfiguration again = parse_monitor_configuration(text, "written");
  require(changes(read, again).empty(), "a written configuration differs from the original");
  require(
      changes(MonitorConfiguration(), read).size() == changes(read, MonitorConfiguration()).size(),
      "the number of changes depends on the direction");
  const MonitorConfiguration taken = taken_over(MonitorConfiguration(), read);
  for (const ConfigurationChange& each : changes(taken, read)) {
    require(!each.while_running, "a key that can change at run time was not taken over");
  }
  static_cast<void>(displayed_address(parse_listen_address(read.server.listen)));
}

}  // namespace pssp::test
