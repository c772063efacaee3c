#include "simulator/model_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/printable.h"
#include "congestion/parameter_values.h"
#include "fabric/tables/service_levels.h"
#include "simulator/values.h"

namespace pssp {
namespace {

template <class Number>
Number model_count(std::string_view text, std::string_view what, std::uint64_t least,
                   std::uint64_t most) {
  return static_cast<Number>(read_count(text, what, least, most));
}

template <class Choice, std::size_t Size>
Choice model_choice(std::string_view text, const std::array<std::string_view, Size>& words) {
  for (std::size_t i = 0; i < Size; ++i) {
    if (text == words[i]) return static_cast<Choice>(i);
  }
  throw Error(ErrorKind::usage, fmt::format("'{}' is not allowed here; expected {}", excerpt(text),
                                            fmt::join(words, " or ")));
}

constexpr std::array<std::string_view, 2> marking_text{"unmarked-between", "every-nth"};
constexpr std::array<std::string_view, 2> root_text{"any", "credits"};
constexpr std::array<std::string_view, 2> becn_text{"in-band", "ideal"};
constexpr std::array<std::string_view, 3> switch_text{"cut-through", "store-and-forward",
                                                      "cut-through-always"};

std::string displayed_rate(const std::optional<LinkRate>& rate) {
  return rate ? to_string(*rate) : "rate in the topology";
}

std::vector<std::uint32_t> read_weights(std::string_view text) {
  std::vector<std::uint32_t> weights;
  for (const std::string_view part : list_parts(text)) {
    weights.push_back(model_count<std::uint32_t>(part, "weights of lanes", 1, 255));
  }
  return weights;
}

constexpr std::array all_model_values{
    ModelValue{"marking", "HOW",
               "Meaning of Marking_Rate n: unmarked-between (n packets between two marked ones) or "
               "every-nth",
               [](Model& m, std::string_view text) {
                 m.marking = model_choice<Marking>(text, marking_text);
               },
               [](const Model& m) {
                 return std::string(marking_text[static_cast<std::size_t>(m.marking)]);
               }},
    ModelValue{
        "root", "WHICH",
        "Ports above the threshold that mark packets: any, or credits (only ports with credits for "
        "one more packet)",
        [](Model& m, std::string_view text) { m.root = model_choice<RootTest>(text, root_text); },
        [](const Model& m) { return std::string(root_text[static_cast<std::size_t>(m.root)]); }},
    ModelValue{"vls", "N",
               "Number of virtual lanes; packets of service level n use lane n modulo N",
               [](Model& m, std::string_view text) {
                 m.lanes = model_count<std::uint32_t>(text, "a number of lanes", 1, max_data_lanes);
               },
               [](const Model& m) { return std::to_string(m.lanes); }},
    ModelValue{"vl-weights", "W,..", "Arbitration weights of the virtual lanes",
               [](Model& m, std::string_view text) { m.lane_weights = read_weights(text); },
               [](const Model& m) {
                 return m.lane_weights.empty() ? std::string("equal")
                                               : fmt::format("{}", fmt::join(m.lane_weights, ","));
               }},
    ModelValue{"buffer", "CREDITS",
               "Receive buffer of each virtual lane of each port, in units of 64 bytes",
               [](Model& m, std::string_view text) {
                 m.buffer_credits =
                     model_count<std::uint32_t>(text, "credits of 64 bytes", 1, 1'000'000);
               },
               [](const Model& m) { return std::to_string(m.buffer_credits); }},
    ModelValue{"link-rate", "RATE", "Rate of links between switches",
               [](Model& m, std::string_view text) { m.link_rate = read_link_rate(text); },
               [](const Model& m) { return displayed_rate(m.link_rate); }},
    ModelValue{"host-rate", "RATE", "Rate of links to hosts",
               [](Model& m, std::string_view text) { m.host_rate = read_link_rate(text); },
               [](const Model& m) { return displayed_rate(m.host_rate); }},
    ModelValue{"link-delay", "T", "Propagation delay of a cable",
               [](Model& m, std::string_view text) { m.link_delay = read_time(text); },
               [](const Model& m) { return time_text(m.link_delay); }},
    ModelValue{"switch-delay", "T",
               "Delay of a switch from the arrival of a packet's header to its earliest departure",
               [](Model& m, std::string_view text) { m.switch_delay = read_time(text); },
               [](const Model& m) { return time_text(m.switch_delay); }},
    ModelValue{
        "speedup", "N",
        "Packets that can leave a switch input from another switch at the same time; 0: no limit",
        [](Model& m, std::string_view text) {
          m.speedup = model_count<std::uint32_t>(text, "a number of packets", 0, 254);
        },
        [](const Model& m) { return std::to_string(m.speedup); }},
    ModelValue{"host-speedup", "N",
               "Packets that can leave a switch input from a host at the same time; 0: no limit",
               [](Model& m, std::string_view text) {
                 m.host_speedup = model_count<std::uint32_t>(text, "a number of packets", 0, 254);
               },
               [](const Model& m) { return std::to_string(m.host_speedup); }},
    ModelValue{"switching", "HOW",
               "Switching: cut-through (store-and-forward to faster links), store-and-forward, or "
               "cut-through-always (also to faster links)",
               [](Model& m, std::string_view text) {
                 m.switching = model_choice<Switching>(text, switch_text);
               },
               [](const Model& m) {
                 return std::string(switch_text[static_cast<std::size_t>(m.switching)]);
               }},
    ModelValue{
        "sink-rate", "RATE",
        "Rate at which hosts accept data, for example 800MB/s; link: the rate of their links",
        [](Model& m, std::string_view text) {
          constexpr double slowest = 1000;
          const double rate = text == "link" ? 0 : read_rate(text);
          if (rate != 0 && rate < slowest) {
            throw Error(ErrorKind::usage,
                        fmt::format("'{}' is too slow for a host; expected link, or "
                                    "at least 1kB/s",
                                    excerpt(text)));
          }
          m.sink_rate = rate;
        },
        [](const Model& m) {
          return m.sink_rate == 0 ? std::string("link") : rate_text(m.sink_rate);
        }},
    ModelValue{"becn-size", "BYTES", "Size of a BECN packet",
               [](Model& m, std::string_view text) {
                 m.becn_bytes = model_count<std::uint32_t>(text, "bytes", 1, 4096);
               },
               [](const Model& m) { return std::to_string(m.becn_bytes); }},
    ModelValue{"becn-delay", "T", "Delay between a marked packet and the BECN to its sender",
               [](Model& m, std::string_view text) { m.becn_delay = read_time(text); },
               [](const Model& m) { return time_text(m.becn_delay); }},
    ModelValue{
        "becn", "HOW", "Delivery of BECNs: in-band, or ideal (without delay)",
        [](Model& m, std::string_view text) {
          m.becn = model_choice<BecnDelivery>(text, becn_text);
        },
        [](const Model& m) { return std::string(becn_text[static_cast<std::size_t>(m.becn)]); }},
};

}  // namespace

std::span<const ModelValue> model_values() { return all_model_values; }

void set_model_value(Model& model, std::string_view name, std::string_view text) {
  const auto values = model_values();
  const auto found = std::ranges::find(values, name, &ModelValue::name);
  if (found == values.end()) {
    std::vector<std::string_view> names;
    names.reserve(values.size());
    for (const ModelValue& each : values) names.push_back(each.name);
    throw Error(ErrorKind::usage, fmt::format("unknown model value '{}'; expected one of {}",
                                              excerpt(name), fmt::join(names, ", ")));
  }
  try {
    found->read(model, text);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", name, error.what()));
  }
}

void add_model(const Model& model, Digest& digest) {
  for (const ModelValue& value : model_values()) digest.add_text(value.show(model));
  digest.add_all(std::span<const std::uint8_t>(model.sl_to_vl));
}

}  // namespace pssp
