// A database without a fabric, for tests that call programs: write_history FILE SWEEPS [MS].
//
// Writes so many sweeps of a synthetic fabric, ten seconds apart from 2023-11-14 22:13:21 on, and
// sums over what is complete. With MS it waits so long between two, says the number of each sweep
// that is written, and goes on for ever where SWEEPS is 0.

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "monitor/store/history_writer.h"
#include "tests/monitor/synthetic_fabric.h"

int main(int argc, char** argv) {
  using namespace pssp;
  if (argc < 3) return 2;
  const int sweeps = std::stoi(argv[2]);
  const int pause_ms = argc > 3 ? std::stoi(argv[3]) : 0;
  try {
    HistoryOptions options;
    options.file = argv[1];
    HistoryWriter writer(options);
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
