#include "routing/options/log_codes.h"

#include <fmt/format.h>

#include <array>

namespace pssp {
namespace {

constexpr std::array codes{
    LogCodeDescription{LogCode::malformed_option,
                       "an entry of `event_plugin_options` is not of the form name=value",
                       "it is ignored"},
    LogCodeDescription{LogCode::unknown_option, "neither the plugin nor any engine has the option",
                       "it is ignored"},
    LogCodeDescription{LogCode::wrong_value, "the value is not one that the option takes",
                       "the default is used; `deadlock` counts as `require`"},
    LogCodeDescription{LogCode::contradiction, "an option is given twice, with different values",
                       "the default is used; `deadlock` counts as `require`"},
    LogCodeDescription{LogCode::options_file, "`options_file` cannot be read",
                       "its options are missing"},
    LogCodeDescription{LogCode::file_of_option, "a file that an engine's option names is unusable",
                       "the engine does without it"},
    LogCodeDescription{LogCode::congestion_control,
                       "`congestion_control` names no profile and no usable parameter file",
                       "opensm.conf decides about congestion control"},
    LogCodeDescription{LogCode::engine_options, "an engine refuses its options as a whole",
                       "the engine uses the defaults of all its options"},
    LogCodeDescription{LogCode::engine_name,
                       "`routing_engine` has a misspelt engine of ours, or options behind its name",
                       "OpenSM skips that name, and uses minhop after the last one"},
    LogCodeDescription{LogCode::more_faults, "more options are wrong than are listed",
                       "as for those that are listed"}};

}  // namespace

std::span<const LogCodeDescription> log_code_table() { return codes; }

std::string with_code(LogCode code, std::string_view text) {
  return fmt::format("ERR {:04X}: {}", static_cast<unsigned>(code), text);
}

}  // namespace pssp
