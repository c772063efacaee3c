#pragma once

// Tables of simulate_fabric for other programs, and its pictures.

#include <filesystem>
#include <string>

#include "base/file_io.h"
#include "tools/simulate_fabric/report.h"

namespace pssp {

/// CSV: run, seed, time in seconds, kind (network, flow, host, link, port), name, bytes in the
/// sample from that time on; with ports also marks and queue. Throws Error(usage) if it would
/// exceed 10 GiB.
ContentSource series_csv(const SimulateReport& report);

/// CSV: one line per run and flow.
std::string runs_csv(const SimulateReport& report);

/// The gnuplot script for the throughput of all hosts over time, one line per kind of run (the mean
/// of its seeds).
std::string throughput_script(const SimulateReport& report, const std::string& format);
/// The grid of two varied parameters. Throws Error(usage) if there is none.
std::string heat_script(const SimulateReport& report, const std::string& format);
/// The fabric, colored according to the options; the content of a file with this name. Throws
/// Error.
std::string congestion_map(const SimulateReport& report, const std::string& file);

}  // namespace pssp
