// A dump that stayed behind would pass for the levels of other tables, so it goes as soon as it is
// no longer true. That the option names a file proves nothing about whose it is; only the first
// line, which write_service_levels() has written, does.

#include "osm_plugin/level_dump.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/guarded_files.h"
#include "fabric/formats/service_level_file.h"

namespace pssp {

std::vector<DumpMessage> LevelDump::write(const Fabric& fabric, const ServiceLevels& levels) {
  if (!wanted()) return {};
  try {
    write_marked_file(path_, {service_level_mark},
                      [&](const ContentSink& sink) { write_service_levels(fabric, levels, sink); });
    said_foreign_ = false;
    return {};
  } catch (const Error& error) {
    std::vector<DumpMessage> messages{{true, fmt::format("service_level_dump: {}", error.what())}};
    for (DumpMessage& each : remove("the levels are others now")) {
      if (!each.is_error) messages.push_back(std::move(each));
    }
    return messages;
  }
}

std::vector<DumpMessage> LevelDump::remove(const std::string& why) {
  if (!wanted()) return {};
  const Removal removal = remove_marked_file(path_, {service_level_mark});
  if (removal.removed) {
    return {{false, fmt::format("{}: {} is no longer true and was removed", why, path_.string())}};
  }
  if (removal.kept.empty() || said_foreign_) return {};
  said_foreign_ = true;
  return {{true, fmt::format("{}: {} is not removed: {}", why, path_.string(), removal.kept)}};
}

}  // namespace pssp
