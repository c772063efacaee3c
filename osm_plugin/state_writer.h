#pragma once

// Writes the state of an engine in a thread, so that OpenSM does not wait for the disk.

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace pssp {

class StateWriter {
 public:
  /// The thread calls `report` with the reason when writing fails after it succeeded before.
  StateWriter(std::filesystem::path path, std::function<void(const std::string&)> report);
  /// Waits until the last state is written.
  ~StateWriter() = default;
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  /// Compresses and writes the content (state_content()) in the thread. Replaces content that the
  /// thread has not begun to write.
  void write(std::string content);

 private:
  void run() noexcept;
  std::optional<std::string> next();
  void write_file(const std::string& content);

  std::filesystem::path path_;
  std::function<void(const std::string&)> report_;
  bool has_failed_ = false;  // of the thread

  std::mutex mutex_;  // protects the next two members
  std::optional<std::string> waiting_;
  bool is_running_ = false;
  std::jthread thread_;
};

}  // namespace pssp
