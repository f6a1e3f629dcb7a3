// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <stdint.h>

/* A random manager of AXI4 and the checker of its rules, for a memory in an RTL simulator
   (scripts/verify-rtl axi_memory). Pins are bits in words of 32, in the order of heddle_axi_pins.
 */
#ifdef __cplusplus
extern "C" {
#endif
/* A line for each pin: "input NAME BITS" or "output NAME BITS", as the memory sees it; the first of
   each direction in the lowest bits. Data have 512 bits, of which the bus uses the lowest. */
const char* heddle_axi_pins(void);
void* heddle_axi_bench_create(unsigned bus_bytes, unsigned ids, uint64_t region, unsigned bursts,
                              uint64_t seed);
void heddle_axi_bench_destroy(void* bench);
/* What the memory gets until the next rising edge. */
void heddle_axi_bench_inputs(const void* bench, uint32_t* inputs);
/* A rising edge at which the memory's outputs were these; `reset`: in reset. 0: it goes on, 1: all
   is done and right, 2: a rule is broken, which has been printed. */
int heddle_axi_bench_clock(void* bench, const uint32_t* outputs, int reset);
#ifdef __cplusplus
}
#endif
