#pragma once

// One engine of the comparison: opensm routes with it, the tables are read back and scored.

#include <filesystem>
#include <string>

#include "ibsim_harness/engine_spec.h"
#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"
#include "tools/compare_engines/engine_result.h"
#include "tools/compare_engines/options.h"

namespace pssp {

/// Tries an engine on the topology of `options`, with 2^lmc LIDs a host, in a folder of its own.
/// Whatever keeps this engine alone from routing is in the result; what would befall every engine
/// (no program, no topology, no place) is thrown. The folder's topology.net has the LIDs by which
/// the tables were scored.
EngineResult try_engine(const EngineSpec& engine, unsigned lmc, const CompareOptions& options,
                        const EngineHints& hints, const std::filesystem::path& directory,
                        const Surroundings& surroundings, const SignalQueue& signals);

}  // namespace pssp
