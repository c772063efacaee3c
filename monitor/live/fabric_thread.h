#pragma once

// The part of the daemon that communicates with the fabric, in a separate thread: sweeps,
// discovery, manager and tables. It passes all results to a sink.

#include <cstdint>
#include <memory>

#include "monitor/counters/event.h"
#include "monitor/counters/manager_status.h"
#include "monitor/counters/snapshot.h"
#include "monitor/discovery/live_tables.h"
#include "monitor/live/fabric_options.h"

namespace pssp {

/// Called by the fabric thread, one call at a time. A long call delays sweeps, so only store the
/// data and return. An exception of a sink ends the thread as stop() does, and stop() throws it.
class FabricSink {
 public:
  virtual ~FabricSink() = default;
  virtual void take_snapshot(SnapshotPointer snapshot) = 0;
  virtual void take_event(const MonitorEvent& event) = 0;
  virtual void take_manager(const ManagerStatus& status) = 0;
  virtual void take_tables(LiveTablesPointer tables) = 0;
};

/// Makes sweeps until it is stopped, in a separate thread that owns the port and calls the sink.
class FabricThread {
 public:
  /// Discovers the fabric once and passes the result to the sink, so that permanent errors occur
  /// here. Throws Error(fabric_access), and Error(unreadable_input) for a topology file. The sink
  /// must outlive the object.
  FabricThread(const FabricOptions& options, FabricSink& sink);
  FabricThread(const FabricThread&) = delete;
  FabricThread& operator=(const FabricThread&) = delete;
  /// Like stop(), without its exception.
  ~FabricThread();

  /// Requests a discovery as soon as possible. May be called from any thread.
  void discover_soon();
  /// Applies the options of the exchange, the intervals of sweeps, discovery and tables,
  /// verify_nodes and the labels, from the next turn of the loop on; other settings do not change.
  /// May be called from any thread.
  void change(const FabricOptions& options);
  /// Ends within the timeout of a MAD. The sink is not called afterwards. Throws the error that
  /// ended the thread. A second call does nothing.
  void stop();
  /// False if the thread has ended by itself; stop() throws the reason.
  bool runs() const noexcept;

 private:
  class Due;
  struct Session;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pssp
