#pragma once

// The devices of this machine that carry MADs. Most adapters are one device; XDR adapters have a
// second one on the same PCI device, only for subnet management (rdma-core, pull request 1529):
// smi1 next to mlx5_0.

#include <filesystem>
#include <string>

namespace pssp {

/// An empty name: the first adapter with an active port. Port 0: the first active one.
struct AdapterPort {
  std::string adapter;
  unsigned port = 0;

  bool operator==(const AdapterPort&) const = default;
};

/// The user's selection: an adapter and a port, and optionally explicit devices.
struct AdapterChoice {
  std::string adapter;
  unsigned port = 0;
  std::string subnet_device, general_device;  ///< empty: automatic
};

struct AdapterPair {
  AdapterPort subnet;   ///< of subnet management
  AdapterPort general;  ///< all other classes

  bool is_one() const { return subnet == general; }
  bool operator==(const AdapterPair&) const = default;
};

/// The kernel describes its devices in this folder.
inline constexpr const char* adapter_folder = "/sys/class/infiniband";

/// The pair that contains `wanted`, as either device; `wanted` twice if the adapter is one device
/// or unknown.
AdapterPair find_adapter_pair(const AdapterPort& wanted,
                              const std::filesystem::path& folder = adapter_folder);
/// The same, but with the devices named in the choice. The port is that of the general device.
AdapterPair find_adapter_pair(const AdapterChoice& choice,
                              const std::filesystem::path& folder = adapter_folder);

}  // namespace pssp
