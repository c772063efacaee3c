#include "tools/simulation/source_options.h"

#include <fmt/format.h>

#include "base/error.h"
#include "simulator/values.h"
#include "tools/kit/fabric_options.h"
#include "tools/simulation/understood.h"

namespace pssp {
namespace {

void require_one_traffic(const SourceOptions& options) {
  const int given = (options.scenario.empty() ? 0 : 1) + (options.traffic.empty() ? 0 : 1) +
                    (options.pattern.empty() ? 0 : 1) + (options.bisect ? 1 : 0) +
                    (options.uniform ? 1 : 0) + (options.incast ? 1 : 0);
  if (given != 1) {
    throw Error(ErrorKind::usage,
                fmt::format("{}; expected exactly one of --scenario, --traffic, --ptrn, --bisect, "
                            "--uniform, --incast",
                            given == 0 ? "no traffic is specified"
                                       : "more than one kind of traffic is specified"));
  }
  if (options.scenario.empty() == options.files.empty()) {
    throw Error(ErrorKind::usage,
                options.files.empty()
                    ? "expected forwarding tables and a topology, or --scenario NAME"
                    : "--scenario comes with its fabric and tables; expected no files");
  }
}

}  // namespace

void add_traffic_options(CommandLine& line, SourceOptions& options, SourceTexts& texts,
                         bool several) {
  add_tables_and_topology(line, options.files);
  line.heading("Traffic");
  line.option("--scenario", options.scenario,
              "Built-in experiment with its fabric, tables and traffic: thesis-a, -b1, -b2, -c1 to "
              "-c4, -d")
      .type_name("NAME");
  if (several) {
    line.option("--traffic", options.traffic,
                "Traffic file; repeatable (all files enter the objective)")
        .one_at_a_time()
        .reads();
  } else {
    line.option("--traffic", texts.traffic, "Traffic file").reads();
  }
  line.option("-p,--ptrn", options.pattern, "Pattern, from the list of pssp eval --list")
      .type_name("PATTERN")
      .mentions();
  line.flag("--bisect", options.bisect,
            "Random bisection: one half of the hosts sends to the other half");
  line.flag("--uniform", options.uniform, "Every host sends messages to random hosts");
  line.option("--incast", options.incast, "Send from N random hosts to one host")
      .range(1, 1'000'000)
      .type_name("N");
  line.option("--bytes", texts.bytes, "Message size of a pattern (default: 1MiB)")
      .type_name("SIZE");
  line.option("--time", texts.duration, "Simulated time (default: 10ms; patterns: until complete)")
      .type_name("T");
  line.option("--warmup", texts.warmup,
              "Initial time left out of the means (default: 20 % of the time; 0 if all traffic is "
              "finite)")
      .type_name("T");
  line.option("--sample", texts.sample, "Length of a sample (default: time / 100)").type_name("T");
  line.option("--packet", texts.packet, "Size of a full packet (default: 2176B)").type_name("SIZE");
}

void add_run_options(CommandLine& line, SourceOptions& options, SourceTexts& texts) {
  line.heading("Model");
  add_model_options(line, options, texts);
  line.option("--max-memory", texts.most_bytes,
              "Memory limit of a run, which ends when it is reached (default: 4GiB)")
      .type_name("SIZE");
  line.option("--max-events", options.most_events,
              "Event limit of a run, which ends when it is reached (0: no limit)")
      .type_name("N");
}

void take_source_texts(const SourceTexts& texts, SourceOptions& options) {
  if (!texts.traffic.empty()) options.traffic.push_back(texts.traffic);
  take_model_texts(texts, options);
  const auto time = [](const std::string& text) { return read_time(text); };
  const auto size = [](const std::string& text) { return read_size(text); };
  if (!texts.duration.empty()) {
    options.times.duration = understood("--time", texts.duration, time);
    if (*options.times.duration == 0)
      throw Error(ErrorKind::usage, "--time: expected a time above 0");
  }
  if (!texts.warmup.empty()) options.times.warmup = understood("--warmup", texts.warmup, time);
  if (!texts.sample.empty()) {
    options.times.sample = understood("--sample", texts.sample, time);
    if (*options.times.sample == 0)
      throw Error(ErrorKind::usage, "--sample: expected a time above 0");
  }
  if (!texts.bytes.empty()) options.bytes = understood("--bytes", texts.bytes, size);
  if (!texts.most_bytes.empty()) {
    options.most_bytes = understood("--max-memory", texts.most_bytes, size);
  }
  if (!texts.packet.empty()) {
    const std::uint64_t bytes = understood("--packet", texts.packet, size);
    if (bytes < least_packet_bytes || bytes > most_packet_bytes) {
      throw Error(ErrorKind::usage, fmt::format("--packet: {} bytes; expected {} .. {}", bytes,
                                                least_packet_bytes, most_packet_bytes));
    }
    options.packet_bytes = static_cast<std::uint32_t>(bytes);
  }
  require_one_traffic(options);
}

}  // namespace pssp
