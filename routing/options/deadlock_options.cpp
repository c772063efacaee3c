#include "routing/options/deadlock_options.h"

#include <array>

#include "fabric/tables/service_levels.h"

namespace pssp {
namespace {

constexpr std::array<std::string_view, 3> policies{"require", "prefer", "ignore"};
constexpr std::array deadlock_lines{
    choice_option<&DeadlockOptions::policy>("policy", policies, "what is done against deadlocks"),
    switch_option<&DeadlockOptions::reversible>(
        "reversible",
        "one service level for both directions between two switches; needs more lanes"),
    switch_option<&DeadlockOptions::spread_lanes>("spread",
                                                  "use all lanes, also where fewer suffice"),
    number_option<&DeadlockOptions::first_lane>(
        "first_lane", 0, max_data_lanes - 1,
        "leave the lanes below to others (OpenSM's `lash_start_vl` is the same for lash)"),
    number_option<&DeadlockOptions::effort>("effort", 1, 1000,
                                            "search so many times as long for fewer lanes"),
    number_option<&DeadlockOptions::budget>(
        "budget", 1, 1'000'000,
        "millions of changes that one search for lanes may make; a million takes 5 to 10 ms")};
constexpr OptionTable<DeadlockOptions> deadlock_table{deadlock_lines};

}  // namespace

const OptionTable<DeadlockOptions>& deadlock_option_table() { return deadlock_table; }

}  // namespace pssp
