#pragma once

// Parses single lines of a topology file, independent of other lines, for the topology reader, and
// for content_kind.cpp, which recognizes topologies by their lines.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text_lines.h"
#include "fabric/ids.h"
#include "fabric/link_rate.h"

namespace pssp {

enum class NodeKeyword : std::uint8_t { switch_node, adapter, router };
constexpr std::size_t node_keywords = 3;

/// `Switch 41 "S-1c34da0300728866" # "description" enhanced port 0 lid 1600 lmc 0`
struct NodeLine {
  NodeKeyword keyword = NodeKeyword::switch_node;
  unsigned ports = 0;
  std::string_view id;
  /// None: unspecified, as in files for ibsim, which then uses the identifier. Empty: the node has
  /// no description.
  std::optional<std::string_view> description;
  unsigned lid = no_lid;  ///< of switches; no_lid: unspecified
  unsigned lmc = 0;
};

/// `switchguid=0x1c34da0300728866(1c34da0300728866)`, `caguid+8`
struct GuidLine {
  NodeKeyword keyword = NodeKeyword::switch_node;
  bool relative = false;  ///< relative to the last absolute one
  Guid value = 0;
};

/// ibsim's masks of enabled widths (1: 1x, 2: 4x, 4: 8x, 8: 12x, 16: 2x), speeds (1: SDR, 2: DDR,
/// 4: QDR) and extended speeds (1: FDR, 2: EDR, 4: HDR, 8: NDR). A link uses the best rate that
/// both of its ports enable.
struct EnabledRates {
  std::uint8_t widths = 2, speeds = 1, extended_speeds = 0;  // ibsim's defaults
  bool stated = false;                                       ///< false: all three are defaults
};

/// `[1](1c34da030071429a) "S-0c42a10300528086"[2] # lid 3303 lmc 0 "description" lid 4490 4xHDR`
struct PortLine {
  bool is_alias = false;  ///< `@[1] "alias"`: remote_id is another name of this port
  unsigned port = 0;
  Guid guid = 0;  ///< 0: unspecified
  std::string_view remote_id;
  unsigned remote_port = 1;
  Guid remote_guid = 0;
  unsigned lid = no_lid, lmc = 0;  ///< of this port; adapters only
  unsigned remote_lid = no_lid;
  LinkRate rate;
  std::string_view unknown_rate;  ///< a rate in an unknown notation
  EnabledRates enabled;
};

/// `# port 1 (1c34da030071429a) lid 3303 lmc 0 without a cable`: a comment of this project, because
/// ibsim accepts no port line without a cable.
struct UncabledPort {
  unsigned port = 0;
  Guid guid = 0;
  unsigned lid = no_lid, lmc = 0;
};

/// `module="name"`, `width=8` and the other settings of a net file for the following lines.
struct SettingLine {
  enum class Key : std::uint8_t { module_prefix, width, speed, extended_speed };
  Key key = Key::module_prefix;
  std::string_view text = {};  ///< of module_prefix
  std::uint8_t mask = 0;       ///< of other settings
};

/// Whether a line begins as a node line, up to the quote before the identifier, or contains a GUID.
/// Consoles may lose blanks, but not the number and the quote.
bool begins_node_line(std::string_view line);
bool begins_guid_line(std::string_view line);

/// Each returns none for lines of another kind, and throws Error(unreadable_input) for invalid
/// lines of its kind. The views refer to the text.
std::optional<NodeLine> parse_node_line(const TextLines& at);
std::optional<GuidLine> parse_guid_line(const TextLines& at);
std::optional<SettingLine> parse_setting_line(const TextLines& at);
/// For a comment, from its '#' on; none for any other comment.
std::optional<UncabledPort> parse_uncabled_port(std::string_view comment);
/// `defaults` are the enabled rates of the node. `in_node`: false if no node has begun; a line
/// without a quoted identifier is then no port line, but for example a shell's "[1] 4711".
std::optional<PortLine> parse_port_line(const TextLines& at, NodeKeyword node, bool in_node,
                                        const EnabledRates& defaults);

}  // namespace pssp
