#pragma once

// Options of the programs that send MADs: from which port of this machine, and how patiently.

#include "wire/adapter_pair.h"
#include "wire/exchange.h"

namespace pssp {

class CommandLine;

struct PortOptions {
  AdapterChoice adapters;
  unsigned timeout_ms = 500;
  unsigned retries = 2;
  unsigned window = 128;

  /// Adds -C, -P, --smi-device, --gsi-device, --mad-timeout, --retries and --window. The object
  /// must outlive the parsing.
  void add_options(CommandLine& line);
  ExchangeOptions exchange() const;
};

}  // namespace pssp
