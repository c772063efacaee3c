#include "osm_plugin/mastership.h"

#include <opensm/osm_remote_sm.h>
#include <opensm/osm_sm.h>

namespace pssp {

bool is_master(const osm_subn_t& subnet) noexcept {
  return subnet.sm_state == IB_SMINFO_STATE_MASTER;
}

bool hands_over(const osm_subn_t& subnet) noexcept {
  if (!is_master(subnet)) return false;
  const cl_qmap_t& all = subnet.sm_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(&all); item != cl_qmap_end(&all);
       item = cl_qmap_next(item)) {
    const ib_sm_info_t& other = reinterpret_cast<const osm_remote_sm_t*>(item)->smi;
    // As state_mgr_get_highest_sm() of OpenSM compares.
    if (ib_sminfo_get_state(&other) != IB_SMINFO_STATE_NOTACTIVE &&
        osm_sm_is_greater_than(ib_sminfo_get_priority(&other), other.guid, subnet.opt.sm_priority,
                               subnet.sm_port_guid)) {
      return true;
    }
  }
  return false;
}

bool takes_over(const osm_subn_t& subnet) noexcept {
  return subnet.sm_state == IB_SMINFO_STATE_DISCOVERING && subnet.coming_out_of_standby == TRUE;
}

}  // namespace pssp
