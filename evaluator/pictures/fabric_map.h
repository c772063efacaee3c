#pragma once

// The fabric as a picture: switches and the links between them, coloured by load, drawn by
// graphviz.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "evaluator/pictures/colour_scale.h"
#include "fabric/fabric.h"

namespace pssp {

struct FabricPicture {
  std::string title;
  /// What the channels are coloured by, by ChannelId: edge forwarding indices, or mean flows of a
  /// simulation. At least 0, finite.
  std::vector<double> loads;
  std::string load_name = "edge forwarding index";
  Palette palette = Palette::heat;
  bool draw_hosts = false;   ///< the hosts of each switch by name; else their number
  std::size_t labelled = 8;  ///< the hottest lines that get their load as a label: at most so many
};

/// The picture in the dot language; it names the layout program itself, so that `dot -Tsvg` draws
/// it. A line stands for all links between two switches and has the colour of the busiest channel
/// among them, in either direction; a labelled one has an arrow in the direction of that channel.
/// Tooltips name channels and loads. Deterministic. O(channels log channels).
std::string to_dot(const Fabric& fabric, const FabricPicture& map);

/// The picture as the ending of the file's name says: .dot and .gv the text of to_dot(), .svg, .png
/// and .pdf what graphviz draws. Throws Error(usage) for another ending, Error(output) where
/// graphviz is missing or fails.
std::string drawn_map(const Fabric& fabric, const FabricPicture& map,
                      const std::filesystem::path& file);

/// Writes it, whole or not at all. Throws as drawn_map(), and Error(output) where the file cannot
/// be written.
void draw(const Fabric& fabric, const FabricPicture& map, const std::filesystem::path& file);

/// Throws Error(usage) where draw() would because of the ending: to be asked before long work.
void require_map_format(const std::filesystem::path& file);

}  // namespace pssp
