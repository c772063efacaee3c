#pragma once

// The values of the model, lanes and service levels among them, as programs that simulate packets
// are told of them.

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
  std::vector<std::pair<std::string, std::string>> model;  ///< values by name, as given
};

/// Texts of these options that are understood after parsing, and the names of all that were
/// declared.
struct ModelTexts {
  std::vector<std::string> model, declared;
};

/// Declares them in a group of the help, but for those of `left_out` (names without "--").
void add_model_options(CommandLine& line, ModelOptions& options, ModelTexts& texts,
                       const char* group, std::initializer_list<std::string_view> left_out = {});

/// After parse(). Throws Error(usage).
void take_model_texts(const ModelTexts& texts, ModelOptions& options);

struct LevelFiles {
  std::optional<ServiceLevels> levels;  ///< of the fabric that they were read for
  std::vector<std::uint8_t> sl_to_vl;   ///< 16 of them, or none
};
/// Throws Error.
LevelFiles read_level_files(const ModelOptions& options, const Fabric& fabric);

/// The defaults, then the statements, then the options. With service levels and no map of them the
/// default is a lane for each. Throws Error(usage).
Model model_of(const ModelOptions& options, const LevelFiles& files,
               std::span<const ModelStatement> statements = {});

/// The lane that the model has for each of the levels; what is no level stays.
ServiceLevels lanes_of(const ServiceLevels& levels, const Model& model);

}  // namespace pssp
