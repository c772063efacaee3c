// The kernel's folder of a device has a link to its PCI device and, for each port, the mask of its
// capabilities, with IsSMDisabled for ports that do not support subnet management. So a pair is two
// devices on one PCI device, of which one has such a port and the other has not. (Two functions of
// an adapter with two ports are two PCI devices, which are considered separately.) The ports of a
// device for subnet management are planes of one port; any active one reaches the whole fabric.
//
// libibumad has umad_get_smi_gsi_pairs() since 2024, but not in Debian 12. It compares GUIDs of
// ports instead of PCI devices, based on the same folder.

#include "wire/adapter_pair.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text_lines.h"

namespace pssp {
namespace {

constexpr std::uint64_t is_sm_disabled = 1U << 10;

struct DevicePort {
  unsigned number = 0;
  bool is_active = false;
  bool manages_subnet = false;
};

struct AdapterDevice {
  std::string name;
  std::filesystem::path pci;  ///< empty: none
  std::vector<DevicePort> ports;
};

std::string first_line(const std::filesystem::path& file) {
  std::string line;
  std::ifstream stream(file);
  std::getline(stream, line);
  return line;
}

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code none;
  for (std::filesystem::directory_iterator entry(folder, none), end; !none && entry != end;
       entry.increment(none)) {
    entries.push_back(entry->path());
  }
  std::ranges::sort(entries);
  return entries;
}

/// None for an Ethernet port, or if the kernel does not list its capabilities.
std::optional<DevicePort> read_port(const std::filesystem::path& folder) {
  const std::string layer = first_line(folder / "link_layer");
  if (!layer.empty() && layer != "InfiniBand") return std::nullopt;
  const std::string mask_line = first_line(folder / "cap_mask");
  std::string_view mask_text = mask_line;
  const auto mask = take_c_number(mask_text);
  const std::string name = folder.filename().string();
  std::string_view number_text = name;
  const auto number = take_number(number_text);
  if (!mask || !number) return std::nullopt;
  return DevicePort{static_cast<unsigned>(*number), first_line(folder / "state").starts_with("4"),
                    (*mask & is_sm_disabled) == 0};
}

std::vector<AdapterDevice> read_devices(const std::filesystem::path& folder) {
  std::vector<AdapterDevice> devices;
  for (const auto& entry : entries_of(folder)) {
    AdapterDevice device;
    device.name = entry.filename().string();
    std::error_code none;
    device.pci = std::filesystem::canonical(entry / "device", none);
    for (const auto& port : entries_of(entry / "ports")) {
      if (const auto read = read_port(port)) device.ports.push_back(*read);
    }
    std::ranges::sort(device.ports, {}, &DevicePort::number);
    devices.push_back(std::move(device));
  }
  return devices;
}

/// The first port of that kind; an active one if there is one.
const DevicePort* port_of_kind(const AdapterDevice& device, bool manages_subnet) {
  const DevicePort* best = nullptr;
  for (const DevicePort& port : device.ports) {
    if (port.manages_subnet != manages_subnet) continue;
    if (best == nullptr || (port.is_active && !best->is_active)) best = &port;
  }
  return best;
}

/// The selected port of `device`: the given number, or the one that libibumad would use.
const DevicePort* wanted_port(const AdapterDevice& device, unsigned number) {
  if (number != 0) {
    const auto found = std::ranges::find(device.ports, number, &DevicePort::number);
    return found == device.ports.end() ? nullptr : &*found;
  }
  const auto active = std::ranges::find(device.ports, true, &DevicePort::is_active);
  if (active != device.ports.end()) return &*active;
  return device.ports.empty() ? nullptr : &device.ports.front();
}

/// The selected device: by name, or the first with an active port.
const AdapterDevice* wanted_device(const std::vector<AdapterDevice>& devices,
                                   const std::string& name) {
  const auto found = std::ranges::find_if(devices, [&](const AdapterDevice& device) {
    if (!name.empty()) return device.name == name;
    return std::ranges::any_of(device.ports, &DevicePort::is_active);
  });
  return found == devices.end() ? nullptr : &*found;
}

}  // namespace

AdapterPair find_adapter_pair(const AdapterPort& wanted, const std::filesystem::path& folder) {
  const std::vector<AdapterDevice> devices = read_devices(folder);
  const AdapterDevice* device = wanted_device(devices, wanted.adapter);
  const DevicePort* port = device == nullptr ? nullptr : wanted_port(*device, wanted.port);
  if (port == nullptr || device->pci.empty()) return {wanted, wanted};
  for (const AdapterDevice& other : devices) {
    if (&other == device || other.pci != device->pci) continue;
    const DevicePort* counterpart = port_of_kind(other, !port->manages_subnet);
    if (counterpart == nullptr) continue;
    AdapterPort own{device->name, port->number};
    AdapterPort others{other.name, counterpart->number};
    return port->manages_subnet ? AdapterPair{std::move(own), std::move(others)}
                                : AdapterPair{std::move(others), std::move(own)};
  }
  return {wanted, wanted};
}

AdapterPair find_adapter_pair(const AdapterChoice& choice, const std::filesystem::path& folder) {
  const std::string& named = choice.adapter.empty() ? choice.general_device : choice.adapter;
  AdapterPair pair = find_adapter_pair(AdapterPort{named, choice.port}, folder);
  if (named.empty() && !choice.subnet_device.empty()) {
    AdapterPair other = find_adapter_pair(AdapterPort{choice.subnet_device, 0}, folder);
    if (!other.is_one()) pair = std::move(other);
  }
  if (!choice.subnet_device.empty() && choice.subnet_device != pair.subnet.adapter) {
    pair.subnet = {choice.subnet_device, 0};
  }
  if (!choice.general_device.empty() && choice.general_device != pair.general.adapter) {
    pair.general = {choice.general_device, choice.port};
  }
  return pair;
}

}  // namespace pssp
