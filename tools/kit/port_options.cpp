#include "tools/kit/port_options.h"

#include "fabric/ids.h"
#include "tools/kit/command_line.h"

namespace pssp {

void PortOptions::add_options(CommandLine& line) {
  line.option("-C,--Ca", adapters.adapter, "Adapter to send from, e.g. mlx5_0");
  line.option("-P,--Port", adapters.port, "Port of the adapter; 0: first active port")
      .range(0, max_port_number);
  line.option("--smi-device", adapters.subnet_device,
              "Device for subnet management, e.g. smi1 (default: device of the adapter)");
  line.option("--gsi-device", adapters.general_device,
              "Device for all other MADs (default: device of the adapter)");
  line.option("-t,--mad-timeout", timeout_ms, "Milliseconds to wait for a response")
      .range(1, 60'000)
      .type_name("MS")
      .show_default();
  line.option("--retries", retries, "Number of retries after a timeout")
      .range(0, 100)
      .show_default();
  line.option("--window", window, "Number of nodes queried at the same time")
      .range(1, 1024)
      .show_default();
}

ExchangeOptions PortOptions::exchange() const {
  ExchangeOptions options;
  options.timeout = std::chrono::milliseconds(timeout_ms);
  options.retries = retries;
  options.window = window;
  return options;
}

}  // namespace pssp
