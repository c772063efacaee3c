#pragma once

// The fabric as a picture: switches and links, colored by load, drawn by graphviz.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "evaluator/pictures/colour_scale.h"
#include "fabric/fabric.h"

namespace pssp {

struct FabricPicture {
  std::string title;
  /// Values for the colors, by ChannelId: edge forwarding indices, or mean flows of a simulation.
  /// At least 0, finite.
  std::vector<double> loads;
  std::string load_name = "edge forwarding index";
  Palette palette = Palette::heat;
  bool draw_hosts = false;   ///< the hosts of each switch by name; else their number
  std::size_t labelled = 8;  ///< maximum number of hottest lines with a label of their load
};

/// The picture in the dot language, including the layout program, so that `dot -Tsvg` draws it. A
/// line represents all links between two switches, and has the color of their busiest channel in
/// either direction; a labeled line has an arrow in the direction of that channel. Tooltips name
/// channels and loads. Deterministic. O(channels log channels).
std::string to_dot(const Fabric& fabric, const FabricPicture& map);

/// The picture in the format of the file name: .dot and .gv contain the text of to_dot(), .svg,
/// .png and .pdf the drawing of graphviz. Throws Error(usage) for another ending, and Error(output)
/// if graphviz is missing or fails.
std::string drawn_map(const Fabric& fabric, const FabricPicture& map,
                      const std::filesystem::path& file);

/// Writes the picture, whole or not at all. Throws as drawn_map(), and Error(output) if the file
/// cannot be written.
void draw(const Fabric& fabric, const FabricPicture& map, const std::filesystem::path& file);

/// Throws Error(usage) for file names that draw() would reject, to be called before long work.
void require_map_format(const std::filesystem::path& file);

}  // namespace pssp
