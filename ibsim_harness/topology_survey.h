#pragma once

// What must be known of a topology file before ibsim reads it.

#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

struct TopologySurvey {
  unsigned nodes = 0, switches = 0, adapters = 0;
  unsigned ports = 0;  ///< as ibsim counts them: a switch has a port 0 too
  /// Identifier of the adapter at which opensm attaches: of those in the largest island the first
  /// whose port 1 is cabled (ibsim attaches clients there), aggregation nodes and routers aside.
  /// ibsim cuts the name of that adapter at 31 characters, so that a longer one cannot be it.
  /// Empty: there is none.
  std::string host;
};

/// Of an ibsim net file or the output of ibnetdiscover, with or without the blank behind a node's
/// kind; text of any other kind has no nodes. O(size).
TopologySurvey survey_topology(std::string_view text);

/// Can ibsim attach a client at the node with this identifier, so that it reaches the fabric?
enum class HostFitness : std::uint8_t {
  fit,
  unknown,         ///< no node has this identifier
  name_too_long,   ///< ibsim cuts identifiers at 31 characters
  port_not_cabled  ///< an adapter without a cable at port 1, where ibsim attaches clients
};
HostFitness fitness_of_host(std::string_view text, std::string_view host);

/// A topology without what opensm cannot reach.
struct OneSubnet {
  std::string text;
  struct Counts {
    unsigned nodes = 0, switches = 0, adapters = 0;
  } left_out;
};

/// The text without the nodes of islands other than that of `host` on which there are switches and
/// adapters: other subnets, whose LIDs may be the same. Nodes that are cabled to nothing stay. The
/// text as it is where there is no such island, or no such host.
OneSubnet subnet_of(std::string_view text, std::string_view host);

/// The last link between switches in the file, as ibsim's console names it: "node"[port]. Empty:
/// there is none.
std::string last_switch_link(std::string_view text);

}  // namespace pssp
