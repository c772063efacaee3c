// Single values on the command line and in parameter files: times, rates, port sets, patterns,
// parts of an application. The first line of the input is the value.

#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include "base/error.h"
#include "congestion/parameter_values.h"
#include "evaluator/metrics/application_time.h"
#include "evaluator/patterns/registry.h"
#include "fabric/link_rate.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

/// One reader may refuse a value that another one accepts.
void read(const std::function<void()>& reader) {
  try {
    reader();
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage || error.kind() == ErrorKind::unreadable_input,
            error.what());
    require_message(error.what());
  }
}

void read_numbers(std::string_view text) {
  read([text] {
    const std::uint32_t number = read_number(text, 3, 70000);
    require(number >= 3 && number <= 70000, "a number is out of range");
  });
  read([text] { read_packet_size(text); });
  read([text] { read_mtu(text); });
  read([text] {
    const std::uint16_t units = read_ccti_timer(text);
    require(read_ccti_timer(ccti_timer_as_time(units)) == units, "writing a CCTI_Timer changes it");
  });
  read([text] {
    const std::uint64_t time = read_nanoseconds(text);
    require(read_nanoseconds(nanoseconds_text(time)) == time, "writing a time changes it");
  });
  read([text] {
    const CctEntry entry = read_entry(text, 1234.5);
    require(read_entry(entry_text(entry), 1234.5) == entry,
            "writing an injection rate delay changes it");
  });
}

void read_sets(std::string_view text) {
  read([text] {
    const PortSelection ports = read_ports(text);
    require(read_ports(ports_text(ports)) == ports, "writing ports changes them");
  });
  read([text] {
    const std::uint16_t levels = read_service_levels(text);
    require(read_service_levels(service_levels_text(levels)) == levels,
            "writing service levels changes them");
  });
  read([text] {
    const std::uint32_t parts = read_switch_components(text);
    require(read_switch_components(switch_components_text(parts)) == parts,
            "writing components changes them");
  });
  read([text] { read_scope(text); });
  read([text] { read_law(text); });
}

void read_rates(std::string_view text) {
  read([text] {
    const LinkRate rate = read_link_rate(text);
    require(rate.stated() && parse_link_rate(to_string(rate)) == rate, "writing a rate changes it");
  });
}

void read_patterns(std::string_view text) {
  constexpr std::uint32_t ranks = 16;
  read([text] {
    for (const CommunicationPart& part : parse_application(text)) {
      require(part.share >= 0 && part.share <= 1,
              "a share of the running time is not between 0 and 1");
    }
  });
  // Patterns from files have a separate target.
  if (text.find("file") != std::string_view::npos) return;
  read([text] {
    PatternSpec request;
    request.pattern = text;
    request.ranks = ranks;
    const auto pattern = make_pattern(request);
    const std::uint32_t levels = std::min(pattern->level_count(), 4U);
    for (std::uint32_t level = 0; level < levels; ++level) {
      const auto check = [](std::span<const Flow> flows) {
        for (const Flow& flow : flows) {
          require(
              flow.source < ranks && flow.destination < ranks && flow.source != flow.destination,
              "a flow has an invalid rank or equal ranks");
        }
      };
      FlowWriter flows(check);
      pattern->write_level(level, RandomGenerator(1, level), flows);
      check(flows.block());
    }
  });
}

}  // namespace

void fuzz_option_values(std::string_view input) {
  const std::string_view text = input.substr(0, input.find('\n'));
  read_numbers(text);
  read_sets(text);
  read_rates(text);
  read_patterns(text);
}

}  // namespace pssp::test
