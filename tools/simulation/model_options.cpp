// Parameters of the model have the names and meanings of their table (simulator/model_values.h), as
// in traffic files.

#include "tools/simulation/model_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/formats/service_level_file.h"
#include "simulator/model_values.h"
#include "simulator/sl_to_vl_file.h"

namespace pssp {
namespace {

/// Levels come from lanes, so the default is one lane per level.
std::uint32_t lane_count(const ServiceLevels& levels) {
  std::uint32_t lanes = 1;
  for (const ServiceLevel level : levels.entries()) {
    if (level < service_level_count) lanes = std::max(lanes, level + 1U);
  }
  return std::min<std::uint32_t>(lanes, max_data_lanes);
}

}  // namespace

void add_model_options(CommandLine& line, ModelOptions& options, ModelTexts& texts,
                       std::initializer_list<std::string_view> left_out) {
  const auto add = [&](const std::string& name, std::string& text, const std::string& help) {
    texts.declared.push_back(name);
    return line.option(name, text, help);
  };
  const auto values = model_values();
  texts.model.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::ranges::find(left_out, values[i].name) != left_out.end()) continue;
    add("--" + std::string(values[i].name), texts.model[i],
        fmt::format("{} (default: {})", values[i].meaning, values[i].show({})))
        .type_name(std::string(values[i].kind));
  }
  add("--service-levels", options.service_levels,
      "File of service levels, as written by pssp route --lanes; one virtual lane for each unless "
      "--vls or --sl2vl is given")
      .reads();
  add("--sl2vl", options.sl_to_vl, "File with the virtual lanes of the 16 service levels").reads();
}

void take_model_texts(const ModelTexts& texts, ModelOptions& options) {
  Model tried;
  for (std::size_t i = 0; i < texts.model.size(); ++i) {
    if (texts.model[i].empty()) continue;
    const std::string name(model_values()[i].name);
    set_model_value(tried, name, texts.model[i]);
    options.model.emplace_back(name, texts.model[i]);
  }
}

LevelFiles read_level_files(const ModelOptions& options, const Fabric& fabric) {
  LevelFiles files;
  if (!options.service_levels.empty()) {
    files.levels = match_service_levels(read_service_levels(options.service_levels), fabric);
  }
  if (!options.sl_to_vl.empty()) files.sl_to_vl = read_sl_to_vl(options.sl_to_vl);
  return files;
}

Model model_of(const ModelOptions& options, const LevelFiles& files,
               std::span<const ModelStatement> statements) {
  Model model;
  if (files.levels && files.sl_to_vl.empty()) model.lanes = lane_count(*files.levels);
  for (const ModelStatement& each : statements) set_model_value(model, each.name, each.value);
  for (const auto& [name, value] : options.model) set_model_value(model, name, value);
  if (!files.sl_to_vl.empty()) model.sl_to_vl = files.sl_to_vl;
  return model;
}

ServiceLevels lanes_of(const ServiceLevels& levels, const Model& model) {
  ServiceLevels lanes = levels;
  for (ServiceLevel& entry : lanes.entries()) {
    if (entry >= service_level_count) continue;
    entry = model.sl_to_vl.empty() ? static_cast<ServiceLevel>(entry % model.lanes)
                                   : model.sl_to_vl[entry];
  }
  return lanes;
}

}  // namespace pssp
