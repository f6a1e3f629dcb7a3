// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <stdint.h>

/* What the functions of heddle_reference.h are made of. Bits are in words of 32, as svBitVecVal of
   the standard's svdpi.h; `at` is a bit among the inputs or among the outputs of the slot. Errors
   go to stderr. */
#ifdef __cplusplus
extern "C" {
#endif
/* A part that has not been reset. NULL for an unknown slot. */
void* heddle_reference_create(const char* slot);
void heddle_reference_destroy(void* part);
void heddle_reference_put(void* part, unsigned at, unsigned bits, const uint32_t* value);
/* Lets the outputs follow the inputs. */
void heddle_reference_decide(void* part);
void heddle_reference_get(const void* part, unsigned at, unsigned bits, uint32_t* value);
/* A clock edge with `enable`, and one in reset; with the inputs as they are. */
void heddle_reference_edge(void* part);
void heddle_reference_reset(void* part);
#ifdef __cplusplus
}
#endif
