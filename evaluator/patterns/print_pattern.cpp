// The same output as ORCS, byte for byte, for scripts that parse it.

#include "evaluator/patterns/print_pattern.h"

#include <fmt/format.h>

#include <iterator>

namespace pssp {

void print_level(const Pattern& pattern, std::uint32_t level, const RandomGenerator& random,
                 std::span<const std::string> names, const ContentSink& sink) {
  constexpr std::string_view rule = "=================\n";
  sink(fmt::format("\nUsed Pattern:\n{}", rule));
  std::string text;
  const auto print = [&](std::span<const Flow> flows) {
    text.clear();
    for (const Flow& flow : flows) {
      // A blank always precedes the first number, however long it is.
      fmt::format_to(std::back_inserter(text), "{: 5} -> {:<5}   |   {} -> {}\n",
                     std::int64_t{flow.source}, flow.destination, names[flow.source],
                     names[flow.destination]);
    }
    sink(text);
  };
  FlowWriter flows(print);
  pattern.write_level(level, random, flows);
  print(flows.block());
  sink(rule);
}

}  // namespace pssp
