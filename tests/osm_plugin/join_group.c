/* Joins the port at which it runs to a multicast group that exists: join_group MGID. Prints the
 * group's LID.
 *
 * The stock diagnostics can list groups but not join one. */

#include <arpa/inet.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  mgid_offset = 0,
  port_gid_offset = 16,
  mlid_offset = 36,
  join_state_offset = 48,
  gid_size = 16,
  full_member = 1,
};

/* Component mask of MCMemberRecord (InfiniBand architecture 1.6, section 15.2.5.17): MGID, PortGID,
 * JoinState. */
static const uint64_t given_components =
    (UINT64_C(1) << 0) | (UINT64_C(1) << 1) | (UINT64_C(1) << 16);

static int join(struct ibmad_port* port, const uint8_t* mgid, const uint8_t* port_gid) {
  uint8_t record[1024] = {0}; /* sent as it is, then overwritten by the answer */
  ib_portid_t manager = {0};
  ib_sa_call_t call = {0};

  if (ib_resolve_smlid_via(&manager, 2000, port) < 0) return -1;
  manager.qp = 1;
  manager.qkey = IB_DEFAULT_QP1_QKEY;
  memcpy(record + mgid_offset, mgid, gid_size);
  memcpy(record + port_gid_offset, port_gid, gid_size);
  record[join_state_offset] = full_member;
  call.method = IB_MAD_METHOD_SET;
  call.attrid = IB_SA_ATTR_MCRECORD;
  call.mask = given_components;
  call.trid = mad_trid();
  const uint8_t* const answer = sa_rpc_call(port, record, &manager, &call, 2000);
  if (!answer) return -1;
  printf("0x%04x\n", answer[mlid_offset] << 8 | answer[mlid_offset + 1]);
  return 0;
}

int main(int argc, char** argv) {
  int classes[] = {IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS};
  uint8_t mgid[gid_size];
  uint8_t port_gid[gid_size];
  umad_port_t local;

  if (argc != 2 || inet_pton(AF_INET6, argv[1], mgid) != 1) {
    fprintf(stderr, "usage: join_group MGID\n");
    return 2;
  }
  if (umad_init() < 0 || umad_get_port(NULL, 0, &local) < 0) {
    fprintf(stderr, "join_group: no InfiniBand port here\n");
    return 1;
  }
  memcpy(port_gid, &local.gid_prefix, sizeof(local.gid_prefix));
  memcpy(port_gid + sizeof(local.gid_prefix), &local.port_guid, sizeof(local.port_guid));
  umad_release_port(&local);

  struct ibmad_port* const port =
      mad_rpc_open_port(NULL, 0, classes, sizeof(classes) / sizeof(classes[0]));
  if (!port) {
    fprintf(stderr, "join_group: cannot open the port\n");
    return 1;
  }
  const int status = join(port, mgid, port_gid);
  if (status < 0) fprintf(stderr, "join_group: the subnet manager did not accept\n");
  mad_rpc_close_port(port);
  return status < 0 ? 1 : 0;
}
