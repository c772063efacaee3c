#pragma once

// Tries one engine: opensm routes with it, and the tables are read back and scored.

#include <filesystem>
#include <string>

#include "ibsim_harness/engine_spec.h"
#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"
#include "tools/compare_engines/engine_result.h"
#include "tools/compare_engines/options.h"

namespace pssp {

/// Tries an engine on the topology of `options`, with 2^lmc LIDs per host, in its own folder.
/// Failures of this engine are in the result; errors that would affect every engine (a missing
/// program or topology, a full disk) are thrown. The folder's topology.net has the LIDs with which
/// the tables were scored.
EngineResult try_engine(const EngineSpec& engine, unsigned lmc, const CompareOptions& options,
                        const EngineHints& hints, const std::filesystem::path& directory,
                        const Surroundings& surroundings, const SignalQueue& signals);

}  // namespace pssp
