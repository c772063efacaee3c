#pragma once

// The output formats of convert_fabric, one line each.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/file_io.h"
#include "fabric/input/conversion_losses.h"
#include "fabric/input/fabric_input.h"

namespace pssp {

/// The scheduler and file format of a topology for job placement.
enum class Scheduler : std::uint8_t { none, slurm, slurm_yaml, slurm_block };

struct OutputKind {
  std::string_view name;        ///< of --to
  std::string_view extensions;  ///< file name extensions, each followed by a blank
  std::string_view summary;
  bool needs_tables = false;
  /// Null for scheduler formats, which have options (slurm_output.h).
  void (*write)(const FabricInput& input, const ContentSink& sink) = nullptr;
  Scheduler scheduler = Scheduler::none;
  /// For the report of losses; opensm's tables have none.
  std::optional<OutputNotation> notation = std::nullopt;
};

std::span<const OutputKind> output_kinds();

/// By the name given with --to or, if it is empty, by the extension of the output file. Throws
/// Error(usage), listing the formats.
const OutputKind& find_output_kind(std::string_view name, const std::filesystem::path& output);

}  // namespace pssp
