#pragma once

// Shared code of the fuzz targets: the definition of a finding, and the steps from the result of a
// reader to a routed fabric.
//
// A target is a function that accepts any bytes. It may refuse them with a pssp::Error whose
// message is printable. Any other exception, and any error that a sanitizer reports, is a finding.
// Each fuzz_NAME.cpp defines the target fuzz_NAME; libfuzzer/entry.cpp makes a libFuzzer program of
// it, and test_corpus.cpp runs all targets on past findings.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp::test {

using FuzzTarget = void (*)(std::string_view input);

/// Runs the target on one input. Throws std::logic_error, or what the target threw, on a finding.
void run_fuzz_target(FuzzTarget target, std::string_view input);

/// Throws std::logic_error(what) unless `holds`.
void require(bool holds, const char* what);

/// Requires that a message is not empty and has no control characters, with which a file could
/// control a terminal.
void require_message(std::string_view message);
void require_messages(const std::vector<std::string>& messages);

/// Requires that the arrays of the fabric are consistent.
void require_sound(const Fabric& fabric);

/// Verifies the tables, and writes and reads them as opensm-lfts.dump. Does nothing if they are too
/// large for thousands of runs per second.
void use_tables(const Fabric& fabric, const ForwardingTables& tables);

/// Requires that the fabric is consistent and, if it has LIDs, that pssp routes it without
/// deadlocks, that heal routes or refuses it, and that no structured traffic is below its bound.
/// Routes only fabrics that are small enough.
void use_fabric(const Fabric& fabric);

/// Splits the input of a target that reads two files at the first line "---- second file ----".
std::pair<std::string_view, std::string_view> two_files(std::string_view input);

/// A mesh of 3 x 2 switches with two hosts each and LMC 1, for readers that need a fabric.
const Fabric& sample_fabric();

}  // namespace pssp::test
