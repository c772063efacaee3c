/* Gives a port in ibsim the mark of a subnet manager's (IsSM) again, which ibsim forgets when the
 * port's link comes up: run by ibsim-run at the manager's adapter. The mark is set when the device
 * of subnet managers is opened, and stays when the process ends without closing it. */

#include <fcntl.h>
#include <stdio.h>

int main(void) {
  if (open("/dev/infiniband/issm0", O_NONBLOCK) < 0) {
    perror("mark_manager: /dev/infiniband/issm0");
    return 1;
  }
  return 0;
}
