#pragma once

// The values of the model by name, as `model NAME VALUE` in a traffic file and --NAME on the
// command line of a program have them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "simulator/model.h"

namespace pssp {

/// One value of the model. `read` throws Error(usage) with what is allowed.
struct ModelValue {
  std::string_view name;     ///< "buffer"
  std::string_view kind;     ///< "CREDITS", for --help
  std::string_view meaning;  ///< one line
  void (*read)(Model& model, std::string_view text);
  std::string (*show)(const Model& model);
};

std::span<const ModelValue> model_values();

/// Throws Error(usage), naming the value, when there is none of that name or the text is wrong.
void set_model_value(Model& model, std::string_view name, std::string_view text);

/// All values of the model.
void add_model(const Model& model, Digest& digest);

}  // namespace pssp
