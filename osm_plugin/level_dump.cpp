// An outdated dump could be taken for the levels of other tables, so it is removed as soon as it no
// longer applies. A file is recognized as a dump only by the first line, which
// write_service_levels() has written, and never by its name.

#include "osm_plugin/level_dump.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/guarded_files.h"
#include "fabric/formats/service_level_file.h"

namespace pssp {

std::vector<LogMessage> LevelDump::write(const Fabric& fabric, const ServiceLevels& levels) {
  if (!wanted()) return {};
  try {
    write_marked_file(path_, {service_level_mark},
                      [&](const ContentSink& sink) { write_service_levels(fabric, levels, sink); });
    warned_untrusted_ = false;
    return {};
  } catch (const Error& error) {
    std::vector<LogMessage> messages{
        {LogCode::output_file,
         fmt::format("service_level_dump is not written: {}; traffic is not affected",
                     error.what())}};
    for (LogMessage& each : remove("the service levels have changed")) {
      if (!each.is_error()) messages.push_back(std::move(each));
    }
    return messages;
  }
}

std::vector<LogMessage> LevelDump::remove(const std::string& why) {
  if (!wanted()) return {};
  const Removal removal = remove_marked_file(path_, {service_level_mark});
  if (removal.removed) {
    return {
        {LogDetail{}, fmt::format("service_level_dump {} was removed: {}", path_.string(), why)}};
  }
  if (removal.kept.empty() || warned_untrusted_) return {};
  warned_untrusted_ = true;
  return {{LogCode::output_file,
           fmt::format("service_level_dump {} is out of date ({}) and is not removed: {}; traffic "
                       "is not affected",
                       path_.string(), why, removal.kept)}};
}

}  // namespace pssp
