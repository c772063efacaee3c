#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"
#include "fabric/formats/lft_writer.h"
#include "routing/engines/engine.h"
#include "tools/deploy_tables/fabric_difference.h"
#include "tools/deploy_tables/handed_over.h"
#include "tools/deploy_tables/log_tail.h"
#include "tools/deploy_tables/new_tables.h"
#include "tools/deploy_tables/opensm_process.h"
#include "tools/deploy_tables/options.h"
#include "tools/deploy_tables/state_folder.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// A temporary folder, which the destructor removes.
class Scratch {
 public:
  Scratch() : folder_(std::filesystem::temp_directory_path() / "deploy_tables-XXXXXX") {
    std::string name = folder_.string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(folder_); }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

void write(const std::filesystem::path& file, const std::string& text,
           std::ios::openmode how = std::ios::trunc) {
  std::ofstream(file, std::ios::binary | how) << text;
}

template <class Act>
std::string error_of(ErrorKind kind, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  FAIL("no error");
  return {};
}

ForwardingTables routed(const Fabric& fabric) {
  return make_engine("pssp", {})->route(fabric, {}).tables;
}

/// Two pairs of switches with 20 cables within each pair. All switches have the same name. Cables 1
/// to 20 belong to the first pair. The cables in `missing` are absent.
Fabric two_pairs(const std::string& name, const std::set<unsigned>& missing) {
  FabricBuilder builder;
  std::vector<NodeId> nodes;
  for (Guid guid = 1; guid <= 4; ++guid) nodes.push_back(builder.add_switch(guid, 20, "", name));
  for (unsigned cable = 1; cable <= 40; ++cable) {
    if (missing.contains(cable)) continue;
    const std::size_t pair = cable <= 20 ? 0 : 2;
    const auto port = static_cast<PortNumber>((cable - 1) % 20 + 1);
    builder.connect(nodes[pair], port, nodes[pair + 1], port, {});
  }
  builder.assign_lids();
  return std::move(builder).build();
}

LftFile dumped(const Fabric& fabric, const ForwardingTables& tables) {
  return parse_lft(to_lft_dump(fabric, tables), "tables.lft");
}

/// The same file with other LIDs: `to`, by old LID.
LftFile with_lids(const LftFile& file, const std::vector<Lid>& to) {
  LftFile other;
  other.name = file.name;
  other.format = file.format;
  for (const LftSwitch& each : file.switches) {
    LftSwitch& added = other.switches.emplace_back();
    added.guid = each.guid;
    each.entries.for_each([&](Lid lid, PortNumber port) { added.entries.set(to[lid], port); });
  }
  other.destinations = file.destinations;
  for (LftDestination& each : other.destinations) each.lid = to[each.lid];
  std::ranges::sort(other.destinations, std::ranges::less(), &LftDestination::lid);
  return other;
}

}  // namespace

TEST_CASE("tables are matched with the fabric by GUID, whatever the LIDs in their file") {
  const Fabric fabric = make_fabric("k-ary-n-tree 3 3");
  const ForwardingTables tables = routed(fabric);
  const LftFile file = dumped(fabric, tables);
  CHECK(handed_over(file, fabric) == tables);
  CHECK(require_whole(file, fabric).empty());
  std::mt19937_64 random(7);
  for (int round = 0; round < 5; ++round) {
    std::vector<Lid> to(std::size_t{fabric.max_lid()} + 1);
    for (std::size_t lid = 0; lid < to.size(); ++lid) to[lid] = static_cast<Lid>(lid + 1000);
    std::shuffle(to.begin() + 1, to.end(), random);
    CHECK(handed_over(with_lids(file, to), fabric) == tables);
  }
}

TEST_CASE("tables that opensm would accept but that leave ports without routes are refused") {
  const Fabric fabric = make_fabric("k-ary-n-tree 3 2");
  const LftFile whole = dumped(fabric, routed(fabric));
  LftFile file = dumped(fabric, routed(fabric));
  SECTION("missing switch") {
    file.switches.pop_back();
    CHECK_THAT(error_of(ErrorKind::verification_failed, [&] { require_whole(file, fabric); }),
               Catch::Contains("1 of 6 switches have no table"));
  }
  SECTION("missing host") {
    const auto host = std::ranges::find(file.destinations, false, &LftDestination::is_switch);
    file.destinations.erase(host);
    for (LftSwitch& each : file.switches) {
      LftEntries entries;
      each.entries.for_each([&](Lid lid, PortNumber port) {
        const auto known = std::ranges::find(file.destinations, lid, &LftDestination::lid);
        if (known != file.destinations.end()) entries.set(lid, port);
      });
      each.entries = std::move(entries);
    }
    CHECK_THAT(error_of(ErrorKind::verification_failed, [&] { require_whole(file, fabric); }),
               Catch::Contains("1 of 15 ports of the fabric have no entry"));
  }
  SECTION("destination without GUID") {
    file.destinations.erase(file.destinations.begin());
    CHECK_THAT(error_of(ErrorKind::verification_failed, [&] { require_whole(file, fabric); }),
               Catch::Contains("1 LIDs have no port GUID"));
  }
  SECTION("tables of another fabric") {
    for (LftSwitch& each : file.switches) each.guid += 0x1000000;
    CHECK_THAT(error_of(ErrorKind::mismatch, [&] { require_whole(file, fabric); }),
               Catch::Contains("the tables belong to another fabric"));
  }
  SECTION("two LIDs of one port") {
    file.destinations.push_back({.lid = 900,
                                 .port_guid = file.destinations.front().port_guid,
                                 .is_switch = false,
                                 .description = ""});
    CHECK_THAT(error_of(ErrorKind::mismatch, [&] { require_whole(file, fabric); }),
               Catch::Contains("has 2 LIDs in these tables and 1 in the fabric"));
  }
  SECTION("another file format") {
    file.format = LftFormat::opensm_fdbs;
    error_of(ErrorKind::unreadable_input, [&] { require_whole(file, fabric); });
  }
  SECTION("a switch missing in the fabric causes only a warning") {
    LftFile larger = dumped(fabric, routed(fabric));
    larger.switches.emplace_back().guid = 0x77;
    const std::vector<std::string> warnings = require_whole(larger, fabric);
    REQUIRE(warnings.size() == 1);
    CHECK_THAT(warnings.front(), Catch::Contains("1 switches and 0 ports of this file are not"));
  }
}

TEST_CASE(
    "a fabric difference lists changed links; only changes that break the tables are harmful") {
  const Fabric before = make_fabric("xgft 4,4 1,4");
  const Fabric now = make_fabric("xgft 4,4 1,4 --kill-links 2 --seed 3");
  CHECK(difference_of(before, before).none());
  const FabricDifference lost = difference_of(before, now);
  CHECK(lost.harmful.size() == 2);
  CHECK(lost.harmless.empty());
  CHECK_THAT(lost.text(), Catch::StartsWith("link ") && Catch::Contains(" is gone; link "));
  const FabricDifference back = difference_of(now, before);
  CHECK(back.harmful.empty());
  CHECK(back.harmless.size() == 2);
  const FabricDifference grown = difference_of(before, make_fabric("xgft 4,5 1,4"));
  CHECK_FALSE(grown.harmful.empty());
  CHECK_THAT(grown.text(), Catch::Contains("more"));
}

TEST_CASE("fabric differences with equal texts have different identities") {
  const Fabric before = two_pairs("A", {});
  const std::set<unsigned> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
      others{1, 2, 3, 4, 5, 6, 7, 8, 9, 11};
  const FabricDifference one = difference_of(before, two_pairs("A", ten));
  const FabricDifference other = difference_of(before, two_pairs("A", others));
  CHECK(one.text() == other.text());
  CHECK_FALSE(one.identity == other.identity);
  CHECK(difference_of(before, two_pairs("A", ten)).identity == one.identity);
  CHECK(difference_of(before, before).identity == DigestValue{});
  CHECK_FALSE(one.identity == DigestValue{});
  // All switches have the same name, as unmanaged switches do.
  const FabricDifference first = difference_of(before, two_pairs("A", {3}));
  const FabricDifference second = difference_of(before, two_pairs("A", {23}));
  CHECK(first.harmful == second.harmful);
  CHECK_FALSE(first.identity == second.identity);
}

TEST_CASE("options of opensm are parsed as getopt parses them") {
  OpensmProcess process;
  process.directory = "/run/opensm";
  process.arguments = {"opensm", "-Rfile,updn", "--lfts_file=a.lft", "-F",        "x.conf",
                       "-F",     "y.conf",      "--log_file",        "/var/log/x"};
  CHECK(process.option('R', "routing_engine") == "file,updn");
  CHECK(process.option('U', "lfts_file") == "a.lft");
  CHECK(process.option('F', "config") == "y.conf");
  CHECK(process.option('f', "log_file") == "/var/log/x");
  CHECK(process.option('a', "root_guid_file").empty());
  CHECK(process.path("a.lft") == "/run/opensm/a.lft");
  CHECK(process.path("/a.lft") == "/a.lft");
}

TEST_CASE("command line options of opensm override opensm.conf, and a repeated key is refused") {
  const Scratch scratch;
  const std::string file = (scratch / "opensm.conf").string();
  write(file,
        "# routing_engine lash\n\nrouting_engine\tfile,updn\nlfts_file (null)\n"
        "  force_log_flush TRUE\nm_key 0x0\nm_key 0x0\n");
  const OpensmSettings alone = settings_of(nullptr, file);
  CHECK(alone.routing_engine == "file,updn");
  CHECK(alone.lfts_file.empty());
  CHECK(alone.flushes_log);
  OpensmProcess process;
  process.id = ::getpid();
  process.start = start_of_process(process.id);
  process.directory = scratch.folder();
  process.arguments = {"opensm", "-F", "opensm.conf", "-R", "minhop", "-U", "t.lft"};
  using Clock = std::filesystem::file_time_type::clock;
  std::filesystem::last_write_time(file, Clock::now() + std::chrono::hours(1));
  const OpensmSettings started = settings_of(&process, "");
  CHECK(started.configuration == file);
  CHECK(started.routing_engine == "minhop");
  CHECK(started.engine_by_option);
  CHECK(started.lfts_file == (scratch / "t.lft").string());
  CHECK(started.is_younger);
  std::filesystem::last_write_time(file, Clock::now() - std::chrono::hours(24 * 365));
  CHECK_FALSE(settings_of(&process, "").is_younger);
  write(file, "routing_engine ftree\n", std::ios::app);
  CHECK_THAT(error_of(ErrorKind::unreadable_input, [&] { settings_of(nullptr, file); }),
             Catch::Contains("opensm.conf:8: routing_engine is set in line 3 already"));
}

TEST_CASE("a process is identified by its start time") {
  const std::string own = start_of_process(::getpid());
  CHECK_FALSE(own.empty());
  CHECK(own.find_first_not_of("0123456789") == std::string::npos);
  CHECK(start_of_process(::getpid()) == own);
  CHECK(start_of_process(0x7ffffff0).empty());
  ManagerOptions options;
  options.process = static_cast<unsigned>(::getpid());
  CHECK_THAT(error_of(ErrorKind::fabric_access, [&] { find_opensm(options); }),
             Catch::Contains("and not opensm, and gets no signal"));
}

TEST_CASE("opensm is found in the systemd units of upstream, Debian and MLNX_OFED") {
  const Scratch scratch;
  // Adds a process with its files in /proc; `program` is the target of the link exe.
  const auto add = [&](int id, const std::string& name, const std::string& program,
                       const std::string& cgroup) {
    const std::filesystem::path folder = scratch / "proc" / std::to_string(id);
    std::filesystem::create_directories(folder);
    write(folder / "comm", name + "\n");
    write(folder / "cgroup", cgroup);
    std::filesystem::create_symlink(program, folder / "exe");
  };
  const auto found = [&](const std::string& unit = "") {
    std::string text;
    for (const OpensmOfUnit& each : find_opensm_of_unit(unit, scratch / "proc")) {
      text += fmt::format("{} {}\n", each.id, each.unit);
    }
    return text;
  };
  CHECK(found().empty());
  const std::string opensm = "/usr/sbin/opensm";
  add(101, "opensm", opensm, "0::/user.slice/user-0.slice/session-3.scope\n");
  add(102, "opensm", opensm,
      "0::/user.slice/user-0.slice/user@0.service/app.slice/opensm.service\n");
  add(103, "opensm", opensm, "0::/machine.slice/libpod-1.scope/system.slice/opensm.service\n");
  add(104, "opensm", opensm, "0::/kubepods/pod1/2/system.slice/opensm.service\n");
  add(105, "opensm", "/bin/dash", "0::/system.slice/opensm.service\n");
  add(106, "sleep", opensm, "0::/system.slice/opensm.service\n");
  add(107, "opensm", opensm, "0::/system.slice/ufm.service\n");
  add(108, "opensm", opensm, "0::/system.slice/opensm.service.d\n");
  add(109, "opensm", opensm, "4:memory:/system.slice/opensm.service\n1:name=systemd:/\n0::/\n");
  CHECK(found().empty());
  CHECK(found("ufm.service") == "107 ufm.service\n");
  add(7, "opensm", opensm + " (deleted)", "0::/system.slice/opensm.service\n");
  CHECK(found() == "7 opensm.service\n");
  const std::string of_port = "opensm@0x0002c9030002fb05.service";
  add(200, "opensm", opensm, "0::/system.slice/system-opensm.slice/" + of_port + "\n");
  add(201, "opensm", opensm,
      "4:memory:/\n1:name=systemd:/system.slice/opensmd.service/inner\n0::/\n");
  CHECK(found() == "7 opensm.service\n200 " + of_port + "\n201 opensmd.service\n");
  CHECK(found(of_port) == "200 " + of_port + "\n");
  CHECK(found("opensmd") == "201 opensmd.service\n");
  CHECK(found("opensm@0x1.service").empty());
}

TEST_CASE("the log file of opensm has the name of upstream or of Debian") {
  const Scratch scratch;
  const auto name = [&] { return usual_log(scratch.folder()).filename().string(); };
  CHECK(name() == "opensm.log");
  write(scratch / "opensm.0x1.log.1", "");
  write(scratch / "opensm.0x1.log.2.gz", "");
  CHECK(name() == "opensm.log");
  write(scratch / "opensm.0x1.log", "");
  CHECK(name() == "opensm.0x1.log");
  write(scratch / "opensm.0x2.log", "");
  CHECK(name() == "opensm.log");
  std::filesystem::remove(scratch / "opensm.0x2.log");
  write(scratch / "opensm.log", "");
  CHECK(name() == "opensm.log");
}

TEST_CASE("durations are parsed with their units") {
  CHECK(parse_duration_ms("90", "--x") == 90'000);
  CHECK(parse_duration_ms("20s", "--x") == 20'000);
  CHECK(parse_duration_ms("1.5m", "--x") == 90'000);
  CHECK(parse_duration_ms("2h", "--x") == 7'200'000);
  for (const char* const wrong :
       {"", "s", "0", "0.5s", "-3", "10 minutes", "nan", "inf", "8d", "170h"}) {
    error_of(ErrorKind::usage, [&] { static_cast<void>(parse_duration_ms(wrong, "--x")); });
  }
}

TEST_CASE("a pending change is stored with all data that its timer needs") {
  const Scratch scratch;
  const std::filesystem::path folder = scratch / "state";
  error_of(ErrorKind::usage, [&] { StateFolder(folder, StateFolder::IfMissing::fail); });
  const StateFolder state(folder, StateFolder::IfMissing::make);
  CHECK_FALSE(state.pending());
  Pending pending;
  pending.id = "000001_x";
  pending.previous = "000001_x.lft";
  pending.digest = "ab";
  pending.deadline = BootTime::now();
  pending.deadline.ns += 1'000'000'000'000;
  pending.deadline_ms = 17;
  pending.timer = "process 3 4";
  pending.manager.reload = "ufm  --reload 'a b'\nrm -rf";
  pending.manager.command_line = command_line_digest({"opensm", "-F", "a b\n"});
  pending.manager.process = 12;
  pending.manager.start = "345";
  pending.adapters = {"mlx5_0", 2, "smi1", "mlx5_1"};
  state.write(pending);
  const std::optional<Pending> read = state.pending();
  REQUIRE(read);
  CHECK(read->previous == pending.previous);
  CHECK(read->deadline.ns == pending.deadline.ns);
  CHECK(read->manager.reload.empty());
  CHECK(read->manager.by_command);
  std::ifstream file(folder / "pending");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK_THAT(text, !Catch::Contains("ufm"));
  CHECK(read->manager.start == "345");
  CHECK(read->manager.command_line == pending.manager.command_line);
  CHECK(read->phase == ChangePhase::unconfirmed);
  CHECK(read->adapters.adapter == "mlx5_0");
  CHECK(read->adapters.port == 2);
  CHECK(read->adapters.subnet_device == "smi1");
  CHECK(read->adapters.general_device == "mlx5_1");
  CHECK(read->timer == "process 3 4");
  CHECK_FALSE(read->is_over());
  pending.deadline.boot = "another boot";
  CHECK(pending.is_over());
  write(folder / "pending", "deploy_tables: unconfirmed change, version 1\nid 3\n");
  error_of(ErrorKind::unreadable_input, [&] { static_cast<void>(state.pending()); });
  state.remove_pending();
  state.remove_pending();
  CHECK_FALSE(state.pending());
}

TEST_CASE("a command in a state file of an earlier version is ignored") {
  const Scratch scratch;
  const StateFolder state(scratch / "state", StateFolder::IfMissing::make);
  write(state.folder() / "pending",
        "deploy_tables: unconfirmed change, version 1\nid 1_x\nreload touch x\nend\n");
  const std::optional<Pending> pending = state.pending();
  REQUIRE(pending);
  CHECK(pending->manager.reload.empty());
  CHECK(pending->phase == ChangePhase::unconfirmed);
}

TEST_CASE("each phase of a change is stored, and a begun rollback is recognized without a record") {
  const Scratch scratch;
  const StateFolder state(scratch / "state", StateFolder::IfMissing::make);
  write(state.active(), "new tables");
  Pending pending;
  pending.id = "000001_x";
  pending.previous = "000001_x.lft";
  pending.digest = StateFolder::digest_of_file(state.active());
  write(state.in_history(pending.previous), "old tables");
  for (const ChangePhase phase :
       {ChangePhase::applying, ChangePhase::unconfirmed, ChangePhase::going_back,
        ChangePhase::handing_over, ChangePhase::falling_back}) {
    pending.phase = phase;
    state.write(pending);
    CHECK(state.pending().value().phase == phase);
    CHECK(state.is_going_back(pending) == (phase == ChangePhase::going_back));
  }
  // With a full disk, the phase cannot be recorded.
  StateFolder::rename(state.in_history(pending.previous), state.active());
  for (const ChangePhase phase : {ChangePhase::applying, ChangePhase::unconfirmed}) {
    pending.phase = phase;
    CHECK(state.is_going_back(pending));
  }
  write(state.in_history(pending.previous), "old tables");
  pending.phase = ChangePhase::applying;
  CHECK_FALSE(state.is_going_back(pending));
}

TEST_CASE("files of deploy_tables are read correctly whatever the node descriptions contain") {
  const std::vector<std::string> names{"Unicast lids [",
                                       "Unicast lids [0x0-0x18] of switch",
                                       "24 valid lids dumped",
                                       "24 lids dumped",
                                       "Multicast mlids [",
                                       "Switch 36 \"S-",
                                       "Switch\t36 \"S-0002\"",
                                       "digraph x {",
                                       "/* LID: ",
                                       "submodules:",
                                       "NodeGUID:",
                                       "dump_ucast_routes: Switch 0x1",
                                       ": Optimal",
                                       "# Topology file",
                                       "==(",
                                       "portguid 0x0000000000000001: 'x'",
                                       " guid 0x1 ('",
                                       "0x0001 001",
                                       "'):",
                                       "\"[1](1) # \"",
                                       "lid 7 lmc 3",
                                       "",
                                       "\n0x0001 009\n",
                                       "#"};
  std::mt19937_64 random(11);
  const Scratch scratch;
  const StateFolder state(scratch / "state", StateFolder::IfMissing::make);
  for (int round = 0; round < 40; ++round) {
    const auto name = [&] {
      std::string text = names[random() % names.size()];
      if (random() % 4 == 0) text += names[random() % names.size()];
      return text;
    };
    FabricBuilder builder;
    std::vector<NodeId> nodes;
    for (Guid guid = 1; guid <= 3; ++guid) {
      nodes.push_back(builder.add_switch(guid, 8, "", name()));
    }
    for (unsigned s = 0; s < 3; ++s) {
      builder.connect(nodes[s], 1, nodes[(s + 1) % 3], 2, {});
      for (unsigned h = 0; h < 2; ++h) {
        const NodeId host =
            builder.add_adapter(100 + 10 * s + h, 1, EndPortKind::channel_adapter, "", name());
        builder.connect(host, 1, nodes[s], static_cast<PortNumber>(3 + h), {});
      }
    }
    builder.assign_lids();
    const Fabric fabric = std::move(builder).build();
    const ForwardingTables tables = routed(fabric);
    write(state.active(), to_lft_dump(fabric, tables));
    state.note_topology("x", fabric);
    CHECK(handed_over(read_own_tables(state.active()), fabric) == tables);
    const FabricDifference difference =
        difference_of(read_own_fabric(state.topology_of("x")), fabric);
    INFO(difference.text());
    CHECK(difference.none());
  }
}

TEST_CASE("history files are in the order of their creation even if the clock is set back") {
  const Scratch scratch;
  const StateFolder state(scratch / "state", StateFolder::IfMissing::make);
  CHECK_THAT(state.next_history_name(), Catch::StartsWith("000001_"));
  write(state.in_history("000009_29991231T000000Z.lft"), "x");
  write(state.in_history("note.txt"), "x");
  const std::string next = state.next_history_name();
  CHECK_THAT(next, Catch::StartsWith("000010_"));
  write(state.in_history(next), "x");
  CHECK(state.history().back() == next);
  write(state.folder() / "active.lft.3-0.tmp", "x");
  state.remove_leftovers();
  CHECK_FALSE(std::filesystem::exists(state.folder() / "active.lft.3-0.tmp"));
  CHECK(state.history().size() == 2);
}

TEST_CASE("the newest previous tables are kept with the fabrics that they were made for") {
  const Scratch scratch;
  const StateFolder state(scratch / "state", StateFolder::IfMissing::make);
  const auto write_with_fabric = [&](const std::filesystem::path& file, const std::string& text) {
    write(file, text);
    write(state.topology_of(StateFolder::digest_of_file(file)), "fabric of " + text);
  };
  write_with_fabric(state.active(), "active");
  for (std::size_t i = 1; i <= kept_changes + 5; ++i) {
    write_with_fabric(state.in_history(fmt::format("{:06}_x.lft", i)), fmt::format("{}", i));
  }
  state.remove_old();
  const std::vector<std::string> left = state.history();
  REQUIRE(left.size() == kept_changes);
  CHECK(left.front() == "000006_x.lft");
  CHECK(left.back() == fmt::format("{:06}_x.lft", kept_changes + 5));
  const auto has_fabric = [&](const std::filesystem::path& file) {
    return std::filesystem::exists(state.topology_of(StateFolder::digest_of_file(file)));
  };
  CHECK(has_fabric(state.active()));
  for (const std::string& each : left) CHECK(has_fabric(state.in_history(each)));
  const std::filesystem::directory_iterator fabrics(state.folder() / "topology");
  CHECK(std::distance(begin(fabrics), end(fabrics)) == std::ptrdiff_t{kept_changes} + 1);
  // Tables that guard has set aside may be restored, so their fabric is kept.
  StateFolder::rename(state.active(), state.aside());
  state.remove_old();
  CHECK(has_fabric(state.aside()));
}

TEST_CASE("only one process at a time can hold the state lock") {
  const Scratch scratch;
  const StateFolder state(scratch / "state", StateFolder::IfMissing::make);
  const StateLock lock(state, std::chrono::seconds(0));
  CHECK_THAT(error_of(ErrorKind::output, [&] { StateLock(state, std::chrono::seconds(0)); }),
             Catch::Contains("process " + std::to_string(::getpid()) +
                             " is changing the deployed tables"));
}

TEST_CASE("a log is read from its end in whole lines, and from its start after truncation") {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "opensm.log";
  write(file, "old\n");
  LogTail log(file);
  log.read_more();
  CHECK(log.text().empty());
  write(file, "one\ntw", std::ios::app);
  log.read_more();
  CHECK(log.text() == "one\n");
  write(file, "o\n", std::ios::app);
  log.read_more();
  CHECK(log.text() == "one\ntwo\n");
  log.forget();
  write(file, "new\n");
  log.read_more();
  CHECK(log.text() == "new\n");
  LogTail missing(scratch / "nothing");
  missing.read_more();
  CHECK(missing.text().empty());
}
