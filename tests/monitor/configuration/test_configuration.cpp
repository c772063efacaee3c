#include <catch2/catch.hpp>

#include "base/error.h"
#include "monitor/configuration/configuration.h"

namespace pssp {
namespace {

using Catch::Contains;

MonitorConfiguration parse(std::string_view text) {
  return parse_monitor_configuration(text, "monitor.conf");
}

void require_refused(std::string_view text, const std::string& where, const std::string& words) {
  try {
    parse(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    CHECK_THAT(error.what(), Contains("monitor.conf:" + where + ":") && Contains(words));
    return;
  }
  FAIL("accepted: " << text);
}

TEST_CASE("a configuration changes only the settings that it names") {
  const MonitorConfiguration read = parse(
      "\xef\xbb\xbf# of the fabric\r\n[fabric]\nadapter = mlx5_0 # the fast one\nhosts=off\n\n"
      "[ store ]\n  database = /var/lib/x y.db\nfsync = full\n[fabric]\nport = 2\n");
  CHECK(read.fabric.adapter == "mlx5_0");
  CHECK_FALSE(read.fabric.hosts);
  CHECK(read.fabric.port == 2);
  CHECK(read.fabric.window == 128);
  CHECK(read.store.database == "/var/lib/x y.db");
  CHECK(read.store.fsync == DiskSync::full);
  CHECK(read.server.listen == "127.0.0.1:9684");
  CHECK(changes(parse(""), MonitorConfiguration{}).empty());
}

TEST_CASE("an invalid configuration is refused with the line number") {
  require_refused("[fabric]\nwindow = 257\n", "2", "a number from 1 to 256");
  require_refused("[fabric]\nwindow = 1e3\n", "2", "a number from");
  require_refused("[fabric]\nwindow = -1\n", "2", "a number from");
  require_refused("[fabric]\nhosts = maybe\n", "2", "on or off");
  require_refused("[fabric]\nwindwo = 1\n", "2", "known settings: adapter, port, window");
  require_refused("[fabric]\nport = 1\n# again\nport = 1\n", "4", "already set in line 2");
  require_refused("[web]\n", "1", "[fabric], [sweep], [store], [server]");
  require_refused("[verdicts]\ncapacity_every_s = 599\n", "2", "from 600 to 86400");
  require_refused("[verdicts]\ncapacity_bad_percent = 101\n", "2", "from 0 to 100");
  require_refused("[jobs]\nsource = pbs\n", "2", "none, slurm or file");
  require_refused("[jobs]\npoll_s = 0\n", "2", "from 1 to 86400");
  require_refused("[fabric\n", "1", "has no ']'");
  require_refused("window = 1\n", "1", "not in a section");
  require_refused("[fabric]\nwindow\n", "2", "name = value");
  require_refused("[fabric]\nadapter =\n", "2", "name = value");
  require_refused("[fabric]\nadapter = # none\n", "2", "name = value");
  require_refused("[fabric]\n\x1b]0;x = 3\n", "2", "name = value");
  CHECK_THROWS_AS(read_monitor_configuration("/nonexistent"), Error);
}

TEST_CASE("a printed configuration is parsed as the same configuration") {
  MonitorConfiguration configuration;
  configuration.fabric.adapter = "mlx5_1";
  configuration.sweep.interval_s = 30;
  configuration.store.database = "/var/lib/monitor_fabric/history.db";
  configuration.store.fsync = DiskSync::full;
  configuration.verdicts.downs_bad = 7;
  configuration.verdicts.ignore_file = "/etc/maintenance";
  const std::string text = configuration_text(configuration);
  CHECK(changes(parse(text), configuration).empty());
  CHECK(configuration_text(parse(text)) == text);
}

TEST_CASE("changes state which settings take effect without a restart") {
  MonitorConfiguration after;
  after.sweep.interval_s = 60;
  after.server.listen = "127.0.0.1:80";
  const auto all = changes({}, after);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "sweep.interval_s");
  CHECK(all[0].while_running);
  CHECK(all[1].name == "server.listen");
  CHECK_FALSE(all[1].while_running);
  CHECK(all[1].after == "127.0.0.1:80");
}

TEST_CASE("the URL of a webhook is not printed") {
  MonitorConfiguration before, after;
  before.notifications.webhook = "https://chat.example.org/old-secret";
  after.notifications.webhook = "https://chat.example.org/new-secret";
  const auto all = changes(before, after);
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "notifications.webhook");
  CHECK(all[0].before == "(hidden)");
  CHECK(all[0].after == "(hidden)");
  CHECK(changes({}, after).front().before.empty());
  const std::string text = configuration_text(without_secrets(after));
  CHECK_THAT(text, Contains("\nwebhook = (hidden)") && !Contains("secret"));
  CHECK(configuration_text(without_secrets({})) == configuration_text({}));
  for (const std::string line :
       {"webhook https://chat.example.org/secret", "webhook https://chat.example.org/secret?team=7",
        "webhook:https://chat.example.org/secret"}) {
    try {
      parse("[notifications]\n" + line + "\n");
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK_THAT(error.what(), Contains("'webhook': expected") && !Contains("secret"));
    }
  }
}

TEST_CASE("only settings that take effect without a restart are adopted") {
  MonitorConfiguration read;
  read.sweep.interval_s = 60;
  read.sweep.verify_nodes = 7;
  read.fabric.window = 12;
  read.fabric.adapter = "mlx5_9";
  read.store.raw_hours = 9;
  read.store.database = "/elsewhere";
  read.server.listen = "unix:/run/http";
  read.verdicts.downs_bad = 9;
  read.verdicts.short_window_s = 60;
  const MonitorConfiguration used = taken_over({}, read);
  CHECK(used.sweep.interval_s == 60);
  CHECK(used.sweep.verify_nodes == 7);
  CHECK(used.fabric.window == 12);
  CHECK(used.fabric.adapter.empty());
  CHECK(used.store.raw_hours == 9);
  CHECK(used.store.database.empty());
  CHECK(used.server.listen == "127.0.0.1:9684");
  CHECK(used.verdicts.downs_bad == 9);
  CHECK(used.verdicts.short_window_s == 3600);
  // The other settings need a restart and still count as changes.
  for (const ConfigurationChange& each : changes(used, read)) CHECK_FALSE(each.while_running);
  CHECK(changes(used, read).size() == 4);
}

}  // namespace
}  // namespace pssp
