// Tests with folders as the kernel provides below /sys/class/infiniband: symbolic links to devices
// elsewhere.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"
#include "wire/adapter_pair.h"

using namespace pssp;
namespace fs = std::filesystem;

namespace {

// Capability masks of a device with and without subnet management. Bit 10 is IsSMDisabled.
constexpr const char* with_manager = "0x2659e848";
constexpr const char* without_manager = "0x2659ec48";

struct FakeMachine {
  void add(const std::string& name, const std::string& pci,
           const std::vector<std::pair<const char*, const char*>>& mask_and_state,
           const std::string& layer = "InfiniBand") {
    const fs::path device = folder / ("devices/" + pci);
    fs::create_directories(device / "infiniband" / name);
    fs::create_directories(folder / "class");
    fs::create_directory_symlink(device, device / "infiniband" / name / "device");
    fs::create_directory_symlink(device / "infiniband" / name, folder / ("class/" + name));
    for (std::size_t i = 0; i < mask_and_state.size(); ++i) {
      const fs::path port = device / "infiniband" / name / "ports" / std::to_string(i + 1);
      fs::create_directories(port);
      std::ofstream(port / "cap_mask") << mask_and_state[i].first << "\n";
      std::ofstream(port / "state") << mask_and_state[i].second << "\n";
      std::ofstream(port / "link_layer") << layer << "\n";
    }
  }
  AdapterPair pair(const AdapterPort& wanted) const {
    return find_adapter_pair(wanted, folder / "class");
  }

  test::TemporaryFolder folder;
};

AdapterPair twice(const AdapterPort& wanted) { return {wanted, wanted}; }

}  // namespace

TEST_CASE("an adapter with one device uses it for all classes") {
  FakeMachine machine;
  CHECK(machine.pair({"", 0}) == twice({"", 0}));  // no device exists
  // The two ports of one adapter are two PCI functions.
  machine.add("mlx5_0", "0000:0b:00.0", {{with_manager, "4: ACTIVE"}});
  machine.add("mlx5_1", "0000:0b:00.1", {{with_manager, "4: ACTIVE"}});
  machine.add("mthca0", "0000:0c:00.0",
              {{without_manager, "4: ACTIVE"}, {with_manager, "1: DOWN"}});
  for (const AdapterPort& wanted :
       {AdapterPort{"", 0}, {"mlx5_0", 0}, {"mlx5_1", 1}, {"mthca0", 2}, {"mlx5_9", 0}}) {
    CHECK(machine.pair(wanted) == twice(wanted));
    CHECK(machine.pair(wanted).is_one());
  }
}

TEST_CASE(
    "an XDR adapter has a device for subnet management, whichever of its two devices is named") {
  FakeMachine machine;
  machine.add("mlx5_0", "0000:0b:00.0", {{without_manager, "4: ACTIVE"}});
  machine.add("mlx5_1", "0000:1b:00.0", {{without_manager, "4: ACTIVE"}});
  machine.add("rocep12s0", "0000:0b:00.0", {{with_manager, "4: ACTIVE"}}, "Ethernet");
  machine.add("smi1", "0000:0b:00.0",
              {{with_manager, "1: DOWN"},
               {with_manager, "4: ACTIVE"},
               {with_manager, "4: ACTIVE"},
               {with_manager, "4: ACTIVE"}});
  machine.add("smi2", "0000:1b:00.0", {{with_manager, "2: INIT"}, {with_manager, "1: DOWN"}});
  const AdapterPair first{{"smi1", 2}, {"mlx5_0", 1}};
  CHECK(machine.pair({"", 0}) == first);
  CHECK(machine.pair({"mlx5_0", 0}) == first);
  CHECK(machine.pair({"mlx5_0", 1}) == first);
  CHECK(machine.pair({"smi1", 0}) == first);
  CHECK(machine.pair({"smi1", 4}) == AdapterPair{{"smi1", 4}, {"mlx5_0", 1}});
  // No plane is active. The first plane is used, so that opening it reports the problem.
  CHECK(machine.pair({"mlx5_1", 0}) == AdapterPair{{"smi2", 1}, {"mlx5_1", 1}});
  CHECK(machine.pair({"mlx5_1", 7}) == twice({"mlx5_1", 7}));
}

TEST_CASE("devices that are named explicitly are used") {
  FakeMachine machine;
  machine.add("mlx5_0", "0000:0b:00.0", {{without_manager, "4: ACTIVE"}});
  machine.add("smi1", "0000:0b:00.0", {{with_manager, "1: DOWN"}, {with_manager, "4: ACTIVE"}});
  const auto pair = [&](const AdapterChoice& choice) {
    return find_adapter_pair(choice, machine.folder / "class");
  };
  const AdapterPair found{{"smi1", 2}, {"mlx5_0", 1}};
  CHECK(pair({"", 0, "", ""}) == found);
  CHECK(pair({"", 0, "smi1", ""}) == found);
  CHECK(pair({"", 0, "", "mlx5_0"}) == found);
  CHECK(pair({"mlx5_0", 0, "umad7", ""}) == AdapterPair{{"umad7", 0}, {"mlx5_0", 1}});
  CHECK(pair({"mlx5_0", 1, "", "mlx5_3"}) == AdapterPair{{"smi1", 2}, {"mlx5_3", 1}});
  CHECK(pair({"", 2, "a", "b"}) == AdapterPair{{"a", 0}, {"b", 2}});
  CHECK(pair({"", 0, "a", "a"}).is_one());
  // An unknown device does not determine the other device.
  CHECK(pair({"", 0, "smi7", ""}) == AdapterPair{{"smi7", 0}, {"mlx5_0", 1}});
  CHECK(find_adapter_pair(AdapterChoice{"", 0, "smi7", ""}, machine.folder / "nowhere") ==
        AdapterPair{{"smi7", 0}, {"", 0}});
  machine.add("mlx5_1", "0000:1b:00.0", {{without_manager, "4: ACTIVE"}});
  machine.add("smi2", "0000:1b:00.0", {{with_manager, "4: ACTIVE"}});
  CHECK(pair({"", 0, "smi2", ""}) == AdapterPair{{"smi2", 1}, {"mlx5_1", 1}});
}
