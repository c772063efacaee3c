#include "routing/repair/stable_options.h"

#include <array>

namespace pssp {
namespace {

constexpr std::array option_lines{
    number_option<&StableOptions::max_extra_hops>(
        "max_extra_hops", 0, max_stable_extra_hops,
        "hops that a route may be longer than the shortest, as in the tables before"),
    number_option<&StableOptions::least_gain>(
        "least_gain", 0, 100,
        "move a valid entry for balance only where its routes then merge with fewer others by so "
        "many per cent; 100: never")};
constexpr OptionTable<StableOptions> option_table{option_lines};

}  // namespace

const OptionTable<StableOptions>& stable_option_table() { return option_table; }

}  // namespace pssp
