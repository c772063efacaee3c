#include "evaluator/patterns/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/printable.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/pattern_file.h"

namespace pssp {
namespace {

const PatternDescription& find_pattern(std::string_view name) {
  const auto known = pattern_registry();
  const auto found = std::ranges::find(known, name, &PatternDescription::name);
  if (found != known.end()) return *found;
  std::vector<std::string_view> names;
  for (const PatternDescription& each : known) names.push_back(each.name);
  throw Error(ErrorKind::usage, fmt::format("unknown pattern '{}'; expected one of {}",
                                            excerpt(name), fmt::join(names, ", ")));
}

}  // namespace

std::span<const PatternDescription> pattern_registry() {
  static const std::array patterns{
      rand_pattern,          null_pattern,         bisect_pattern,        bisect_fb_sym_pattern,
      tree_pattern,          bruck_pattern,        dissemination_pattern, gather_pattern,
      scatter_pattern,       ring_pattern,         pipeline_pattern,      recdbl_pattern,
      neighbor_pattern,      two_neighbor_pattern, four_neighbor_pattern, six_neighbor_pattern,
      neighbor2d_pattern,    stencil_pattern,      moe_pattern,           recvs_all_src_pattern,
      recvs_one_src_pattern, ptrnvsptrn_pattern,   pairwise_pattern,      shift_pattern,
      shifts_pattern,        bit_reversal_pattern, complement_pattern,    transpose_pattern,
      tornado_pattern,       all_to_all_pattern,   file_pattern};
  return patterns;
}

std::unique_ptr<Pattern> make_pattern(const PatternSpec& request) {
  const std::string_view text = request.pattern;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const PatternDescription& description = find_pattern(text.substr(0, colon));
  const bool given = colon != text.size();
  if (given && description.argument.empty()) {
    throw Error(ErrorKind::usage, fmt::format("pattern '{}' takes no argument; remove it from '{}'",
                                              description.name, excerpt(text)));
  }
  const std::string_view argument = given ? text.substr(colon + 1) : std::string_view();
  if (argument.empty() && !description.argument.empty() && !description.argument.starts_with('[')) {
    throw Error(ErrorKind::usage,
                fmt::format("pattern '{}' needs an argument: {}:{}", description.name,
                            description.name, description.argument));
  }
  return description.make(request, argument);
}

}  // namespace pssp
