#include "routing/options/log_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pssp {
namespace {

constexpr std::array codes{
    LogCodeDescription{LogCode::malformed_option,
                       "an entry of `event_plugin_options` is not of the form name=value",
                       "none; the entry is ignored", "correct the entry and restart opensm"},
    LogCodeDescription{LogCode::unknown_option, "neither the plugin nor any engine has the option",
                       "none; the option is ignored", "correct the name and restart opensm"},
    LogCodeDescription{LogCode::wrong_value, "the option does not accept this value",
                       "none; the plugin uses the default, or `require` for the option `deadlock`",
                       "correct the value and restart opensm"},
    LogCodeDescription{LogCode::contradiction, "an option is given twice, with different values",
                       "none; the plugin uses the default, or `require` for the option `deadlock`",
                       "remove one of the values and restart opensm"},
    LogCodeDescription{LogCode::options_file, "`options_file` cannot be read",
                       "none; the options in the file are missing",
                       "correct the file or its permissions and restart opensm"},
    LogCodeDescription{LogCode::file_of_option, "the file given by an engine option is unusable",
                       "none; the engine does not use the file",
                       "correct the file and restart opensm"},
    LogCodeDescription{LogCode::congestion_control,
                       "`congestion_control` names neither a profile nor a usable parameter file",
                       "none; opensm.conf decides about congestion control",
                       "correct the option or the file and restart opensm"},
    LogCodeDescription{LogCode::engine_options, "an engine refuses its options as a whole",
                       "none; the engine uses the defaults of all its options",
                       "run `pssp route --engine NAME --set OPTION` to see why"},
    LogCodeDescription{LogCode::engine_name,
                       "`routing_engine` has a misspelt engine name, or options after a name",
                       "OpenSM skips the name, and uses minhop after the last one",
                       "correct `routing_engine` and restart opensm"},
    LogCodeDescription{LogCode::more_faults, "more options are wrong than are listed",
                       "as for the options that are listed", "correct the options that are listed"},
    LogCodeDescription{
        LogCode::not_routed, "the engine does not route this fabric; the line gives the reason",
        "the next engine of `routing_engine` routes, and minhop after the last one",
        "repair the cabling, raise the limit that the line names, or use another engine"},
    LogCodeDescription{
        LogCode::failed_check, "the plugin's own check found an error in what the plugin computed",
        "none; the plugin discards the result and computes other tables, or the next engine routes",
        "report the line with the saved fabric"},
    LogCodeDescription{LogCode::deadlock_possible,
                       "the routes have a credit loop, and `deadlock=prefer` allows them",
                       "traffic works, but can stop permanently under congestion",
                       "do what the line says: turn on QoS, raise `max_op_vls` or a limit"},
    LogCodeDescription{LogCode::unreachable_hosts, "the fabric is divided into islands",
                       "hosts on different islands cannot communicate",
                       "check the links and switches between the islands"},
    LogCodeDescription{
        LogCode::unusable_node, "a node does not reply correctly, or has no valid LID",
        "that node is unreachable; other traffic is not affected", "check or restart the node"},
    LogCodeDescription{
        LogCode::input_file, "`capacity_file` or a file of node types is ignored",
        "none; links count with their nominal capacity, node types follow the host names",
        "correct the file; the next routing reads it again"},
    LogCodeDescription{LogCode::output_file,
                       "`service_level_dump` or the state file is not written or not removed",
                       "none now; without a state file, a restart of opensm can change many paths",
                       "check the folder, its free space and the owner of the file"},
    LogCodeDescription{
        LogCode::tables_in_switches,
        "after a takeover, the tables of the earlier subnet manager were not read in time",
        "the engine ignores these tables: many paths can change, each for a moment",
        "raise `budget.seconds` or OpenSM's `max_wire_smps`"},
    LogCodeDescription{LogCode::not_started, "the plugin or one of its engines does not start",
                       "OpenSM routes with its own engines",
                       "free memory, or install the plugin that was built for this OpenSM"},
    LogCodeDescription{
        LogCode::background, "the engine computed no tables in the background",
        "none; the current tables stay in use, and the tables of the first sweep are less balanced",
        "raise the limit that the line names, or set `background=off`"}};

constexpr std::array topics{
    LogTopicDescription{LogTopic::routing,
                        "routing: ", "one line for each routing, see [the keys](#the-routing-line)",
                        "`entries_changed` entries changed; paths over other entries are not "
                        "affected",
                        "nothing if `deadlock_free=yes` and `unreachable_pairs=0`"},
    LogTopicDescription{LogTopic::option_without_effect, "option without effect: ",
                        "an option of the plugin or of opensm.conf does nothing here", "none",
                        "remove the option, or set what it needs"},
    LogTopicDescription{LogTopic::congestion_control, "congestion control: ",
                        "the parameters that OpenSM sends, or the values that OpenSM cannot send",
                        "as configured", "nothing"},
    LogTopicDescription{LogTopic::fabric_growth, "fabric growth: ",
                        "what a [new baseline](plugin.md#few-changes-after-a-fault) would gain, "
                        "and how many entries it would change",
                        "none", "touch the file that the line names if the gain is worth it"},
    LogTopicDescription{LogTopic::state_file, "state file: ",
                        "the tables of the last run were restored, or the file was ignored",
                        "none if restored; else many paths can change, each for a moment",
                        "nothing; after `ignored`, see the reason in the line"}};

}  // namespace

std::span<const LogCodeDescription> log_code_table() { return codes; }

std::string with_code(LogCode code, std::string_view text) {
  return fmt::format("ERR {:04X}: {}", static_cast<unsigned>(code), text);
}

std::span<const LogTopicDescription> log_topic_table() { return topics; }

std::string with_topic(LogTopic topic, std::string_view text) {
  return fmt::format("{}{}", std::ranges::find(topics, topic, &LogTopicDescription::topic)->begin,
                     text);
}

}  // namespace pssp
