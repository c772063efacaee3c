#pragma once

// The part of the daemon that talks to the fabric, with a thread of its own: sweeps, discovery, the
// manager, tables. What it finds it hands to a sink and forgets.

#include <cstdint>
#include <memory>

#include "monitor/counters/event.h"
#include "monitor/counters/manager_status.h"
#include "monitor/counters/snapshot.h"
#include "monitor/discovery/live_tables.h"
#include "monitor/live/fabric_options.h"

namespace pssp {

/// Called by the fabric thread, one call at a time. A call that takes long makes sweeps late: hand
/// over, and return. An exception of a sink ends the thread as stop() does, and comes out of
/// stop().
class FabricSink {
 public:
  virtual ~FabricSink() = default;
  virtual void take_snapshot(SnapshotPointer snapshot) = 0;
  virtual void take_event(const MonitorEvent& event) = 0;
  virtual void take_manager(const ManagerStatus& status) = 0;
  virtual void take_tables(LiveTablesPointer tables) = 0;
};

/// Sweeps until it is stopped, in a thread of its own that owns the port and calls the sink.
class FabricThread {
 public:
  /// Discovers the fabric once, and tells the sink what it found, so that what cannot work at all
  /// fails here: throws
  /// Error(fabric_access), Error(unreadable_input) for a topology file. The sink must outlive it.
  FabricThread(const FabricOptions& options, FabricSink& sink);
  FabricThread(const FabricThread&) = delete;
  FabricThread& operator=(const FabricThread&) = delete;
  /// As stop(), without its exception.
  ~FabricThread();

  /// Reads the topology again as soon as possible. From any thread.
  void discover_soon();
  /// From the next turn on: the limits of the exchange, and all intervals. What else is different
  /// stays. From any thread.
  void change(const FabricOptions& options);
  /// Ends within a time-out of a MAD. The sink is not called any more once it has returned. Throws
  /// what ended the thread before. A second call does nothing.
  void stop();
  /// False when the thread has ended by itself; stop() says why.
  bool runs() const noexcept;

 private:
  class Due;
  struct Session;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
