/*
 * boot2.c: the second stage that the ROM of an RP2040 loads from flash.
 *
 * Reset leaves the flash unreadable as memory. The ROM copies the first 256 bytes of
 * flash to RAM, checks the CRC in the last four of them (mcucomp fills it in after
 * linking), and jumps to them; they make the flash readable and go on to the program
 * (RP2040 data sheet, 2.8.1.3). The code here runs at an address that it was not linked
 * for: it is one piece, with its constants behind it, and calls nothing.
 *
 * The flash is read with the command 03h and 24 bits of address on one data line, which
 * every serial flash knows without being asked first: slower than what a board's own flash
 * could do, and right for all of them. Registers: data sheet, 4.10.11 and 4.10.13.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
void mcuc_rp2040_boot2(void);

/*
 * SSIENR 0; BAUDR 4 (125 MHz / 4, below the 50 MHz that 03h allows); CTRLR0: frames of 32
 * bits, "EEPROM read" (write the command, then read); CTRLR1: one frame; SPI_CTRLR0: command
 * 03h, 8 bits of it, 24 bits of address; SSIENR 1. Then VTOR, stack and reset of the program,
 * whose vectors are behind these 256 bytes.
 */
__attribute__((naked, used, section(".mcuc_boot"))) void mcuc_rp2040_boot2(void)
{
    __asm volatile("ldr r0, =0x18000000\n\t" /* SSI */
                   "movs r1, #0\n\t"
                   "str r1, [r0, #0x08]\n\t"
                   "movs r1, #4\n\t"
                   "str r1, [r0, #0x14]\n\t"
                   "ldr r1, =0x001F0300\n\t"
                   "str r1, [r0, #0x00]\n\t"
                   "movs r1, #0\n\t"
                   "str r1, [r0, #0x04]\n\t"
                   "ldr r1, =0x03000218\n\t"
                   "movs r2, #0xF4\n\t"
                   "str r1, [r0, r2]\n\t"
                   "movs r1, #1\n\t"
                   "str r1, [r0, #0x08]\n\t"
                   "ldr r0, =0x10000100\n\t" /* vectors */
                   "ldr r1, =0xE000ED08\n\t" /* VTOR */
                   "str r0, [r1]\n\t"
                   "ldm r0!, {r1, r2}\n\t"
                   "msr msp, r1\n\t"
                   "bx r2\n\t"
                   ".ltorg\n\t");
}
