#pragma once

// Options for the parameters of the packet model, including lanes and service levels.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/service_levels.h"
#include "simulator/model.h"
#include "simulator/traffic/traffic_file.h"
#include "tools/kit/command_line.h"

namespace pssp {

struct ModelOptions {
  std::string service_levels, sl_to_vl;                    ///< files; empty: none
  std::vector<std::pair<std::string, std::string>> model;  ///< parameters by name, as given
};

/// Options that are interpreted after parsing, and the names of all declared ones.
struct ModelTexts {
  std::vector<std::string> model, declared;
};

/// Declares them, except those in `left_out` (names without "--").
void add_model_options(CommandLine& line, ModelOptions& options, ModelTexts& texts,
                       std::initializer_list<std::string_view> left_out = {});

/// After parse(). Throws Error(usage).
void take_model_texts(const ModelTexts& texts, ModelOptions& options);

struct LevelFiles {
  std::optional<ServiceLevels> levels;  ///< of the fabric for which they were read
  std::vector<std::uint8_t> sl_to_vl;   ///< 16 values, or empty
};
/// Throws Error.
LevelFiles read_level_files(const ModelOptions& options, const Fabric& fabric);

/// The defaults, overridden by the statements, then by the options. With service levels and without
/// a map, the default is one lane per level. Throws Error(usage).
Model model_of(const ModelOptions& options, const LevelFiles& files,
               std::span<const ModelStatement> statements = {});

/// The lane of the model for each of the levels; invalid levels stay.
ServiceLevels lanes_of(const ServiceLevels& levels, const Model& model);

}  // namespace pssp
