#include "tools/congestion/fabric_access.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/formats/topology_file.h"
#include "tools/kit/progress_line.h"
#include "wire/umad_port.h"

namespace pssp {
namespace {

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

/// Decimal, or hexadecimal after 0x. `where` is said, the key itself is not.
std::uint64_t read_key(std::string_view text, std::string_view where) {
  const int base = take(text, "0x") ? 16 : 10;
  const std::optional<std::uint64_t> key = take_number(text, base);
  if (!key || !text.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: expected a CC_Key, a number of at most 64 bits such as 0x1234", where));
  }
  return *key;
}

}  // namespace

void FabricAccess::add_options(CLI::App& app) {
  app.add_option("--node", nodes, "Only this node: GUID (0x...), name or description; repeatable")
      ->allow_extra_args(false);
  app.add_option("-C,--Ca", adapter, "Adapter of this machine to send from, e.g. mlx5_0");
  app.add_option("-P,--Port", port, "Its port; 0: the first active one")
      ->check(CLI::Range(0U, max_port_number));
  auto* const key = app.add_option("--cc-key", cc_key, "CC_Key of the fabric; default 0");
  app.add_option("--cc-key-file", cc_key_file, "File with the CC_Key, which ps does not show")
      ->excludes(key);
  app.add_option("-t,--timeout", timeout_ms, "Milliseconds to wait for an answer")
      ->check(CLI::Range(1U, 60'000U))
      ->capture_default_str();
  app.add_option("--retries", retries, "Further tries after one without an answer")
      ->check(CLI::Range(0U, 100U))
      ->capture_default_str();
  app.add_option("--window", window, "Nodes that are asked at a time")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  app.add_flag("--per-node", per_node, "List each node by itself");
  app.add_flag("--json", json, "Report as JSON, with all nodes");
}

std::vector<CcNode> FabricAccess::load_nodes(const char* tool) const {
  TopologyFile file = read_topology(topology);
  for (const std::string& warning : file.warnings) {
    fmt::print(stderr, "{}: warning: {}\n", tool, warning);
  }
  if (!file.builder.has_lids()) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: it has no LIDs, by which switches and adapters are reached; take "
                            "the output of ibnetdiscover",
                            topology));
  }
  CcNodes found = congestion_nodes(std::move(file.builder).build());
  if (found.without_lid != 0) {
    fmt::print(stderr, "{}: warning: {}: {} switches or adapter ports without a LID are left out\n",
               tool, topology, found.without_lid);
  }
  return select_nodes(std::move(found.nodes), nodes);
}

std::uint64_t FabricAccess::key() const {
  if (!cc_key.empty()) return read_key(cc_key, "--cc-key");
  if (cc_key_file.empty()) return 0;
  constexpr std::size_t longest_key_file = 4096;
  const std::string text = read_file(cc_key_file, longest_key_file);
  return read_key(trimmed(first_line(text)), cc_key_file);
}

ExchangeOptions FabricAccess::exchange_options() const {
  ExchangeOptions options;
  options.timeout = std::chrono::milliseconds(timeout_ms);
  options.retries = retries;
  options.window = window;
  return options;
}

void FabricAccess::hold_all(std::span<Dialogue* const> dialogues, const std::string& what) const {
  const std::array classes{congestion_class};
  UmadPort umad(adapter, port, classes);
  ProgressLine line(what);
  hold_dialogues(umad, dialogues, exchange_options(),
                 [&](std::size_t done) { line.update(done, dialogues.size()); });
}

}  // namespace pssp
