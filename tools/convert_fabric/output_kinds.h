#pragma once

// What convert_fabric can write: one line a kind.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/file_io.h"
#include "fabric/input/conversion_losses.h"
#include "fabric/input/fabric_input.h"

namespace pssp {

/// Who is told of the nodes and how near they are to each other, in which file.
enum class Scheduler : std::uint8_t { none, slurm, slurm_yaml, slurm_block };

struct OutputKind {
  std::string_view name;        ///< of --to
  std::string_view extensions;  ///< of file names that mean it, each with a blank behind it
  std::string_view summary;
  bool needs_tables = false;
  /// Null where there is a scheduler, whose files have options (slurm_output.h).
  void (*write)(const FabricInput& input, const ContentSink& sink) = nullptr;
  Scheduler scheduler = Scheduler::none;
  /// Whose losses are reported; opensm's tables have none.
  std::optional<OutputNotation> notation = std::nullopt;
};

std::span<const OutputKind> output_kinds();

/// By the name given with --to, or, where that is empty, by the extension of the output file.
/// Throws Error(usage) with what there is.
const OutputKind& find_output_kind(std::string_view name, const std::filesystem::path& output);

}  // namespace pssp
