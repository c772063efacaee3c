#include "tools/order_nodes/order_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace pssp {
namespace {

constexpr std::array<std::string_view, 7> format_names = {
    "plain",    "slurm",     "openmpi-hostfile", "openmpi-rankfile", "mpich-machinefile",
    "torchrun", "kubernetes"};

/// In apostrophes, which a shell does not interpret.
std::string quoted_for_shell(std::string_view name) {
  std::string text = "'";
  for (const char c : name) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string torchrun_text(std::span<const std::string> names) {
  std::string text =
      "# torchrun --node_rank=\"$NODE_RANK\" --master_addr=\"$MASTER_ADDR\" ..: elastic "
      "rendezvous\n"
      "# sorts nodes by name instead.\n";
  text += "MASTER_ADDR=" + quoted_for_shell(names.front()) + "\n";
  text += "case ${PSSP_NODE:-$(hostname)} in\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = quoted_for_shell(names[i]);
    text += fmt::format("{0} | {0}.*) NODE_RANK={1} ;;\n", name, i);
  }
  text +=
      "*)\n"
      "  echo \"$(hostname) is not a node of this order\" >&2\n"
      "  exit 1\n"
      "  ;;\n"
      "esac\n"
      "export NODE_RANK MASTER_ADDR\n";
  return text;
}

std::string kubernetes_text(std::span<const std::string> names) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < names.size(); ++i) json[names[i]] = i;
  return dump_json(json);
}

}  // namespace

std::vector<std::string> order_format_names() { return {format_names.begin(), format_names.end()}; }

OrderFormat order_format(std::string_view name) {
  return static_cast<OrderFormat>(std::ranges::find(format_names, name) - format_names.begin());
}

std::string order_text(std::span<const std::string> names, OrderFormat format,
                       std::uint32_t ranks_per_node) {
  if (format == OrderFormat::torchrun) return torchrun_text(names);
  if (format == OrderFormat::kubernetes) return kubernetes_text(names);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (format == OrderFormat::openmpi_hostfile) {
      text += fmt::format("{} slots={}\n", name, ranks_per_node);
    } else if (format == OrderFormat::mpich_machinefile) {
      text += fmt::format("{}:{}\n", name, ranks_per_node);
    } else if (format == OrderFormat::plain) {
      text += name + "\n";
    } else {
      for (std::uint32_t slot = 0; slot < ranks_per_node; ++slot) {
        text += format == OrderFormat::slurm
                    ? name + "\n"
                    : fmt::format("rank {}={} slot={}\n", i * ranks_per_node + slot, name, slot);
      }
    }
  }
  return text;
}

}  // namespace pssp
