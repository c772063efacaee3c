#pragma once

// The properties of a topology file that are needed before ibsim reads it.

#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

struct TopologySurvey {
  unsigned nodes = 0, switches = 0, adapters = 0;
  unsigned ports = 0;  ///< as ibsim counts them: a switch also has a port 0
  /// Identifier of the adapter at which opensm runs: the first adapter in the largest island whose
  /// port 1 has a cable, because ibsim connects clients there. Aggregation nodes and routers are
  /// excluded, and so are adapters with names longer than 31 characters, because ibsim cuts the
  /// name of this adapter. Empty if there is none.
  std::string host;
};

/// For an ibsim net file or the output of ibnetdiscover, with or without the blank after the type
/// of a node; any other text has no nodes. O(size).
TopologySurvey survey_topology(std::string_view text);

/// Whether ibsim can connect a client at the node with this identifier, so that the client reaches
/// the fabric.
enum class HostFitness : std::uint8_t {
  fit,
  unknown,         ///< no node has this identifier
  name_too_long,   ///< ibsim cuts identifiers at 31 characters
  port_not_cabled  ///< an adapter without a cable at port 1, where ibsim connects clients
};
HostFitness fitness_of_host(std::string_view text, std::string_view host);

/// A topology without the parts that opensm cannot reach.
struct OneSubnet {
  std::string text;
  struct Counts {
    unsigned nodes = 0, switches = 0, adapters = 0;
  } left_out;
};

/// The text without the nodes of other islands than that of `host` that have switches and adapters:
/// these are other subnets, whose LIDs can be equal. Nodes without cables are kept. The unchanged
/// text if there is no such island or no such host.
OneSubnet subnet_of(std::string_view text, std::string_view host);

/// The last link between switches in the file, as in the console of ibsim: "node"[port]. Empty if
/// there is none.
std::string last_switch_link(std::string_view text);

}  // namespace pssp
