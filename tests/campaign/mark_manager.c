/* Sets the subnet manager mark (IsSM) of a port in ibsim again, which ibsim clears when the port's
 * link comes up. ibsim-run runs this program at the manager's adapter. Opening the device of subnet
 * managers sets the mark, which remains if the process ends without closing the device. */

#include <fcntl.h>
#include <stdio.h>

int main(void) {
  if (open("/dev/infiniband/issm0", O_NONBLOCK) < 0) {
    perror("mark_manager: /dev/infiniband/issm0");
    return 1;
  }
  return 0;
}
