#include "wire/fabric_port.h"

#include <vector>

namespace pssp {

FabricPort::FabricPort(const AdapterPair& adapters, std::span<const ManagementClass> classes) {
  const auto open = [](const AdapterPort& at, std::span<const ManagementClass> of) {
    return std::make_unique<UmadPort>(at.adapter, at.port, of);
  };
  if (adapters.is_one()) {
    general_ = open(adapters.general, classes);
    port_ = general_.get();
    return;
  }
  std::vector<ManagementClass> of_subnet, others;
  for (const ManagementClass& each : classes) {
    const bool manages = each == subnet_class || each == directed_subnet_class;
    (manages ? of_subnet : others).push_back(each);
  }
  general_ = open(adapters.general, others);
  subnet_ = open(adapters.subnet, of_subnet);
  both_ = std::make_unique<PairedPort>(*subnet_, *general_);
  port_ = both_.get();
}

}  // namespace pssp
