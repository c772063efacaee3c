#pragma once

// The links of a path, for reports.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluator/paths/path.h"
#include "fabric/fabric.h"

namespace pssp {

/// One link of a path, in the direction of the packet.
struct PathLink {
  std::string from, to;  // "label[port]"
  std::string from_name, to_name;
  PortNumber from_port = 0, to_port = 0;
  Lid to_lid = no_lid;
  LinkRate rate;
  ChannelId channel;  // none: the link of an end port
};

/// The links of the path from end to end, including those of the end ports. For an incomplete path,
/// up to its end.
std::vector<PathLink> links_of(const Fabric& fabric, const Path& path);

/// Edge forwarding index of a channel; `loads` are those of channel_loads().
double index_of(const Fabric& fabric, ChannelId channel, std::span<const std::uint64_t> loads);

/// Over the channels of the path; 0 if there are none.
double largest_index(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads);

}  // namespace pssp
