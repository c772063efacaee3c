#pragma once

// The congestion control agent of one switch or adapter port, which answers MADs of class 0x21
// (InfiniBand Annex A10.4). It does not use the parameter types of the project: settings are stored
// as received bytes, so that tests compare bytes.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace agents {

using Mad = std::array<std::uint8_t, 256>;
using Attribute = std::array<std::uint8_t, 192>;

struct Behaviour {
  bool silent = false;            ///< no answers, like a node without congestion control
  std::uint16_t status = 0;       ///< not 0: status of all answers; settings do not change
  std::uint64_t cc_key = 0;       ///< 0: no key is required
  bool protect = false;           ///< CC_KeyProtectBit: reading also requires the key
  bool keeps_values = false;      ///< confirms a Set without an error, but changes nothing
  std::uint8_t table_blocks = 4;  ///< ControlTableCap of an adapter
};

class NodeAgent {
 public:
  NodeAgent(bool is_switch, unsigned ports, const Behaviour& behaviour);

  /// Turns the request in `mad` into its response. False: the request is dropped.
  bool answer(Mad& mad);

  /// All settings, one line each: "ATTRIBUTE MODIFIER BYTES" in hexadecimal.
  std::string dump() const;

 private:
  /// Fills the attribute and returns the status of the response.
  std::uint16_t get(std::uint16_t attribute, std::uint32_t modifier, Attribute& data);
  std::uint16_t set(std::uint16_t attribute, std::uint32_t modifier, const Attribute& data);
  bool has(std::uint16_t attribute, std::uint32_t modifier) const;
  bool may_pass(std::uint8_t method, std::uint16_t attribute, std::uint64_t key);
  void set_switch(const Attribute& data);
  void set_adapter(const Attribute& data);
  void set_block(std::uint32_t block, const Attribute& data);

  bool is_switch_;
  unsigned ports_;
  Behaviour behaviour_;
  std::uint16_t violations_ = 0;
  std::uint16_t lease_period_ = 0;
  std::uint16_t ccti_limit_ = 0;
  std::map<std::pair<std::uint16_t, std::uint32_t>, Attribute> settings_;
};

}  // namespace agents
