#pragma once

// Which devices of this machine carry MADs. Most adapters are one device; those of XDR have a
// second one, on the same PCI device, for subnet management alone (rdma-core, pull request 1529):
// smi1 beside mlx5_0.

#include <filesystem>
#include <string>

namespace pssp {

/// An empty name: the first adapter with an active port. Port 0: the first active one.
struct AdapterPort {
  std::string adapter;
  unsigned port = 0;

  bool operator==(const AdapterPort&) const = default;
};

/// What a user says of it: an adapter and a port, and devices that he knows better.
struct AdapterChoice {
  std::string adapter;
  unsigned port = 0;
  std::string subnet_device, general_device;  ///< empty: found by themselves
};

struct AdapterPair {
  AdapterPort subnet;   ///< of subnet management
  AdapterPort general;  ///< of everything else

  bool is_one() const { return subnet == general; }
  bool operator==(const AdapterPair&) const = default;
};

/// What the kernel says of its devices is below `folder`.
inline constexpr const char* adapter_folder = "/sys/class/infiniband";

/// The pair that `wanted` is part of, whichever of the two it names; twice what is wanted where the
/// adapter is one device, or nothing is known of it.
AdapterPair find_adapter_pair(const AdapterPort& wanted,
                              const std::filesystem::path& folder = adapter_folder);
/// The same, but for the devices that the choice names. The port is that of the general device.
AdapterPair find_adapter_pair(const AdapterChoice& choice,
                              const std::filesystem::path& folder = adapter_folder);

}  // namespace pssp
