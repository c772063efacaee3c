#include "osm_plugin/state_writer.h"

#include <exception>
#include <utility>

#include "base/exception_text.h"
#include "base/guarded_files.h"
#include "osm_plugin/packed_state.h"
#include "osm_plugin/plugin_thread.h"

namespace pssp {

StateWriter::StateWriter(std::filesystem::path path, std::function<void(const std::string&)> report)
    : path_(std::move(path)), report_(std::move(report)) {}

void StateWriter::write(std::string content) {
  {
    const std::scoped_lock lock(mutex_);
    waiting_ = std::move(content);
    if (std::exchange(is_running_, true)) return;
  }
  try {
    thread_ = start_plugin_thread("pssp-state", [this](const std::stop_token&) { run(); });
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    is_running_ = false;
    throw;
  }
}

void StateWriter::run() noexcept {
  try {
    while (const std::optional<std::string> content = next()) write_file(*content);
  } catch (const std::exception&) {
    // Out of memory, so that nothing can be logged. The next state starts another thread.
    const std::scoped_lock lock(mutex_);
    is_running_ = false;
  }
}

std::optional<std::string> StateWriter::next() {
  const std::scoped_lock lock(mutex_);
  is_running_ = waiting_.has_value();
  return std::exchange(waiting_, std::nullopt);
}

void StateWriter::write_file(const std::string& content) {
  try {
    const std::string packed = packed_state(content);
    write_marked_file(path_, state_file_mark, [&](const ContentSink& sink) { sink(packed); });
    has_failed_ = false;
  } catch (const std::exception& error) {
    if (!std::exchange(has_failed_, true)) report_(text_of(error));
  }
}

}  // namespace pssp
