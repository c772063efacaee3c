#include "tests/wire/agents/node_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace agents {
namespace {

constexpr std::uint8_t get_method = 1, set_method = 2, response_method = 0x81;
constexpr std::uint16_t class_port_info = 0x01, congestion_info = 0x11, key_info = 0x12,
                        congestion_log = 0x13, switch_setting = 0x14, switch_port_setting = 0x15,
                        adapter_setting = 0x16, table = 0x17, time_stamp = 0x18;
constexpr std::uint16_t ok = 0, bad_method = 2 << 2, bad_combination = 3 << 2, bad_value = 7 << 2;
/// The number of elements that fit in 192 bytes, as ibccquery expects.
constexpr unsigned ports_per_block = 48;

std::uint64_t number(const std::uint8_t* from, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value = value << 8 | from[i];
  return value;
}

void write(std::uint8_t* to, unsigned bytes, std::uint64_t value) {
  for (unsigned i = bytes; i-- > 0; value >>= 8) to[i] = static_cast<std::uint8_t>(value);
}

}  // namespace

NodeAgent::NodeAgent(bool is_switch, unsigned ports, const Behaviour& behaviour)
    : is_switch_(is_switch), ports_(ports), behaviour_(behaviour) {}

bool NodeAgent::answer(Mad& mad) {
  if (behaviour_.silent) return false;
  const std::uint8_t method = mad[3];
  const auto attribute = static_cast<std::uint16_t>(number(&mad[16], 2));
  const auto modifier = static_cast<std::uint32_t>(number(&mad[20], 4));
  if (!may_pass(method, attribute, number(&mad[24], 8))) return false;

  Attribute data{};
  std::copy_n(mad.begin() + 64, data.size(), data.begin());
  std::uint16_t status = behaviour_.status;
  if (status == ok && method != get_method && method != set_method) status = bad_method;
  if (status == ok && method == set_method && !behaviour_.keeps_values)
    status = set(attribute, modifier, data);
  if (status == ok) status = get(attribute, modifier, data);
  mad[3] = response_method;
  write(&mad[4], 2, status);
  // The answer does not disclose the key.
  write(&mad[24], 8, 0);
  std::copy(data.begin(), data.end(), mad.begin() + 64);
  if (attribute == congestion_log) {
    // The data of this attribute begins earlier than that of all others. The log is always empty.
    std::fill(mad.begin() + 32, mad.end(), 0);
    mad[32] = is_switch_ ? 1 : 2;
  }
  return true;
}

/// As with an M_Key, a MAD with a wrong key is counted and not answered.
bool NodeAgent::may_pass(std::uint8_t method, std::uint16_t attribute, std::uint64_t key) {
  if (behaviour_.cc_key == 0 || key == behaviour_.cc_key || attribute == class_port_info ||
      (method == get_method && !behaviour_.protect)) {
    return true;
  }
  if (violations_ != 0xffff) ++violations_;
  return false;
}

bool NodeAgent::has(std::uint16_t attribute, std::uint32_t modifier) const {
  switch (attribute) {
    case class_port_info:
    case congestion_info:
    case key_info:
    case congestion_log:
    case time_stamp:
      return modifier == 0;
    case switch_setting:
      return is_switch_ && modifier == 0;
    case switch_port_setting:
      return is_switch_ && modifier <= ports_ / ports_per_block;
    case adapter_setting:
      return !is_switch_ && modifier == 0;
    case table:
      return !is_switch_ && modifier < behaviour_.table_blocks;
    default:
      return false;
  }
}

std::uint16_t NodeAgent::get(std::uint16_t attribute, std::uint32_t modifier, Attribute& data) {
  if (!has(attribute, modifier)) {
    return attribute == table && !is_switch_ ? bad_value : bad_combination;
  }
  data.fill(0);
  if (const auto found = settings_.find({attribute, modifier}); found != settings_.end()) {
    data = found->second;
  }
  switch (attribute) {
    case class_port_info:
      data[0] = 1;
      data[1] = 2;
      break;
    case congestion_info:
      data[2] = is_switch_ ? 0 : behaviour_.table_blocks;
      break;
    case key_info:
      write(&data[0], 8, behaviour_.cc_key);
      data[8] = behaviour_.protect ? 0x80 : 0;
      write(&data[10], 2, lease_period_);
      write(&data[12], 2, violations_);
      break;
    case table:
      write(&data[0], 2, ccti_limit_);
      break;
    case time_stamp: {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      write(&data[0], 4, std::chrono::nanoseconds(now).count() / 1024);
      break;
    }
    default:
      break;
  }
  return ok;
}

std::uint16_t NodeAgent::set(std::uint16_t attribute, std::uint32_t modifier,
                             const Attribute& data) {
  if (!has(attribute, modifier)) {
    return attribute == table && !is_switch_ ? bad_value : bad_combination;
  }
  switch (attribute) {
    case key_info:
      behaviour_.cc_key = number(&data[0], 8);
      behaviour_.protect = (data[8] & 0x80) != 0;
      lease_period_ = static_cast<std::uint16_t>(number(&data[10], 2));
      violations_ = static_cast<std::uint16_t>(number(&data[12], 2));
      return ok;
    case switch_setting:
      set_switch(data);
      return ok;
    case switch_port_setting:
      settings_[{attribute, modifier}] = data;
      return ok;
    case adapter_setting:
      set_adapter(data);
      return ok;
    case table:
      if (number(&data[0], 2) >= behaviour_.table_blocks * 64U) return bad_value;
      set_block(modifier, data);
      return ok;
    default:
      return bad_combination;
  }
}

/// Stores the components selected by Control_Map.
void NodeAgent::set_switch(const Attribute& data) {
  struct Component {
    unsigned first, size;
  };
  constexpr std::array<Component, 5> components = {{{4, 32}, {36, 32}, {68, 2}, {70, 4}, {74, 2}}};
  Attribute& kept = settings_[{switch_setting, 0}];
  const std::uint64_t map = number(&data[0], 4);
  write(&kept[0], 4, map);
  for (unsigned i = 0; i < components.size(); ++i) {
    if ((map >> i & 1U) == 0) continue;
    std::copy_n(data.begin() + components[i].first, components[i].size,
                kept.begin() + components[i].first);
  }
}

void NodeAgent::set_adapter(const Attribute& data) {
  Attribute& kept = settings_[{adapter_setting, 0}];
  std::copy_n(data.begin(), 4, kept.begin());
  const std::uint64_t map = number(&data[2], 2);
  for (unsigned sl = 0; sl < 16; ++sl) {
    if ((map >> sl & 1U) != 0) std::copy_n(data.begin() + 4 + 8 * sl, 8, kept.begin() + 4 + 8 * sl);
  }
}

void NodeAgent::set_block(std::uint32_t block, const Attribute& data) {
  ccti_limit_ = static_cast<std::uint16_t>(number(&data[0], 2));
  settings_[{table, block}] = data;
}

std::string NodeAgent::dump() const {
  std::string text = fmt::format("violations {}\n", violations_);
  for (const auto& [key, data] : settings_) {
    text += fmt::format("{:04x} {} ", key.first, key.second);
    for (const std::uint8_t byte : data) text += fmt::format("{:02x}", byte);
    text += '\n';
  }
  return text;
}

}  // namespace agents
