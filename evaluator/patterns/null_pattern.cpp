// Pattern `null` of the ORCS report (section 2.4) without flows: the idle partner in ptrnvsptrn. It
// has no levels.

#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_null_pattern(const PatternSpec& request,
                                           std::string_view /*argument*/) {
  return make_function_pattern(request.ranks, 0, [](std::uint32_t, FlowWriter&) {});
}

}  // namespace

const PatternDescription null_pattern = {"null", "", "no traffic, for one part of ptrnvsptrn",
                                         make_null_pattern};

}  // namespace pssp
