// Hosts that OpenSM's files name and that are off are no fault: the files are of a site, and a
// node type must not change for all others when one host goes down.

#include "osm_plugin/node_types_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/error.h"

namespace pssp {

std::optional<ConfiguredNodeTypes> read_configured_node_types(const std::string& node_types_file,
                                                              const osm_subn_opt_t& opt,
                                                              std::string& said) {
  ConfiguredNodeTypes configured;
  const auto source = [&configured](const std::filesystem::path& path, std::size_t limit) {
    return configured.reader.read(path, limit);
  };
  const auto add_of_opensm = [&](const char* option, const char* path, std::string_view type) {
    if (path == nullptr || *path == '\0') return;
    std::vector<HostOfType> more = read_guids_of_type(path, type, source);
    configured.hosts.insert(configured.hosts.end(), more.begin(), more.end());
    configured.files += fmt::format("{}{} {}", configured.files.empty() ? "" : ", ", option, path);
  };
  try {
    if (!node_types_file.empty()) {
      configured.hosts = read_node_types(node_types_file, source);
      configured.files = fmt::format("node_types_file {}", node_types_file);
    } else {
      add_of_opensm("cn_guid_file", opt.cn_guid_file, "compute");
      add_of_opensm("io_guid_file", opt.io_guid_file, "io");
    }
  } catch (const Error& error) {
    said = node_types_by_name(configured.reader.redacted(error).what());
    return std::nullopt;
  }
  if (configured.files.empty()) return std::nullopt;
  return configured;
}

std::string node_types_by_name(std::string_view reason) {
  return fmt::format(
      "the files of node types are ignored: {}; node types follow the host names, and traffic is "
      "not interrupted; correct the file",
      reason);
}

std::string options_without_meaning(const osm_subn_opt_t& opt, bool has_node_types_file) {
  std::vector<std::string_view> names;
  const auto note = [&names](bool is_set, std::string_view name) {
    if (is_set) names.push_back(name);
  };
  const auto is_file = [](const char* path) { return path != nullptr && *path != '\0'; };
  note(is_file(opt.root_guid_file), "root_guid_file");
  note(is_file(opt.guid_routing_order_file), "guid_routing_order_file");
  note(is_file(opt.port_prof_ignore_file), "port_prof_ignore_file");
  note(opt.max_reverse_hops != 0, "max_reverse_hops");
  note(opt.scatter_ports != 0, "scatter_ports");
  note(opt.port_shifting != 0, "port_shifting");
  note(opt.hop_weights_file != nullptr, "hop_weights_file (used for multicast only)");
  note(has_node_types_file && is_file(opt.cn_guid_file),
       "cn_guid_file (node_types_file replaces it)");
  note(has_node_types_file && is_file(opt.io_guid_file),
       "io_guid_file (node_types_file replaces it)");
  if (names.empty()) return "";
  return fmt::format("this engine does not use these options of opensm.conf: {}",
                     fmt::join(names, ", "));
}

}  // namespace pssp
