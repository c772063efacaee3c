#include "tools/deploy_tables/new_tables.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/topology_file.h"
#include "fabric/input/fabric_input.h"
#include "tools/deploy_tables/fabric_difference.h"
#include "tools/kit/report.h"

namespace pssp {

LftFile read_tables(const std::string& file) {
  const std::filesystem::path path(file);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (sources.tables) return *std::move(sources.tables);
  throw Error(ErrorKind::usage,
              file + ": this is a topology; expected forwarding tables, then the topology");
}

LftFile read_own_tables(const std::filesystem::path& file) { return read_lft(file); }

Fabric read_own_fabric(const std::filesystem::path& file) {
  return std::move(read_topology(file).builder).build();
}

Fabric read_fabric_for(const std::string& topology, const LftFile& tables) {
  const std::filesystem::path path(topology);
  FabricSources sources = read_fabric_sources({&path, 1});
  if (!sources.topology) {
    throw Error(ErrorKind::usage,
                topology +
                    ": these are forwarding tables; expected the topology that the tables "
                    "were computed for");
  }
  Report("deploy_tables").warn(sources.topology->warnings);
  if (sources.topology->builder.has_lids()) return std::move(sources.topology->builder).build();
  return match_tables(*std::move(sources.topology), tables).fabric;
}

void require_same_fabric(const std::string& topology, const Fabric& expected, const Fabric& found) {
  const FabricDifference difference = difference_of(expected, found);
  if (difference.none()) return;
  throw Error(ErrorKind::mismatch, fmt::format("{}: the fabric has changed: {}; save the topology "
                                               "again (ibnetdiscover), and compute new tables",
                                               topology, difference.text()));
}

}  // namespace pssp
