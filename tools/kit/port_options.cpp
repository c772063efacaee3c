#include "tools/kit/port_options.h"

#include "fabric/ids.h"
#include "tools/kit/command_line.h"

namespace pssp {

void PortOptions::add_options(CommandLine& line) {
  line.option("-C,--Ca", adapters.adapter, "Adapter of this machine to send from, e.g. mlx5_0");
  line.option("-P,--Port", adapters.port, "Its port; 0: the first active one")
      .range(0, max_port_number);
  line.option("--smi-device", adapters.subnet_device,
              "Device that subnet management is sent by, e.g. smi1 (default: that which belongs to "
              "the adapter)");
  line.option("--gsi-device", adapters.general_device,
              "Device that everything else is sent by (default: likewise)");
  line.option("-t,--timeout", timeout_ms, "Milliseconds to wait for an answer")
      .range(1, 60'000)
      .show_default();
  line.option("--retries", retries, "Further tries after one without an answer")
      .range(0, 100)
      .show_default();
  line.option("--window", window, "Nodes that are asked at a time").range(1, 1024).show_default();
}

ExchangeOptions PortOptions::exchange() const {
  ExchangeOptions options;
  options.timeout = std::chrono::milliseconds(timeout_ms);
  options.retries = retries;
  options.window = window;
  return options;
}

}  // namespace pssp
