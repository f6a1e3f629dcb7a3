/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
/* A library with kernels of its own. The handles are CUDA's: its users need no CUDA. */
#ifdef __cplusplus
extern "C" {
#endif

/* Adds the offset of the library to n numbers on the device, in a stream (0: the default one). */
void addOffset(float* onDevice, int n, void* stream);
/* The same for numbers of the host. 0: good. */
int addOffsetOnHost(float* numbers, int n);
void setOffset(float offset);

#ifdef __cplusplus
}
#endif
