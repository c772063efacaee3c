// ibsim and its clients communicate through abstract Unix sockets with names that begin with
// IBSIM_SOCKNAME; ibsim is ready when its control socket is in /proc/net/unix. The kernel does not
// report new sockets, so the harness checks for this socket every few milliseconds. It waits for
// everything else by events: the end of a program, a growing log, or a signal.
//
// opensm also returns 0 if it used another engine, so its log decides. The configuration of the
// machine has no effect: files that opensm would read get names that do not exist. Clients run in
// osm/, because the ibsim library of the clients makes folders in the current folder.

#include "ibsim_harness/simulated_fabric.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/ids.h"
#include "ibsim_harness/engine_spec.h"
#include "ibsim_harness/lids_in_force.h"
#include "ibsim_harness/table_dump.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr std::chrono::milliseconds socket_interval{5};
/// A sweep can restart right after its end.
constexpr std::chrono::milliseconds quiet_after_sweep{200};
/// Traps that take longer count as lost.
constexpr seconds trap_patience{1};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> last_lines(const fs::path& file, std::size_t most = 5) {
  std::istringstream text(text_of(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) lines.push_back(line);
    if (lines.size() > most) lines.erase(lines.begin());
  }
  return lines;
}

bool has_socket(const std::string& name) {
  // The kernel shows each NUL byte of an abstract name as @; the name of ibsim can end in one.
  return text_of("/proc/net/unix").find(" @" + name + ":ctl") != std::string::npos;
}

/// Whether the end of the log shows that ibsim has reached the line. ibsim repeats lines that begin
/// with #.
bool has_said(const fs::path& log, const std::string& line) {
  constexpr std::streamoff looked_at = 1 << 16;
  std::ifstream stream(log, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream.tellg();
  if (size <= 0) return false;
  stream.seekg(std::max<std::streamoff>(0, size - looked_at));
  const std::string end{std::istreambuf_iterator<char>(stream), {}};
  return end.find(line) != std::string::npos;
}

std::string unused_socket_name() {
  std::random_device random;
  return fmt::format("pssp-{}-{}-{:08x}", getuid(), getpid(), random());
}

}  // namespace

std::vector<Need> needs_of_simulation(std::span<const std::string> engines, bool dumps_tables) {
  std::vector<Need> needs{{"ibsim", "ibsim-utils", "required"},
                          {"ibsim-run", "ibsim-utils", "required"},
                          {"opensm", "opensm", "required"}};
  if (dumps_tables) needs.push_back({"dump_fts", "infiniband-diags", "required"});
  if (std::ranges::any_of(engines, needs_plugin)) {
    needs.push_back({"lib/libosmpssp.so", "", "needed only for the plugin's engines"});
  }
  return needs;
}

std::vector<Need> needs_of_trials(std::span<const EngineSpec> engines, bool dumps_tables) {
  std::vector<std::string> names;
  for (const EngineSpec& engine : engines) names.push_back(engine.name);
  std::vector<Need> needs = needs_of_simulation(names, dumps_tables);
  if (std::ranges::any_of(engines, &EngineSpec::is_opensms))
    needs.push_back({"bin/opensm_hints", "", "needed only for opensm's own engines"});
  return needs;
}

SimulatedFabric::SimulatedFabric(const Surroundings& surroundings, const SignalQueue& signals,
                                 const fs::path& directory, fs::path topology, Console console,
                                 std::optional<unsigned> lmc)
    : surroundings_(surroundings),
      signals_(signals),
      directory_(fs::absolute(directory)),
      topology_(std::move(topology)) {
  fs::create_directories(directory_ / "osm");
  playable_ =
      make_playable(topology_, directory_ / "ibsim.net", surroundings_.variable("SIM_HOST"), lmc);
  start_simulator(console);
}

SimulatedFabric::~SimulatedFabric() {
  // opensm does not end by itself when its simulator ends.
  manager_.reset();
  simulator_.reset();
}

void SimulatedFabric::start_simulator(Console console) {
  socket_ = unused_socket_name();
  Command command;
  command.program = surroundings_.program("ibsim", "ibsim-utils");
  command.arguments = {"-s",
                       "-N",
                       std::to_string(playable_.survey.nodes + 1),
                       "-S",
                       std::to_string(playable_.survey.switches + 1),
                       "-P",
                       std::to_string(playable_.survey.ports + 1),
                       "-L",
                       std::to_string(last_unicast_lid + 1)};
  // Without a console, ibsim would end at the end of its standard input.
  if (console == Console::none) command.arguments.emplace_back("-n");
  command.arguments.push_back(playable_.file.string());
  command.environment = surroundings_.environment;
  command.environment["IBSIM_SOCKNAME"] = socket_;
  command.with_console = console == Console::ours;
  command.directory = directory_;
  command.output = command.errors = directory_ / "ibsim.log";
  command.keeps_last_lines = true;
  simulator_ = std::make_unique<Process>(command, signals_);
  const seconds limit(30 + playable_.survey.nodes / 50);
  const Clock::time_point until = Clock::now() + limit;
  while (!has_socket(socket_)) {
    if (simulator_->wait(Clock::now() + socket_interval) == Process::Woken::ended) {
      throw Error(ErrorKind::unreadable_input, "ibsim refused " + topology_.string() + ":" +
                                                   indented(last_lines(directory_ / "ibsim.log")));
    }
    if (Clock::now() > until) {
      throw Error(ErrorKind::simulation,
                  fmt::format("ibsim was not ready after {} s:{}", limit.count(),
                              indented(last_lines(directory_ / "ibsim.log"))));
    }
  }
}

seconds SimulatedFabric::default_patience() const {
  return seconds(120 + playable_.survey.nodes / 4);
}

/// A program that uses the simulated fabric.
Command SimulatedFabric::client(const std::string& program, const std::string& package,
                                std::vector<std::string> arguments) const {
  Command command;
  command.program = surroundings_.program("ibsim-run", "ibsim-utils");
  command.arguments = std::move(arguments);
  command.arguments.insert(command.arguments.begin(), surroundings_.program(program, package));
  command.environment = surroundings_.environment;
  // ibsim-run corrupts an existing LD_PRELOAD, and the server variables would make clients use the
  // network.
  for (const char* name : {"LD_PRELOAD", "IBSIM_SERVER_NAME", "IBSIM_SERVER_PORT", "SIM_SET_ISSM"})
    command.environment.erase(name);
  const std::string folder = (directory_ / "osm").string();
  command.environment["IBSIM_SOCKNAME"] = socket_;
  command.environment["SIM_HOST"] = playable_.survey.host;
  command.environment["OSM_CACHE_DIR"] = folder;
  command.environment["OSM_TMP_DIR"] = folder;
  command.directory = folder;
  return command;
}

// ---- opensm ----

void SimulatedFabric::write_configuration(const OpensmRequest& request) const {
  std::string text;
  for (const char* name : {"partition_config_file", "qos_policy_file", "prefix_routes_file",
                           "per_module_logging_file"}) {
    text +=
        fmt::format("{} {}\n", name, (directory_ / "osm" / (std::string("no_") + name)).string());
  }
  // opensm is followed through its log; without flushing, lines appear up to half a minute late.
  text += "force_log_flush TRUE\n";
  if (playable_.lmc != 0) text += fmt::format("lmc {}\n", playable_.lmc);
  if (playable_.switches_have_lmc) text += "lmc_esp0 TRUE\n";
  if (needs_plugin(request.engine)) {
    text += "event_plugin_name osmpssp\n";
    // Engines are compared by their own tables, on machines of any speed: unless the user sets a
    // limit, no time limit applies, and OpenSM waits for the engines.
    std::string settings;
    for (const std::string_view fallback : {"budget.seconds=86400", "background=off"}) {
      const std::string_view begin = fallback.substr(0, fallback.find('=') + 1);
      const bool is_set = std::ranges::any_of(
          request.plugin_settings,
          [&](const std::string& setting) { return setting.starts_with(begin); });
      if (!is_set) settings += fmt::format(" {}", fallback);
    }
    for (const std::string& setting : request.plugin_settings) settings += " " + setting;
    text += "event_plugin_options" + settings + "\n";
  }
  write_file(directory_ / "opensm.conf", text + request.configuration);
}

Command SimulatedFabric::opensm(const OpensmRequest& request,
                                const std::vector<std::string>& options) {
  write_configuration(request);
  std::error_code ignored;
  fs::remove(directory_ / "opensm.log", ignored);
  // A busy machine answers late, but no packets are lost here, so the transaction timeout is long.
  std::vector<std::string> arguments{"-R", request.engine,
                                     "-F", (directory_ / "opensm.conf").string(),
                                     "-f", (directory_ / "opensm.log").string(),
                                     "-t", "2000"};
  for (const std::vector<std::string>& more :
       {opensm_needs(request.engine), options, request.options})
    arguments.insert(arguments.end(), more.begin(), more.end());
  Command command = client("opensm", "opensm", std::move(arguments));
  if (needs_plugin(request.engine)) {
    const fs::path plugin = surroundings_.built("lib/libosmpssp.so");
    std::string& path = command.environment["LD_LIBRARY_PATH"];
    path = plugin.parent_path().string() + (path.empty() ? "" : ":" + path);
  }
  command.output = command.errors = directory_ / "opensm.out";
  return command;
}

RoutingOutcome SimulatedFabric::route_once(const OpensmRequest& request) {
  // At level 0x04, the log contains the line at which the routing phase starts.
  Process process(opensm(request, {"-D", "0x07", "-o"}), signals_);
  process.wait(Clock::now() + request.time_limit);
  RoutingOutcome outcome;
  if (!process.ending()) {
    outcome.state = RoutingOutcome::State::cut_off;
    outcome.reasons = {fmt::format("opensm -R {} did not finish within {} s (increase --timeout)",
                                   request.engine, request.time_limit.count())};
    return outcome;
  }
  const Ending ending = *process.ending();
  if (ending.status != 0) {
    outcome.reasons = last_lines(directory_ / "opensm.out");
    // Reports contain only the first reason.
    const std::vector<std::string> errors = logged_errors(text_of(directory_ / "opensm.log"));
    const std::string why = !errors.empty()            ? errors.back()
                            : !outcome.reasons.empty() ? outcome.reasons.back()
                                                       : "opensm printed nothing";
    outcome.reasons.insert(
        outcome.reasons.begin(),
        fmt::format("opensm -R {} ended with status {}: {}", request.engine, ending.status, why));
    return outcome;
  }
  outcome = evaluated(request);
  outcome.peak_memory_kib = ending.peak_kib;
  return outcome;
}

/// Whether the log shows that the subnet came up with one of the requested engines.
RoutingOutcome SimulatedFabric::evaluated(const OpensmRequest& request) const {
  const std::string log = text_of(directory_ / "opensm.log");
  RoutingOutcome outcome;
  if (const std::optional<std::string> refusal =
          needs_plugin(request.engine) ? plugin_refusal(log) : std::nullopt) {
    throw Error(
        ErrorKind::missing_program,
        fmt::format(
            "opensm did not load the plugin, and routed with {} instead of {}:\n    {}\n"
            "  build the plugin for the opensm that is installed (docs/reference/plugin.md)",
            used_engine(log), request.engine, *refusal));
  }
  outcome.reasons = logged_errors(log);
  const bool is_up = subnet_is_up(log);
  if (outcome.reasons.empty()) {
    outcome.reasons = {is_up ? "(opensm logged no error)"
                             : "the subnet did not come up, and opensm logged no error"};
  }
  if (!is_up) return outcome;
  outcome.used_engine = used_engine(log);
  const std::string asked = "," + request.engine + ",";
  if (asked.find("," + outcome.used_engine + ",") == std::string::npos) {
    outcome.state = RoutingOutcome::State::refused;
    return outcome;
  }
  outcome.state = RoutingOutcome::State::routed;
  outcome.reasons.clear();
  outcome.routing_ms = routing_milliseconds(log);
  outcome.lanes = lanes_needed(log, text_of(directory_ / "opensm.out"), outcome.used_engine);
  return outcome;
}

// ---- forwarding tables ----

std::string SimulatedFabric::dump_tables(const fs::path& file) {
  const fs::path dump = directory_ / "dump_fts.out", errors = directory_ / "dump_fts.err";
  Command command = client("dump_fts", "infiniband-diags", {"-t", "10000"});
  command.output = dump;
  command.errors = errors;
  const std::optional<Ending> ending = run_to_end(command, signals_, default_patience());
  if (!ending || ending->status != 0 || !is_whole_dump(text_of(dump))) {
    throw Error(ErrorKind::simulation,
                fmt::format("dump_fts did not read all tables ({}):{}",
                            ending ? fmt::format("status {}", ending->status) : "it took too long",
                            indented(last_lines(errors))));
  }
  std::string note = restore_lost_entries(dump);
  std::error_code ignored;
  fs::remove(errors, ignored);
  fs::rename(dump, file);
  return note;
}

SimulatedFabric::WrittenTopology SimulatedFabric::write_topology(const fs::path& file) const {
  FabricInForce in_force = with_lids_in_force(
      playable_.fabric, text_of(directory_ / "osm" / "guid2lid"), topology_.string());
  write_file(file, to_net_file(std::move(in_force.fabric).build()));
  return {std::move(in_force.note), in_force.lmc};
}

std::string SimulatedFabric::restore_lost_entries(const fs::path& dump) {
  const std::string text = text_of(dump);
  const std::vector<LostEntry> lost = lost_entries(text);
  if (lost.empty()) return {};
  const unsigned lid = lost.front().lid;
  std::map<std::string, unsigned> ports;
  constexpr unsigned no_route = 0xff;
  for (const LostEntry& entry : lost) {
    const unsigned port = port_at(entry.route, lid);
    if (port != no_route) ports.emplace(entry.route, port);
  }
  std::string owner = lid_owner(output_of(client("ibnetdiscover", "infiniband-diags", {})), lid);
  if (owner.empty()) owner = "Unknown node and type";
  write_file(dump, with_entries(text, lid, owner, ports));
  return fmt::format(
      "dump_fts lost LID {} at {} switches (a fault of dump_fts when the highest LID is a "
      "multiple of 64); read its entries from the switches",
      lid, lost.size());
}

/// The output port of a switch for a LID: the entry in block LID / 64 of the linear forwarding
/// table (attribute 0x19).
unsigned SimulatedFabric::port_at(const std::string& route, unsigned lid) {
  const std::string block = output_of(
      client("smpdump", "infiniband-diags", {"-D", route, "0x19", std::to_string(lid / 64)}));
  std::string_view digits = std::string_view(block).substr(0, 2);
  const std::optional<std::uint64_t> port = take_number(digits, 16);
  if (!port || !digits.empty()) {
    throw Error(
        ErrorKind::simulation,
        fmt::format(
            "dump_fts omitted LID {1}, and its port could not be read from the switch at directed "
            "route {0}; repeat the command",
            route, lid));
  }
  return static_cast<unsigned>(*port);
}

std::string SimulatedFabric::output_of(const Command& command) {
  Command run = command;
  run.output = directory_ / "client.out";
  run_to_end(run, signals_, default_patience());
  std::string text = text_of(run.output);
  std::error_code ignored;
  fs::remove(run.output, ignored);
  return text;
}

// ---- an opensm that stays ----

SimulatedFabric::SweepOutcome SimulatedFabric::start_manager(const OpensmRequest& request) {
  managed_ = request;
  // Only two modules of opensm log more than necessary: logging everything would take longer than
  // some phases.
  const fs::path modules = directory_ / "modules";
  write_file(modules, "osm_state_mgr.c=0x07\nosm_ucast_mgr.c=0x07\n");
  managed_.configuration += "per_module_logging_file " + modules.string() + "\n";
  const Command command = opensm(managed_, {"-D", "0x03"});
  log_ = std::make_unique<LogFollower>(directory_ / "opensm.log");
  return after([&] { manager_ = std::make_unique<Process>(command, signals_); });
}

SimulatedFabric::SweepOutcome SimulatedFabric::sweep_again() {
  return after([&] { manager_->send(SIGHUP); });
}

SimulatedFabric::SweepOutcome SimulatedFabric::change_link(const std::string& command) {
  return after([&] {
    const unsigned begun = log_->counts().begun;
    simulator_->tell(command);
    const Clock::time_point until = Clock::now() + trap_patience;
    while (log_->counts().begun == begun) {
      if (manager_->wait(until, log_->descriptor()) != Process::Woken::event) {
        manager_->send(SIGHUP);
        return;
      }
      log_->read_more();
    }
  });
}

RoutingOutcome SimulatedFabric::manager_outcome() { return evaluated(managed_); }

// ---- beside a manager that stays ----

Command SimulatedFabric::inside(const std::vector<std::string>& words) const {
  Command command = client("ibsim-run", "ibsim-utils", {});
  command.arguments = words;
  command.directory.clear();
  // Programs of this build take precedence.
  std::string& path = command.environment["PATH"];
  for (const fs::path& build : surroundings_.builds) {
    path = fmt::format("{}:{}", (build / "bin").string(), path);
  }
  command.inherits_output = true;
  return command;
}

void SimulatedFabric::obey(const std::string& lines) {
  // The console accepts no blanks in file names; this file is in the folder of ibsim.
  constexpr const char* file = "settings";
  const std::string last_line = fmt::format("# settings {} are obeyed", ++obeyed_);
  write_file(directory_ / file, lines + last_line + "\n");
  const fs::path log = directory_ / "ibsim.log";
  simulator_->tell(std::string("!") + file);
  const Clock::time_point limit = Clock::now() + seconds(60);
  while (!has_said(log, last_line)) {
    if (simulator_->wait(Clock::now() + socket_interval) == Process::Woken::ended) {
      throw Error(ErrorKind::simulation, "ibsim ended while its counters were set");
    }
    if (Clock::now() > limit) {
      throw Error(ErrorKind::simulation, "ibsim did not set its counters within a minute");
    }
  }
}

void SimulatedFabric::stay(Clock::time_point until) {
  if (manager_->wait(until) != Process::Woken::ended) return;
  throw Error(ErrorKind::simulation, fmt::format("opensm -R {} ended:{}", managed_.engine,
                                                 indented(last_lines(directory_ / "opensm.out"))));
}

/// The first sweep after an event.
SimulatedFabric::SweepOutcome SimulatedFabric::after(const std::function<void()>& event) {
  log_->read_more();
  const unsigned ended = log_->counts().ended;
  const std::size_t before = completed_sweeps(log_->text()).size();
  event();
  SweepOutcome outcome;
  outcome.reason = wait_for_sweep(ended);
  const std::vector<Sweep> sweeps = completed_sweeps(log_->text());
  if (outcome.reason.empty() && sweeps.size() > before) outcome.sweep = sweeps[before];
  return outcome;
}

/// Waits until more sweeps have ended and none is running; returns the reason if that does not
/// happen.
std::string SimulatedFabric::wait_for_sweep(unsigned ended_before) {
  const Clock::time_point until = Clock::now() + managed_.time_limit;
  while (true) {
    log_->read_more();
    const bool is_done = log_->counts().ended > ended_before && !log_->counts().busy;
    const Clock::time_point wake = is_done ? Clock::now() + quiet_after_sweep : until;
    switch (manager_->wait(wake, log_->descriptor())) {
      case Process::Woken::ended:
        return fmt::format("opensm -R {} ended:{}", managed_.engine,
                           indented(last_lines(directory_ / "opensm.out")));
      case Process::Woken::time:
        if (is_done) return {};
        return fmt::format("opensm -R {} did not finish within {} s", managed_.engine,
                           managed_.time_limit.count());
      case Process::Woken::event:
        break;
    }
  }
}

}  // namespace pssp
