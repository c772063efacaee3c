#include "routing/options/deadlock_options.h"

#include <array>

#include "fabric/tables/service_levels.h"

namespace pssp {
namespace {

constexpr std::array<std::string_view, 3> policies{"require", "prefer", "ignore"};
constexpr std::array deadlock_lines{
    choice_option<&DeadlockOptions::policy>("policy", policies,
                                            "what the plugin does about deadlocks"),
    switch_option<&DeadlockOptions::reversible>(
        "reversible",
        "one service level for both directions between two switches; needs more lanes"),
    switch_option<&DeadlockOptions::spread_lanes>("spread", "use all lanes even if fewer suffice"),
    number_option<&DeadlockOptions::first_lane>(
        "first_lane", 0, max_data_lanes - 1,
        "lowest lane to use (as OpenSM's `lash_start_vl` for lash)"),
    number_option<&DeadlockOptions::effort>(
        "effort", 1, 1000, "factor by which the search for fewer lanes may take longer"),
    number_option<&DeadlockOptions::budget>(
        "budget", 1, 1'000'000,
        "millions of changes that one search for lanes may make; a million takes 5 to 10 ms")};
constexpr OptionTable<DeadlockOptions> deadlock_table{deadlock_lines};

}  // namespace

const OptionTable<DeadlockOptions>& deadlock_option_table() { return deadlock_table; }

}  // namespace pssp
