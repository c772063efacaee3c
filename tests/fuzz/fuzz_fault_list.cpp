// Lists of links and of switches that fault_impact removes from the sample fabric.

#include <string>

#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"
#include "tools/fault_impact/faults.h"

namespace pssp::test {
namespace {

void require_faults(const std::vector<Fault>& faults, std::size_t links, std::size_t switches) {
  const Fabric& fabric = sample_fabric();
  require(faults.size() <= fabric.channel_count(), "more faults than channels");
  for (const Fault& fault : faults) {
    require(fault.links.size() == links && fault.switches.size() == switches,
            "a fault has a wrong number of links or switches");
    for (const ChannelId link : fault.links) {
      require(link.value() < fabric.channel_reverse()[link.value()],
              "a fault names an invalid link, or the reverse channel of a link");
    }
    for (const SwitchId s : fault.switches) {
      require(s.value() < fabric.switch_count(), "a fault names an invalid switch");
    }
    require_message(fault.name);
  }
}

void take_links(std::string_view path) {
  FaultOptions options;
  options.links = path;
  require_faults(choose_faults(sample_fabric(), options), 1, 0);
}

void take_switches(std::string_view path) {
  FaultOptions options;
  options.switches = path;
  require_faults(choose_faults(sample_fabric(), options), 0, 1);
}

}  // namespace

void fuzz_fault_list(std::string_view input) {
  const TemporaryFile file{std::string(input)};
  // An invalid list of links may be a valid list of switches.
  run_fuzz_target(take_links, file.path());
  run_fuzz_target(take_switches, file.path());
}

}  // namespace pssp::test
