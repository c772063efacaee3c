#include "tools/eval_lft/eval_lft_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.h"
#include "fabric/input/fabric_input.h"

// A topology without LIDs takes them from the tables, so each set of tables makes a Fabric of its
// own. The endpoints are the same and in the same order in all of them (by GUID), so that rank 17
// is the same host in all.

namespace pssp {
namespace {

EvalInput to_input(std::string name, FabricSources sources, const BuilderOptions& builder) {
  if (!sources.tables) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: this is a topology without forwarding tables; name the file that "
                            "has them, too",
                            name));
  }
  FabricInput read = to_fabric_input(std::move(sources), builder);
  return {std::move(name), std::move(read.fabric), *std::move(read.tables),
          std::move(read.warnings), std::move(read.notes)};
}

void require_same_hosts(const EvalInput& first, const EvalInput& other) {
  const auto same = [&](EndPortId a, EndPortId b) {
    return first.fabric.end_port(a).port_guid == other.fabric.end_port(b).port_guid;
  };
  if (std::ranges::equal(first.fabric.endpoints(), other.fabric.endpoints(), same)) return;
  throw Error(ErrorKind::mismatch,
              fmt::format("{} and {} cannot be compared: their fabrics have {} and {} hosts, or "
                          "other ones",
                          first.name, other.name, first.fabric.endpoints().size(),
                          other.fabric.endpoints().size()));
}

}  // namespace

std::vector<EvalInput> read_eval_inputs(const EvalOptions& options) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  FabricSources sources = read_fabric_sources(paths);
  std::vector<EvalInput> inputs;
  std::optional<TopologyFile> topology;
  if (!options.compared.empty()) topology = sources.topology;
  inputs.push_back(to_input(options.files.front(), std::move(sources), options.builder));
  for (const std::string& name : options.compared) {
    const std::filesystem::path path(name);
    FabricSources compared = read_fabric_sources({&path, 1});
    if (!compared.topology) compared.topology = topology;
    inputs.push_back(to_input(name, std::move(compared), options.builder));
    require_same_hosts(inputs.front(), inputs.back());
  }
  return inputs;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    fmt::print(stderr, "eval_lft: warning: {}\n", warning);
  }
}

}  // namespace pssp
