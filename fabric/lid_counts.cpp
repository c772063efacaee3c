#include "fabric/lid_counts.h"

#include <algorithm>

namespace pssp {

unsigned most_lids_of_an_end_port(const Fabric& fabric) {
  unsigned lmc = 0;
  for (const EndPort& port : fabric.end_ports()) lmc = std::max<unsigned>(lmc, port.lmc);
  return 1U << lmc;
}

unsigned most_lids_of_a_host(const Fabric& fabric) {
  unsigned lmc = 0;
  for (const EndPortId host : fabric.endpoints()) {
    lmc = std::max<unsigned>(lmc, fabric.end_port(host).lmc);
  }
  return 1U << lmc;
}

}  // namespace pssp
