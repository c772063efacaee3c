#include "osm_plugin/opensm_layout.h"

// One of the headers behind this one has a structure with a field named `delete`. clang's pedantry
// minds; for these headers alone it is right to hide the keyword.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define delete delete_field
#include <opensm/osm_opensm.h>
#undef delete
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#include "osm_plugin/adapter.h"

extern "C" const char* pssp_opensm_fault(const osm_opensm_t* osm) {
  return pssp::opensm_layout_fault(*osm);
}

namespace pssp {

const char* switch_layout_fault(const osm_subn_t& subnet) noexcept {
  const cl_qmap_t& all = subnet.sw_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(&all); item != cl_qmap_end(&all);
       item = cl_qmap_next(item)) {
    const auto* const node_switch = reinterpret_cast<const osm_switch_t*>(item);
    if (node_switch->p_node == nullptr || node_switch->p_node->sw != node_switch) {
      return "the switches of this OpenSM differ from the headers that the plugin was built with: "
             "OpenSM routes with its own engines; install the plugin that was built for this "
             "OpenSM";
    }
  }
  return nullptr;
}

}  // namespace pssp
