#pragma once

// A subnet in OpenSM's own structures, made by hand, for states that ibsim cannot play: unhealthy
// links, half-connected ports, LIDs that were not acknowledged. The functions of the opensm binary
// that the adapter calls are in fake_opensm.cpp; logging and containers are OpenSM's own libraries.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the others.
#include <opensm/osm_log.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>

#include <cstdint>
#include <string>
#include <vector>

class FakeOpensm {
 public:
  FakeOpensm();
  FakeOpensm(const FakeOpensm&) = delete;
  FakeOpensm& operator=(const FakeOpensm&) = delete;
  ~FakeOpensm();

  osm_node_t& add_switch(std::uint64_t guid, std::uint8_t ports, std::uint16_t lid,
                         const std::string& description = "switch");
  /// type: IB_NODE_TYPE_CA or IB_NODE_TYPE_ROUTER. Its port GUIDs are guid + port number.
  osm_node_t& add_adapter(std::uint64_t guid, std::uint8_t ports, const std::string& description,
                          std::uint8_t type = IB_NODE_TYPE_CA);
  /// The LIDs that OpenSM has given to the port and that the port has acknowledged.
  void set_lid(osm_node_t& node, std::uint8_t port, std::uint16_t lid, std::uint8_t lmc = 0);
  /// 4xQDR.
  void connect(osm_node_t& a, std::uint8_t port_a, osm_node_t& b, std::uint8_t port_b);
  /// What OpenSM does to all switches before it calls an engine.
  void prepare_switches();

  osm_subn_t& subnet() { return *subnet_; }
  osm_log_t& log() { return log_; }
  std::string log_text() const;
  static osm_physp_t& port(osm_node_t& node, std::uint8_t number) {
    return node.physp_table[number];
  }

 private:
  osm_node_t& add_node(std::uint64_t guid, std::uint8_t ports, std::uint8_t type,
                       const std::string& description);
  osm_port_t& port_object(osm_node_t& node, std::uint8_t number);

  osm_subn_t* subnet_;
  osm_log_t log_{};
  std::string log_path_;
  std::vector<osm_node_t*> nodes_;
  std::vector<osm_port_t*> ports_;
  std::vector<osm_switch_t*> switches_;
  std::uint16_t max_lid_ = 0;
};
