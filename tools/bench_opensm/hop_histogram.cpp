#include "tools/bench_opensm/hop_histogram.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace pssp {

std::vector<HopRecord> hop_histogram(std::string_view report) {
  const nlohmann::json json = nlohmann::json::parse(report, nullptr, false);
  if (json.is_discarded()) throw Error(ErrorKind::internal, "pssp eval wrote no report");
  std::vector<HopRecord> records;
  unsigned hops = 0;
  for (const nlohmann::json& pairs : json.at("hops").at("histogram")) {
    HopRecord record;
    record.hops = hops++;
    record.pairs = pairs.get<std::uint64_t>();
    records.push_back(record);
  }
  return records;
}

}  // namespace pssp
