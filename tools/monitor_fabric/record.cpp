// Counters give sums between two readings: one sweep before the command and one after it would
// suffice for the sums. Sweeps in between show peaks, and limit the loss from cleared counters or
// missing answers to an interval.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "evaluator/pictures/fabric_map.h"
#include "monitor/live/fabric_session.h"
#include "monitor/store/history_writer.h"
#include "monitor/store/recordings.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/child_command.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/history_arguments.h"
#include "tools/monitor_fabric/live_options.h"
#include "tools/monitor_fabric/recorded_use.h"

namespace pssp {
namespace {

constexpr int interrupted_base = 128;

class RecordCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "record"; }
  std::string summary() const override {
    return "Records which links are used in a period or while a command runs";
  }

  void add_options(CommandLine& line) override {
    line.option("COMMAND", command_, "Command to run and record, after --");
    line.option("--for", seconds_, "Seconds to record").range(0.1, 1e7).type_name("S");
    line.option("--interval", interval_s_, "Seconds between sweeps")
        .range(0.5, 3600)
        .type_name("S")
        .show_default();
    line.option("--name", name_, "Name of the recording (default: the command, or the time)")
        .type_name("TEXT");
    line.option("--map", map_,
                "Draw the fabric with its links colored by bytes: .svg, .png, .pdf or .dot")
        .writes();
    line.option("-d,--database", database_,
                "Store the sweeps and the named period in this database")
        .type_name("FILE");
    line.option("--top", top_, "Print only the N busiest channels")
        .range(1, 1e9)
        .type_name("N")
        .show_default();
    line.flag("--json", json_, "Write JSON with all used channels");
    line.output(output_);
    live_.add_options(line);
  }

  int run(const CommandLine&) override {
    if (command_.empty() == !seconds_) {
      throw Error(ErrorKind::usage, "expected either --for S or a command after --");
    }
    if (!map_.empty()) require_map_format(map_);
    const HeldSignals signals;
    const FabricOptions options = live_.fabric();
    std::optional<DiscoveredFabric> of_file = fabric_of_file(options);
    FabricSession session(options);
    begin(session, of_file ? std::move(*of_file) : session.discover());
    record(session, signals);
    label_.end_ms = wall_clock_ms();
    history_.reset();
    if (!database_.empty()) keep();
    answer();
    if (signal_ != 0) return interrupted_base + signal_;
    return label_.status;
  }

 private:
  void begin(FabricSession& session, const DiscoveredFabric& found) {
    session.collector().set_map(found.map);
    if (!found.problem.empty()) report_.print_line("the fabric: " + found.problem);
    if (!map_.empty() && found.map->fabric == nullptr) {
      throw Error(ErrorKind::unsuitable_topology, "cannot draw the fabric: " + found.problem);
    }
    if (!database_.empty()) open_history();
    sweep(session);
    label_.start_ms = wall_clock_ms();
    for (const std::string& word : command_) {
      label_.command += (label_.command.empty() ? "" : " ") + printable(word);
    }
    label_.name = !name_.empty()            ? name_
                  : !label_.command.empty() ? label_.command
                                            : time_text(label_.start_ms);
  }

  /// With a daemon, there is no need to write its sweeps twice.
  void open_history() {
    HistoryOptions options;
    options.file = database_;
    try {
      history_ = std::make_unique<HistoryWriter>(options);
    } catch (const HistoryFailure&) {
      throw;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::output) throw;
      report_.print_line(fmt::format(
          "{}: the running daemon stores the sweeps; record adds only the period", error.what()));
    }
  }

  void sweep(FabricSession& session) {
    const SnapshotPointer snapshot = session.sweep();
    use_.add(snapshot);
    const std::vector<MonitorEvent> events = session.collector().take_events();
    if (history_) history_->write(snapshot, events);
  }

  void record(FabricSession& session, const HeldSignals& signals) {
    using Steady = std::chrono::steady_clock;
    const auto interval =
        std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(interval_s_));
    std::unique_ptr<ChildCommand> child;
    if (!command_.empty()) child = std::make_unique<ChildCommand>(command_);
    Steady::time_point end = Steady::time_point::max();
    if (seconds_) {
      end = Steady::now() +
            std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(*seconds_));
    }
    Steady::time_point next = Steady::now() + interval;
    while (!is_over(child.get(), Steady::now() >= end)) {
      const Steady::time_point wake = std::min(next, end);
      take_signal(signals.wait(wake), child.get());
      if (Steady::now() < next || is_over(child.get(), Steady::now() >= end)) continue;
      sweep(session);
      next = std::max(next + interval, Steady::now());
    }
    sweep(session);
  }

  bool is_over(ChildCommand* child, bool time_is_over) {
    if (child == nullptr) return time_is_over || signal_ != 0;
    const std::optional<int> status = child->status();
    if (status) label_.status = *status;
    return status.has_value();
  }

  /// The terminal sends Ctrl-C to the command; its end also ends this process.
  void take_signal(int signal, const ChildCommand* child) {
    if (signal == 0 || signal == SIGCHLD) return;
    if (child == nullptr) signal_ = signal;
    if (child != nullptr && signal != SIGINT) child->send(signal);
  }

  void keep() const {
    keep_recording(database_, {0, label_.name, label_.command, label_.start_ms, label_.end_ms});
  }

  void answer() const {
    if (!map_.empty()) {
      FabricPicture picture;
      picture.title = fmt::format("{}: {:.1f} s", label_.name, use_.seconds());
      picture.loads = use_.bytes_by_channel();
      picture.load_name = "bytes";
      draw(*use_.last()->map->fabric, picture, map_);
    }
    write_answer(
        output_, json_, [&] { return recording_text(use_, label_, top_); },
        [&] { return recording_json(use_, label_); });
  }

  const Report report_{"monitor_fabric"};
  LiveOptions live_;
  std::vector<std::string> command_;
  std::optional<double> seconds_;
  double interval_s_ = 5;
  std::string name_, map_, database_, output_ = "-";
  unsigned top_ = 40;
  bool json_ = false;
  RecordedUse use_;
  RecordingLabel label_;
  std::unique_ptr<HistoryWriter> history_;
  int signal_ = 0;
};

}  // namespace

MonitorCommandPointer make_record_command() { return std::make_unique<RecordCommand>(); }

}  // namespace pssp
