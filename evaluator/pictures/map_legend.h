#pragma once

// What is written above a map of the fabric.

#include <string>

#include "evaluator/pictures/colour_scale.h"

namespace pssp {

struct MapLegend {
  std::string title;
  std::string contents;   ///< what is drawn
  std::string load_name;  ///< what the colours stand for
  int letters = 11;       ///< size of the letters, in points
  bool explains_labels = false;
};

/// A table in graphviz's HTML-like language: title, contents, the colours with their limits and the
/// number of channels in each class.
std::string to_html(const MapLegend& legend, const ColourScale& scale);

/// A load as people read it: no exponent, no digits that say nothing.
std::string load_figure(double load);

}  // namespace pssp
