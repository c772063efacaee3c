#pragma once

// The parameters of the model by name, as in `model NAME VALUE` of a traffic file and --NAME on the
// command line.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "simulator/model.h"

namespace pssp {

/// One parameter of the model. `read` throws Error(usage) with the allowed values.
struct ModelValue {
  std::string_view name;     ///< "buffer"
  std::string_view kind;     ///< "CREDITS", for --help
  std::string_view meaning;  ///< one line
  void (*read)(Model& model, std::string_view text);
  std::string (*show)(const Model& model);
};

std::span<const ModelValue> model_values();

/// Throws Error(usage), naming the parameter, for an unknown name or an invalid value.
void set_model_value(Model& model, std::string_view name, std::string_view text);

/// Adds all parameters of the model.
void add_model(const Model& model, Digest& digest);

}  // namespace pssp
