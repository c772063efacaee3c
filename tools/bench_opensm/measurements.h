#pragma once

// The raw measurements of bench_opensm.

#include <cstdint>
#include <string>
#include <vector>

#include "ibsim_harness/opensm_log.h"

namespace pssp {

/// A fabric of the benchmark.
struct BenchFabric {
  std::string series;  ///< "sizes" or "placement"
  std::string name;    ///< for messages and tables
  std::string file;
  unsigned hosts = 0, switches = 0;
};

/// One sweep of opensm.
struct SweepRecord {
  std::string series, size;  ///< series and name of the fabric
  unsigned hosts = 0, switches = 0;
  std::string engine;  ///< as specified
  unsigned iteration = 1;
  std::string event;  ///< start, resweep, failure, repair
  Sweep sweep;        ///< with the engine that OpenSM used
};

/// Number of ordered pairs of hosts with this number of channels between them.
struct HopRecord {
  std::string size, engine;
  unsigned hops = 0;
  std::uint64_t pairs = 0;
};

/// An engine that does not route a fabric.
struct Refusal {
  std::string size, engine, reason;
};

struct Measurements {
  std::vector<SweepRecord> sweeps;
  std::vector<HopRecord> hops;
  std::vector<Refusal> refusals;
};

}  // namespace pssp
