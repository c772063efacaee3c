// Lines of the log are `Nov 22 04:17:03 948006 [2B5F5740] 0x07 -> text`; boxes of asterisks have
// the time on the line above. All patterns are texts of opensm 3.3.23, because its phases have no
// other marks. The log contains untrusted text such as node names, and parts of the log are printed
// on terminals.

#include "ibsim_harness/opensm_log.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

constexpr std::string_view configured = " tables configured on all switches";
constexpr std::int64_t day = std::int64_t{24} * 60 * 60 * 1'000'000;

template <class Function>
void for_lines_while(std::string_view text, Function&& function) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (!function(text.substr(0, end)) || end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

bool has(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

/// Microseconds since midnight at the start of a line; nothing if the line does not start with a
/// time.
std::optional<std::int64_t> stamp_of(std::string_view line) {
  take_word(line);
  line = without_indent(line);
  if (!take_number(line)) return std::nullopt;
  line = without_indent(line);
  constexpr std::array<std::uint64_t, 3> parts{24, 60, 60};
  std::int64_t seconds = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::optional<std::uint64_t> number = take_number(line);
    if (!number || *number >= parts[part] || (part < 2 && !take(line, ":"))) return std::nullopt;
    seconds = seconds * 60 + static_cast<std::int64_t>(*number);
  }
  line = without_indent(line);
  const std::optional<std::uint64_t> microseconds = take_number(line);
  if (!microseconds || *microseconds >= 1'000'000) return std::nullopt;
  return seconds * 1'000'000 + static_cast<std::int64_t>(*microseconds);
}

/// The time restarts at midnight.
std::int64_t span(std::int64_t from, std::int64_t to) {
  return to < from ? to - from + day : to - from;
}

/// The text after the time and the level; nothing if the line has none. Node names come after the
/// name of the function, so they are never at the start of the text.
std::string_view text_in(std::string_view line) {
  constexpr std::string_view mark = " -> ";
  const std::size_t begin = line.find(mark);
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin + mark.size());
}

/// `pssp` for the line `ucast_mgr_route: pssp tables configured on all switches`; nothing for any
/// other line.
std::string_view configured_engine(std::string_view line) {
  std::string_view text = text_in(line);
  take_word(text);
  const std::string_view engine = take_word(text);
  return trimmed(text) == configured.substr(1) ? engine : std::string_view();
}

bool is_configured(std::string_view line) { return !configured_engine(line).empty(); }

/// A line of a box of asterisks whose title contains the words.
bool is_titled(std::string_view line, std::string_view words) {
  return line.starts_with('*') && has(line, words);
}

bool tells_subnet_up(std::string_view line) {
  return is_titled(line, " SUBNET UP ") || trimmed(text_in(line)) == "SUBNET UP";
}

/// The messages at error level.
std::optional<std::string> error_in(std::string_view line) {
  constexpr std::string_view level = " 0x01";
  const std::size_t end = line.find(" -> ");
  if (end == std::string_view::npos || !line.substr(0, end).ends_with(level)) return std::nullopt;
  return printable(text_in(line));
}

std::optional<unsigned> number_behind(std::string_view line, std::string_view words) {
  const std::size_t begin = line.find(words);
  if (begin == std::string_view::npos) return std::nullopt;
  std::string_view rest = without_indent(line.substr(begin + words.size()));
  const std::optional<std::uint64_t> number = take_number(rest);
  if (!number || *number > std::numeric_limits<unsigned>::max()) return std::nullopt;
  return static_cast<unsigned>(*number);
}

struct LaneFields {
  std::string_view engine, words;
};
constexpr std::array lane_text{LaneFields{"dfsssp", "Virtual Lanes needed:"},
                               LaneFields{"lash", "Lanes needed:"},
                               LaneFields{"nue", "Nue maximum #VLs ="}};

}  // namespace

std::string used_engine(std::string_view log) {
  std::string_view engine;
  for_lines_while(log, [&](std::string_view line) {
    if (is_configured(line)) engine = configured_engine(line);
    return true;
  });
  return printable(engine);
}

bool subnet_is_up(std::string_view log) {
  bool is_up = false;
  for_lines_while(log, [&](std::string_view line) {
    is_up = tells_subnet_up(line);
    return !is_up;
  });
  return is_up;
}

std::string engine_of_last_sweep(std::string_view log) {
  std::string_view engine, of_sweep;
  for_lines_while(log, [&](std::string_view line) {
    if (is_configured(line)) engine = configured_engine(line);
    if (tells_subnet_up(line)) of_sweep = engine;
    return true;
  });
  return printable(of_sweep);
}

double routing_milliseconds(std::string_view log) {
  std::int64_t begin = 0, length = 0;
  for_lines_while(log, [&](std::string_view line) {
    if (has(line, "building routing with ")) {
      begin = stamp_of(line).value_or(begin);
    } else if (is_configured(line)) {
      length = span(begin, stamp_of(line).value_or(begin));
    }
    return true;
  });
  return std::round(static_cast<double>(length) / 100) / 10;
}

std::vector<std::string> logged_errors(std::string_view log) {
  constexpr std::size_t most = 8;
  std::vector<std::string> errors;
  for_lines_while(log, [&](std::string_view line) {
    const std::optional<std::string> error = error_in(line);
    if (error && std::find(errors.begin(), errors.end(), *error) == errors.end())
      errors.push_back(*error);
    return !is_configured(line);
  });
  if (errors.size() > most) errors.erase(errors.begin(), errors.end() - most);
  return errors;
}

std::string indented(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n    " + line;
  return text;
}

std::vector<std::string> plugin_lines(std::string_view log) {
  std::vector<std::string> words;
  for_lines_while(log, [&](std::string_view line) {
    std::string_view text = text_in(line);
    const bool is_information = line.substr(0, line.find(" -> ")).ends_with(" 0x02");
    if (is_information && take(text, "osmpssp: ")) words.push_back(printable(text));
    return true;
  });
  return words;
}

std::optional<std::string> plugin_refusal(std::string_view log) {
  std::optional<std::string> said, refusal;
  for_lines_while(log, [&](std::string_view line) {
    const std::optional<std::string> error = error_in(line);
    if (!error) return true;
    if (has(*error, "cannot load plugin")) refusal = said ? *said : *error;
    if (has(*error, "plugin")) said = error;
    return !refusal;
  });
  return refusal;
}

std::optional<unsigned> lanes_needed(std::string_view log, std::string_view output,
                                     std::string_view engine) {
  std::optional<unsigned> lanes;
  const auto take_line = [&](std::string_view line) {
    for (const LaneFields& each : lane_text) {
      if (each.engine == engine)
        if (const std::optional<unsigned> found = number_behind(line, each.words)) lanes = found;
    }
    if (engine == "nue" && line.ends_with("using nue_max_num_vls 1")) lanes = 1;
    return true;
  };
  for_lines_while(output, take_line);
  for_lines_while(log, take_line);
  return lanes;
}

// ---- phases of sweeps ----

namespace {

struct PhaseMark {
  std::string_view words;
  std::size_t number;  ///< of the phase that ends with the mark
};
constexpr std::array phase_marks{PhaseMark{"* HEAVY SWEEP COMPLETE *", 1},
                                 PhaseMark{"* PKEY setup completed", 2},
                                 PhaseMark{"* SM LID ASSIGNMENT COMPLETE", 3},
                                 PhaseMark{"** LID ASSIGNMENT COMPLETE", 4},
                                 PhaseMark{"* SWITCHES CONFIGURED FOR UNICAST *", 6},
                                 PhaseMark{"* SWITCHES CONFIGURED FOR MULTICAST *", 7},
                                 PhaseMark{"* LINKS PORTS CONFIGURED", 8},
                                 PhaseMark{"* SUBNET UP *", 9}};

/// Reads the log and collects the time of each mark.
class SweepReader {
 public:
  std::vector<Sweep> sweeps;

  void read(std::string_view line) {
    if (const std::optional<std::int64_t> stamp = stamp_of(line)) {
      now_ = *stamp;
      if (!first_) first_ = now_;
      if (!is_configured(line)) return;
      engine_ = printable(configured_engine(line));
      mark(static_cast<std::size_t>(SweepPhase::routes));
      return;
    }
    if (is_titled(line, "* INITIATING HEAVY SWEEP *") && !sweeping_) {
      sweeping_ = true;
      seen_ = 0;
      at_[0] = now_;
    }
    for (const PhaseMark& each : phase_marks)
      if (is_titled(line, each.words)) mark(each.number);
    if (is_titled(line, "* ERRORS DURING INITIALIZATION *")) sweeping_ = false;
    if (!is_titled(line, "* SUBNET UP *")) return;
    if (sweeping_ && seen_ == sweep_phases - 1) add();
    sweeping_ = false;
  }

 private:
  /// If a sweep restarts, the last time of each mark counts.
  void mark(std::size_t number) {
    if (!sweeping_ || seen_ + 1 < number) return;
    at_[number] = now_;
    seen_ = number;
  }

  void add() {
    Sweep sweep;
    sweep.engine = engine_;
    if (sweeps.empty()) sweep.microseconds[0] = span(*first_, at_[0]);
    for (std::size_t phase = 1; phase < sweep_phases; ++phase)
      sweep.microseconds[phase] = span(at_[phase - 1], at_[phase]);
    sweeps.push_back(sweep);
  }

  std::optional<std::int64_t> first_;
  std::int64_t now_ = 0;
  std::string engine_;
  bool sweeping_ = false;
  std::size_t seen_ = 0;
  std::array<std::int64_t, sweep_phases> at_{};
};

}  // namespace

std::vector<Sweep> completed_sweeps(std::string_view log) {
  SweepReader reader;
  for_lines_while(log, [&](std::string_view line) {
    reader.read(line);
    return true;
  });
  return reader.sweeps;
}

void SweepCounts::read(std::string_view lines) {
  for_lines_while(lines, [this](std::string_view line) {
    if (is_titled(line, "* INITIATING HEAVY SWEEP *")) {
      ++begun;
      busy = true;
    } else if (is_titled(line, "* SUBNET UP *") ||
               is_titled(line, "* ERRORS DURING INITIALIZATION *")) {
      ++ended;
      busy = false;
    }
    return true;
  });
}

}  // namespace pssp
