// Writes a database without a fabric, for tests that call programs:
//
//   write_history FILE SWEEPS [MS [GUID:PORT:WHAT]...]
//
// Writes SWEEPS sweeps of a synthetic fabric, ten seconds apart from 2023-11-14 22:13:21 on, and
// sums over complete periods. If SWEEPS is 0, it does not end. With MS, it prints the number of
// each written sweep and then waits MS milliseconds. Each GUID:PORT:WHAT is a bad verdict that
// exists from the beginning.

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "monitor/store/history_writer.h"
#include "tests/monitor/synthetic_fabric.h"

namespace {

pssp::VerdictRecord standing_verdict(const std::string& text) {
  const std::size_t port = text.find(':'), what = text.find(':', port + 1);
  pssp::VerdictRecord record;
  record.port = {std::stoull(text, nullptr, 16),
                 static_cast<pssp::PortNumber>(std::stoi(text.substr(port + 1)))};
  record.what = text.substr(what + 1);
  record.level = pssp::Level::bad;
  record.since_ms = 1;
  record.reason = "7 in 1 h, limit 3";
  return record;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace pssp;
  if (argc < 3) return 2;
  const int sweeps = std::stoi(argv[2]);
  const int pause_ms = argc > 3 ? std::stoi(argv[3]) : 0;
  try {
    HistoryOptions options;
    options.file = argv[1];
    HistoryWriter writer(options);
    for (int i = 4; i < argc; ++i) writer.write_verdicts(std::vector{standing_verdict(argv[i])});
    SyntheticFabric fabric("k-ary-n-tree 4 2 --rate 4xEDR");
    for (int i = 0; sweeps == 0 || i < sweeps; ++i) {
      writer.write(fabric.sweep());
      while (writer.maintain(std::chrono::milliseconds(100))) {
      }
      if (pause_ms == 0) continue;
      std::printf("%llu\n", static_cast<unsigned long long>(writer.last_sweep()));
      std::fflush(stdout);
      std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
