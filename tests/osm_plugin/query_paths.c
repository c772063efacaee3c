/* Asks the subnet administrator for paths: reads lines "SLID DLID" (decimal) and prints each with
 * the service level of the path record behind it.
 *
 * saquery asks for one path a process; this asks for all of a fabric within seconds. */

#include <arpa/inet.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Offsets and component mask of PathRecord: InfiniBand architecture 1.3, section 15.2.5.16. */
enum {
  dlid_offset = 40,
  slid_offset = 42,
  num_path_offset = 49,
  level_offset = 53,
};

static const uint64_t given_components =
    (UINT64_C(1) << 4) | (UINT64_C(1) << 5) | (UINT64_C(1) << 12); /* DLID, SLID, NumbPath */

/* The service level, or -1. */
static int query(struct ibmad_port* port, ib_portid_t* manager, unsigned slid, unsigned dlid) {
  uint8_t record[1024] = {0}; /* sent as it is, then overwritten by the answer */
  ib_sa_call_t call = {0};
  const uint16_t lids[] = {htons((uint16_t)dlid), htons((uint16_t)slid)};

  memcpy(record + dlid_offset, lids, sizeof(lids));
  record[num_path_offset] = 1;
  call.method = IB_MAD_METHOD_GET;
  call.attrid = IB_SA_ATTR_PATHRECORD;
  call.mask = given_components;
  call.trid = mad_trid();
  const uint8_t* const answer = sa_rpc_call(port, record, manager, &call, 2000);
  if (!answer || memcmp(answer + dlid_offset, lids, sizeof(lids)) != 0) return -1;
  return answer[level_offset] & 0xF;
}

int main(void) {
  int classes[] = {IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS};
  unsigned slid;
  unsigned dlid;
  ib_portid_t manager = {0};

  if (umad_init() < 0) {
    fprintf(stderr, "query_paths: no InfiniBand port here\n");
    return 1;
  }
  struct ibmad_port* const port =
      mad_rpc_open_port(NULL, 0, classes, sizeof(classes) / sizeof(classes[0]));
  if (!port || ib_resolve_smlid_via(&manager, 2000, port) < 0) {
    fprintf(stderr, "query_paths: no subnet manager\n");
    return 1;
  }
  manager.qp = 1;
  manager.qkey = IB_DEFAULT_QP1_QKEY;
  while (scanf("%u %u", &slid, &dlid) == 2) {
    const int level = query(port, &manager, slid, dlid);
    if (level < 0) {
      fprintf(stderr, "query_paths: no path from LID %u to LID %u\n", slid, dlid);
      return 1;
    }
    printf("%u %u %d\n", slid, dlid, level);
  }
  mad_rpc_close_port(port);
  return 0;
}
