#include "routing/repair/stable_options.h"

#include <array>

namespace pssp {
namespace {

constexpr std::array option_lines{
    number_option<&StableOptions::max_extra_hops>(
        "max_extra_hops", 0, max_stable_extra_hops,
        "hops by which a route may exceed the minimal hop count, as in the earlier tables"),
    number_option<&StableOptions::least_gain>(
        "least_gain", 0, 100,
        "percentage by which moving a valid entry must reduce the contention of its routes; 100: "
        "never move")};
constexpr OptionTable<StableOptions> option_table{option_lines};

}  // namespace

const OptionTable<StableOptions>& stable_option_table() { return option_table; }

}  // namespace pssp
