#pragma once

// The files with the node types of hosts, read at the beginning of each routing: the option
// node_types_file or, without it, cn_guid_file and io_guid_file of opensm.conf.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the other one.
#include <opensm/osm_subnet.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/confidential_reader.h"
#include "fabric/formats/node_types_file.h"

namespace pssp {

/// What files say, and how what is wrong with it may be told.
struct ConfiguredNodeTypes {
  std::vector<HostOfType> hosts;
  std::string files;  ///< "node_types_file /etc/node_types"
  ConfidentialReader reader;
};

/// Nothing where no file is named; nor, with the reason in `said`, where one is missing, no regular
/// file, too large or broken: then none counts. Waits for no one. `node_types_file`: may be empty.
std::optional<ConfiguredNodeTypes> read_configured_node_types(const std::string& node_types_file,
                                                              const osm_subn_opt_t& opt,
                                                              std::string& said);

/// What the log says where files do not count.
std::string node_types_by_name(std::string_view reason);

/// Options of opensm.conf that are set, are about routing and mean nothing to our engines: a line
/// for the log; empty where there are none.
std::string options_without_meaning(const osm_subn_opt_t& opt, bool has_node_types_file);

}  // namespace pssp
