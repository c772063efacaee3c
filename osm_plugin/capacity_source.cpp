// If a monitor dies, its last file remains and becomes less accurate every hour; therefore files
// have a maximum age. The age comes from the modification time, because a date in the file would
// have to be trusted.

#include "osm_plugin/capacity_source.h"

#include <fmt/format.h>

#include <system_error>

#include "base/confidential_reader.h"
#include "base/error.h"

namespace pssp {

std::optional<CapacityFile> CapacitySource::read(std::string& said) const {
  if (path_.empty()) return std::nullopt;
  ConfidentialReader reader;
  try {
    CapacityFile file =
        read_capacities(path_, [&](const std::filesystem::path& path, std::size_t limit) {
          return reader.read(path, limit);
        });
    std::error_code failure;
    const auto written = std::filesystem::last_write_time(path_, failure);
    const auto age = std::filesystem::file_time_type::clock::now() - written;
    if (!failure && age <= max_age_) return file;
    said = nominal_capacities(fmt::format("{} is older than {} hours (capacity_max_age)",
                                          path_.string(), max_age_.count()));
  } catch (const Error& error) {
    said = nominal_capacities(reader.redacted(error).what());
  }
  return std::nullopt;
}

std::string nominal_capacities(std::string_view reason) {
  return fmt::format(
      "capacity_file is ignored: {}; all links count with their nominal capacity, and traffic is "
      "not interrupted; correct the file",
      reason);
}

}  // namespace pssp
