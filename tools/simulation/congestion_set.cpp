#include "tools/simulation/congestion_set.h"

#include "congestion/cct_generation.h"
#include "congestion/profiles.h"

namespace pssp {

CongestionParameters set_for(const std::string& name, const TrafficFile& traffic) {
  CongestionParameters parameters = load_congestion_parameters(name);
  check(parameters);
  // The values of a file belong to its table; with another one they would have another meaning.
  if (traffic.table && is_congestion_profile(name)) {
    CongestionControlTable& table = parameters.table;
    table.entries = generate_table(*traffic.table, table.ccti_limit(), table.mtu, table.link_rate);
    table.origin = traffic.table;
  }
  return parameters;
}

}  // namespace pssp
