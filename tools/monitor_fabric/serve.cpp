
#include <string>

#include "base/file_io.h"
#include "monitor/configuration/configuration.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/daemon.h"

namespace pssp {
namespace {

class ServeCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "serve"; }
  std::string summary() const override {
    return "Runs the daemon: sweeps, stores the history, serves web pages and Prometheus metrics";
  }

  void add_options(CommandLine& line) override {
    line.option("--config", config_, "Configuration file; the options below override it").reads();
    line.flag("--check-config", check_,
              "Print the resulting configuration with comments, and exit");
    line.option("--listen", listen_,
                "Address and port of the web interface, or unix:PATH (127.0.0.1:9684)")
        .type_name("ADDRESS");
    line.option("--token-file", token_file_, "File with the token that clients must send").reads();
    line.option("-d,--database", database_,
                "Database of the history; without it only the last 60 sweeps are kept")
        .type_name("FILE");
    line.option("--interval", interval_s_, "Seconds between sweeps (10)")
        .range(1, 3600)
        .type_name("S");
    line.option("--topology", topology_,
                "Output of ibnetdiscover to use instead of discovering the fabric")
        .reads();
    line.option("-C,--Ca", adapter_, "Adapter (default: the first with an active port)")
        .type_name("NAME");
    line.option("-P,--Port", port_, "Port of the adapter (default: the first active one)")
        .range(1, 254)
        .type_name("N");
  }

  int run(const CommandLine&) override {
    const MonitorConfiguration used = configuration();
    if (check_) {
      write_file("-", configuration_text(without_secrets(used)));
      return 0;
    }
    return run_daemon(used, [this] { return configuration(); });
  }

 private:
  MonitorConfiguration configuration() const {
    MonitorConfiguration used;
    if (!config_.empty()) used = read_monitor_configuration(config_);
    const auto take = [](const std::string& given, std::string& setting) {
      if (!given.empty()) setting = given;
    };
    take(listen_, used.server.listen);
    take(token_file_, used.server.token_file);
    take(database_, used.store.database);
    take(topology_, used.fabric.topology);
    take(adapter_, used.fabric.adapter);
    if (interval_s_) used.sweep.interval_s = *interval_s_;
    if (port_) used.fabric.port = *port_;
    return used;
  }

  std::string config_, listen_, token_file_, database_, topology_, adapter_;
  std::optional<unsigned> interval_s_, port_;
  bool check_ = false;
};

}  // namespace

MonitorCommandPointer make_serve_command() { return std::make_unique<ServeCommand>(); }

}  // namespace pssp
