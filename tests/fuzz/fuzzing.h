#pragma once

// What the fuzz targets share: what counts as a finding, and the way from what a reader returned to
// a routed fabric.
//
// A target is a function that takes any bytes. It may refuse them with a pssp::Error whose message
// can be shown; whatever else it throws, and whatever a sanitizer sees, is a finding. Every
// fuzz_NAME.cpp defines the target fuzz_NAME; libfuzzer/entry.cpp makes a libFuzzer program of it,
// test_corpus.cpp runs all of them on past findings.

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

/// A message can be shown: it says something, and has no control characters, with which a file
/// could command a terminal.
void require_message(std::string_view message);
void require_messages(const std::vector<std::string>& messages);

/// The arrays of the fabric agree with each other.
void require_sound(const Fabric& fabric);

/// Verifies the tables, and writes and reads them as opensm-lfts.dump. Passed over where they are
/// too large for thousands of runs a second.
void use_tables(const Fabric& fabric, const ForwardingTables& tables);

/// A sound fabric, which engine pssp routes if it has LIDs, and its lanes are free of deadlocks;
/// which engine heal routes or refuses; and no structured traffic is below its bound. Likewise
/// passed over.
void use_fabric(const Fabric& fabric);

/// The input of a target that reads two files: what is before and behind the first line
/// "---- second file ----".
std::pair<std::string_view, std::string_view> two_files(std::string_view input);

/// A mesh of 3 x 2 switches with two hosts each, LMC 1: for what can only be read beside a fabric.
const Fabric& sample_fabric();

}  // namespace pssp::test
