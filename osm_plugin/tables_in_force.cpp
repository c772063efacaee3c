// OpenSM never reads forwarding tables: it writes its own, and where it takes over from another
// manager all of them change. The receiver for such answers is there, though: it puts each block
// into the switch's `lft`, which is what OpenSM thinks that the switch holds. So the requests are
// sent in OpenSM's name, between discovery and routing, when the sweeping thread has nothing under
// way, and its own counter of what is outstanding says when all are answered.
//
// One block of each switch at a time: a switch that has stopped to answer then costs its time-outs
// once a round, and the time is looked at between rounds. After a take-over OpenSM writes all
// blocks of all switches, whatever `lft` says, so that nothing depends on what was read but our
// choice of tables.

#include "osm_plugin/tables_in_force.h"

#include <complib/cl_byteswap.h>
#include <complib/cl_passivelock.h>
#include <fmt/format.h>
#include <opensm/osm_node.h>
#include <opensm/osm_switch.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <vector>

namespace pssp {
namespace {

using ReadingClock = std::chrono::steady_clock;

class OpensmLock {
 public:
  explicit OpensmLock(cl_plock_t& lock) : lock_(lock) { cl_plock_excl_acquire(&lock_); }
  OpensmLock(const OpensmLock&) = delete;
  OpensmLock& operator=(const OpensmLock&) = delete;
  ~OpensmLock() { cl_plock_release(&lock_); }

 private:
  cl_plock_t& lock_;
};

struct AskedSwitch {
  osm_switch_t* node = nullptr;
  osm_dr_path_t path{};
  Guid guid = 0;
  Lid top = 0;  // the largest LID that has an entry

  std::uint32_t blocks() const { return top / IB_SMP_DATA_SIZE + 1U; }
};

/// Switches that this sweep has found and that somebody has given tables, by GUID; their `lft` is
/// empty then. With the lock.
std::vector<AskedSwitch> switches_to_ask(const osm_subn_t& subnet) {
  std::vector<AskedSwitch> asked;
  const cl_qmap_t& all = subnet.sw_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(&all); item != cl_qmap_end(&all);
       item = cl_qmap_next(item)) {
    auto& node = *reinterpret_cast<osm_switch_t*>(item);
    const Lid top = cl_ntoh16(node.switch_info.lin_top);
    const bool is_here = node.p_node->discovery_count != 0;
    if (!is_here || top == 0 || top > IB_LID_UCAST_END_HO) continue;
    // That is how OpenSM makes room before it routes, which it will do once more.
    if (osm_switch_prepare_path_rebuild(&node, top) != 0) continue;
    std::memset(node.lft, OSM_NO_PATH, node.lft_size);
    osm_physp_t* const port = osm_node_get_physp_ptr(node.p_node, 0);
    asked.push_back({.node = &node,
                     .path = *osm_physp_get_dr_path_ptr(port),
                     .guid = cl_ntoh64(osm_node_get_node_guid(node.p_node)),
                     .top = top});
  }
  std::ranges::sort(asked, {}, &AskedSwitch::guid);
  return asked;
}

/// One block of each switch that has it. With the lock.
void ask_for_block(osm_sm_t& manager, const std::vector<AskedSwitch>& asked, std::uint32_t block) {
  for (const AskedSwitch& each : asked) {
    if (block >= each.blocks()) continue;
    osm_madw_context_t context{};
    context.lft_context.node_guid = cl_hton64(each.guid);
    context.lft_context.set_method = FALSE;
    // A request that cannot be sent is a block that does not come.
    static_cast<void>(osm_req_get(&manager, &each.path, IB_MAD_ATTR_LIN_FWD_TBL, cl_hton32(block),
                                  TRUE, 0, 0, CL_DISP_MSGID_NONE, &context));
  }
}

/// False where something is outstanding still at `end`.
bool all_answered(osm_stats_t& stats, ReadingClock::time_point end) {
  constexpr long poll_interval_ns = 50'000'000, ns_per_s = 1'000'000'000;
  pthread_mutex_lock(&stats.mutex);
  while (stats.qp0_mads_outstanding != 0 && ReadingClock::now() < end) {
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += poll_interval_ns;
    until.tv_sec += until.tv_nsec / ns_per_s;
    until.tv_nsec %= ns_per_s;
    static_cast<void>(pthread_cond_timedwait(&stats.cond, &stats.mutex, &until));
  }
  const bool is_done = stats.qp0_mads_outstanding == 0;
  pthread_mutex_unlock(&stats.mutex);
  return is_done;
}

/// With the lock.
RoutingState state_of(const std::vector<AskedSwitch>& asked, Lid top) {
  RoutingState state;
  state.tables = ForwardingTables(asked.size(), top);
  for (std::uint32_t s = 0; s < asked.size(); ++s) {
    const AskedSwitch& each = asked[s];
    state.switches.push_back(each.guid);
    for (std::uint32_t lid = 1; lid <= each.top; ++lid) {
      state.tables.set(SwitchId(s), static_cast<Lid>(lid), each.node->lft[lid]);
    }
  }
  return state;
}

double seconds_since(ReadingClock::time_point start) {
  return std::chrono::duration<double>(ReadingClock::now() - start).count();
}

}  // namespace

TablesInForce read_tables_in_force(osm_sm_t& manager, const BudgetOptions& budget) {
  const ReadingClock::time_point start = ReadingClock::now();
  std::vector<AskedSwitch> asked;
  {
    const OpensmLock lock(*manager.p_lock);
    asked = switches_to_ask(*manager.p_subn);
  }
  if (asked.empty()) return {};
  const Lid top = std::ranges::max_element(asked, {}, &AskedSwitch::top)->top;
  const std::uint64_t entries = asked.size() * (std::uint64_t{top} + 1);
  const std::chrono::duration<double> patience(0.5 * seconds_for(budget, entries));
  const auto end = start + std::chrono::duration_cast<ReadingClock::duration>(patience);
  const std::uint32_t blocks = top / IB_SMP_DATA_SIZE + 1U;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    {
      const OpensmLock lock(*manager.p_lock);
      ask_for_block(manager, asked, block);
    }
    if (all_answered(*manager.mad_ctrl.p_stats, end)) continue;
    return {.state = {},
            .message = {LogCode::tables_in_switches,
                        fmt::format("the tables of {} switches, from an earlier subnet manager, "
                                    "were not read within {:.1f} s (half of budget.seconds): the "
                                    "engine routes without them, and many paths can change; raise "
                                    "budget.seconds or max_wire_smps",
                                    asked.size(), seconds_since(start))}};
  }
  const OpensmLock lock(*manager.p_lock);
  return {.state = state_of(asked, top),
          .message = {LogDetail{},
                      fmt::format("takeover: read the tables of {} switches, from an earlier "
                                  "subnet manager, in {:.1f} s",
                                  asked.size(), seconds_since(start))}};
}

}  // namespace pssp
