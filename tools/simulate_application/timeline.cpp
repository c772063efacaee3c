// One row per rank, time from left to right: boxes while a processor computes or processes a
// message, empty while it waits. A message is a line from the time when its data entered the
// network to its arrival. The critical path follows rows and messages; a message on the path has
// its color, and the path is drawn from the operation before to the operation after it, because a
// rank may wait for the end of its own send.

#include "tools/simulate_application/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "evaluator/pictures/drawing_programs.h"

namespace pssp {
namespace {

constexpr double picoseconds_in_us = 1e6;

double microseconds(ReplayTime time) { return static_cast<double>(time) / picoseconds_in_us; }

class Timeline {
 public:
  Timeline(const Schedule& schedule, const ReplayRecord& record, const CriticalPath& path)
      : schedule_(schedule), record_(record), path_(path) {
    choose_rows();
  }

  std::string script(const std::string& title, const std::string& format) const {
    constexpr int width = 1300, above_and_below = 120, of_row = 18, least = 10;
    const auto rows = static_cast<int>(rows_.size());
    std::string script =
        gnuplot_head(format, title, width, above_and_below + of_row * std::max(rows, least));
    script += boxes() + messages() + critical();
    script += fmt::format(
        "set xlabel 'time, us'\nset ylabel 'rank'\nset yrange [{}:-1]\nset xrange [0:*]\n"
        "set key below noenhanced\nset style fill solid 1 noborder\nset ytics ({})\n"
        "plot $messages using 1:2:3:4 with vectors nohead lw 1 lc rgb '#b0b0b0' title 'messages', "
        "$computing using 1:2:3:4:5:6 with boxxyerror lc rgb '#4c78a8' title 'computing', "
        "$overhead using 1:2:3:4:5:6 with boxxyerror lc rgb '#f58518' title 'sending and "
        "receiving', $carried using 1:2:3:4 with vectors nohead lw 2 lc rgb '#c0143c' notitle, "
        "$path using 1:2 with lines lw 3 lc rgb '#c0143c' title 'critical path'\n",
        rows, labels());
    return script;
  }

 private:
  void choose_rows() {
    std::vector<char> is_in(schedule_.rank_count());
    std::size_t count = 0;
    const auto choose = [&](std::uint32_t rank) {
      if (count == most_drawn_ranks || is_in[rank] != 0) return;
      is_in[rank] = 1;
      ++count;
    };
    for (std::size_t i = path_.segments.size(); i-- > 0;) {
      choose(schedule_.rank_of(path_.segments[i].operation));
    }
    const std::vector<char> on_path = is_in;
    for (std::uint32_t i = 0; i < schedule_.operation_count(); ++i) {
      const Operation& operation = schedule_.operation(i);
      if (operation.kind != OperationKind::send) continue;
      if (on_path[schedule_.rank_of(i)] != 0) choose(operation.peer);
      if (on_path[operation.peer] != 0) choose(schedule_.rank_of(i));
    }
    for (std::uint32_t rank = 0; rank < schedule_.rank_count(); ++rank) choose(rank);
    for (std::uint32_t rank = 0; rank < schedule_.rank_count(); ++rank) {
      if (is_in[rank] != 0) rows_.emplace(rank, static_cast<int>(rows_.size()));
    }
  }
  /// Negative: not drawn.
  int row(std::uint32_t rank) const {
    const auto found = rows_.find(rank);
    return found == rows_.end() ? -1 : found->second;
  }

  std::string labels() const {
    constexpr std::size_t most_labels = 32;
    const std::size_t step = rows_.size() > most_labels ? 2 : 1;
    std::string text;
    for (const auto& [rank, at] : rows_) {
      if (static_cast<std::size_t>(at) % step != 0) continue;
      text += fmt::format("{}\"{}\" {}", text.empty() ? "" : ", ", rank, at);
    }
    return text;
  }

  std::string boxes() const {
    std::string computing = "$computing << EOD\n", overhead = "$overhead << EOD\n";
    // gnuplot draws no block without a line.
    const std::string nothing = "NaN NaN NaN NaN NaN NaN\n";
    computing += nothing;
    overhead += nothing;
    for (const auto& [rank, at] : rows_) {
      for (std::uint32_t i = schedule_.first_operation(rank);
           i < schedule_.first_operation(rank + 1); ++i) {
        const OperationRecord& record = record_[i];
        if (record.free == record.begun) continue;
        constexpr double half = 0.36;
        const double begin = microseconds(record.begun);
        const double end = microseconds(record.free);
        (schedule_.operation(i).kind == OperationKind::compute ? computing : overhead) +=
            fmt::format("{:.6f} {} {:.6f} {:.6f} {:.2f} {:.2f}\n", (begin + end) / 2, at, begin,
                        end, at - half, at + half);
      }
    }
    return computing + "EOD\n" + overhead + "EOD\n";
  }

  std::string message_line(std::uint32_t send) const {
    const OperationRecord& record = record_[send];
    const Operation& operation = schedule_.operation(send);
    // A message without bytes is only an envelope.
    const ReplayTime begin = operation.size == 0 ? record.free : record.entered;
    const int from = row(schedule_.rank_of(send));
    return fmt::format("{:.6f} {} {:.6f} {}\n", microseconds(begin), from,
                       microseconds(record.arrived - begin), row(operation.peer) - from);
  }

  std::string messages() const {
    std::vector<std::uint32_t> drawn;
    for (const auto& [rank, at] : rows_) {
      for (std::uint32_t i = schedule_.first_operation(rank);
           i < schedule_.first_operation(rank + 1); ++i) {
        const Operation& operation = schedule_.operation(i);
        if (operation.kind == OperationKind::send && row(operation.peer) >= 0) drawn.push_back(i);
      }
    }
    if (drawn.size() > most_drawn_messages) {
      std::ranges::stable_sort(drawn, std::ranges::greater{}, [&](std::uint32_t i) {
        return record_[i].arrived - record_[i].entered;
      });
      drawn.resize(most_drawn_messages);
    }
    std::string text = "$messages << EOD\nNaN NaN NaN NaN\n";
    for (const std::uint32_t i : drawn) text += message_line(i);
    text += "EOD\n$carried << EOD\nNaN NaN NaN NaN\n";
    for (const std::uint32_t i : path_.messages) {
      const bool is_drawn = row(schedule_.rank_of(i)) >= 0 && row(schedule_.operation(i).peer) >= 0;
      if (is_drawn) text += message_line(i);
    }
    return text + "EOD\n";
  }

  std::string critical() const {
    std::string text = "$path << EOD\n";
    if (path_.segments.empty()) text += "NaN NaN\n";
    for (const PathSegment& segment : path_.segments) {
      const bool on_row = segment.part == PathPart::computing ||
                          segment.part == PathPart::overhead || segment.part == PathPart::waiting;
      const int at = row(schedule_.rank_of(segment.operation));
      if (!on_row || at < 0) continue;
      text += fmt::format("{:.6f} {}\n{:.6f} {}\n", microseconds(segment.begin), at,
                          microseconds(segment.end), at);
    }
    return text + "EOD\n";
  }

  const Schedule& schedule_;
  const ReplayRecord& record_;
  const CriticalPath& path_;
  std::map<std::uint32_t, int> rows_;  // by drawn rank
};

}  // namespace

std::string timeline_script(const Schedule& schedule, const ReplayRecord& record,
                            const CriticalPath& path, const std::string& title,
                            const std::string& format) {
  return Timeline(schedule, record, path).script(title, format);
}

}  // namespace pssp
