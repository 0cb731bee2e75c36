/*
 * arm_v6m.c: what Armv6-M (Cortex-M0 and M0+) does without: FPU, fault status, cycle counter.
 *
 * A port may have a counter of its own and then defines mcuc_port_cycles itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_arm.h"
#include "mcuc_port.h"

void mcuc_arm_cpu_start(void)
{
}

/* Only HardFault exists, and nothing tells why it came (ARM DDI 0419, B1.5.1). */
uint32_t mcuc_arm_fault_status(void)
{
    return 0;
}
