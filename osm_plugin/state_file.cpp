// The state is only a starting point: it is compared with the fabric, and its tables are verified.
// In case of doubt it is not used, and one line in the log gives the reason.

#include "osm_plugin/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error.h"
#include "base/exception_text.h"
#include "base/guarded_files.h"
#include "osm_plugin/packed_state.h"

namespace pssp {
namespace {

/// Tables and levels of the largest fabric there can be in practice: 4000 switches, all LIDs.
constexpr std::size_t largest_state = std::size_t{512} << 20U;

std::string why_not(const RoutingState& state, const DigestValue& options, const Fabric& fabric) {
  if (state.options != options) return "the options of the engine have changed";
  const auto is_here = [&](Guid guid) { return fabric.find_switch(guid).has_value(); };
  if (std::ranges::none_of(state.switches, is_here)) {
    return fmt::format("it belongs to another fabric: none of its {} switches is in this fabric",
                       state.switches.size());
  }
  return {};
}

}  // namespace

std::filesystem::path state_path(const std::filesystem::path& folder, std::string_view engine) {
  return folder / fmt::format("osmpssp-{}.state", engine);
}

StateFile::StateFile(const std::filesystem::path& folder, std::string_view engine,
                     const DigestValue& options, std::function<void(const std::string&)> report)
    : options_(options), report_(std::move(report)) {
  if (folder.empty()) return;
  path_ = state_path(folder, engine);
  writer_ = std::make_unique<StateWriter>(path_, report_);
  asking_ = folder / fmt::format("osmpssp-{}.rebaseline", engine);
  is_new_baseline_asked();
}

bool StateFile::is_new_baseline_asked() {
  if (asking_.empty()) return false;
  // Only its time is looked at, so that it does not matter what it is or who made it.
  std::error_code error;
  const auto time = std::filesystem::last_write_time(asking_, error);
  const auto now = error ? std::nullopt : std::optional(time);
  return std::exchange(asked_at_, now) != now && now;
}

std::optional<RoutingState> StateFile::take(const Fabric& fabric, std::string& said) {
  if (path_.empty() || std::exchange(is_taken_, true)) return std::nullopt;
  try {
    const auto content = read_marked_file(path_, state_file_mark, largest_state);
    if (!content) return std::nullopt;
    RoutingState state = read_state(unpacked_state(*content, largest_state));
    const std::string reason = why_not(state, options_, fabric);
    if (!reason.empty()) throw Error(ErrorKind::unreadable_input, reason);
    said = fmt::format("restored the tables{} of {} switches from {}",
                       state.levels ? " and service levels" : "", state.switches.size(),
                       path_.string());
    return state;
  } catch (const std::exception& error) {
    said =
        fmt::format("{} is ignored, and many paths can change: {}", path_.string(), text_of(error));
    return std::nullopt;
  }
}

void StateFile::keep(const RoutingStateView& state) {
  if (!writer_) return;
  try {
    writer_->write(state_content(state));
  } catch (const std::exception& error) {
    // OpenSM has the tables already: nothing may stop them now.
    report_(text_of(error));
  }
}

}  // namespace pssp
