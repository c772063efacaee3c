#pragma once

// The legend above a map of the fabric.

#include <string>

#include "evaluator/pictures/colour_scale.h"

namespace pssp {

struct MapLegend {
  std::string title;
  std::string contents;   ///< subject of the picture
  std::string load_name;  ///< meaning of the colors
  int letters = 11;       ///< font size in points
  bool explains_labels = false;
};

/// A table in graphviz's HTML-like language: title, contents, the colors with their limits and the
/// number of channels in each class.
std::string to_html(const MapLegend& legend, const ColourScale& scale);

/// A readable load: without an exponent and insignificant digits.
std::string load_figure(double load);

}  // namespace pssp
