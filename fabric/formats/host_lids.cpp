#include "fabric/formats/host_lids.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/printable.h"
#include "fabric/formats/cases.h"

namespace pssp {

HostLids host_lids(std::span<const StatedLid> hosts, std::string_view file) {
  HostLids result;
  std::unordered_set<Lid> used;
  bool is_complete = true;
  for (const StatedLid& host : hosts) {
    is_complete = is_complete && host.lid != no_lid && used.insert(host.lid).second;
    result.lids.push_back(host.lid);
  }
  if (is_complete) return result;
  Cases unused;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const Lid lid = static_cast<Lid>(first_unicast_lid + i);
    if (hosts[i].lid != no_lid && hosts[i].lid != lid) {
      unused.add(fmt::format("'{}' (LID {}, now {})", excerpt(hosts[i].host), hosts[i].lid, lid));
    }
    result.lids[i] = lid;
  }
  if (unused.count() != 0) {
    result.warnings.push_back(
        fmt::format("{}: {} host(s) do not keep their stated LID, because the file does not state "
                    "a unique LID for each host: {}",
                    file, unused.count(), unused.examples()));
  }
  return result;
}

}  // namespace pssp
