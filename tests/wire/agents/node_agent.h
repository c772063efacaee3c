#pragma once

// The congestion control agent of one switch or adapter port: what answers MADs of class 0x21
// there (InfiniBand Annex A10.4). It knows nothing of the parameter types of the project: settings
// are kept as the bytes that came, so that a test compares bytes with bytes.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace agents {

using Mad = std::array<std::uint8_t, 256>;
using Attribute = std::array<std::uint8_t, 192>;

struct Behaviour {
  bool silent = false;            ///< answers nothing, as a node without congestion control
  std::uint16_t status = 0;       ///< other than 0: answers with it, and does nothing
  std::uint64_t cc_key = 0;       ///< 0: no key is asked for
  bool protect = false;           ///< CC_KeyProtectBit: reading needs the key, too
  bool keeps_values = false;      ///< answers a Set as if all was well, and changes nothing
  std::uint8_t table_blocks = 4;  ///< ControlTableCap of an adapter
};

class NodeAgent {
 public:
  NodeAgent(bool is_switch, unsigned ports, const Behaviour& behaviour);

  /// Makes the response of a request in `mad`. False: the request is dropped.
  bool answer(Mad& mad);

  /// All that was set, a line each: "ATTRIBUTE MODIFIER BYTES" in hexadecimal.
  std::string dump() const;

 private:
  /// The status of the response; fills the attribute.
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
