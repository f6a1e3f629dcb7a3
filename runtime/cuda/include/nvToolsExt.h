/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Marks for the vendor's profilers: they do nothing here. */
#ifndef HEDDLE_NVTOOLSEXT_H
#define HEDDLE_NVTOOLSEXT_H

static __inline__ void nvtxMarkA(const char* message) {
    (void)message;
}
static __inline__ int nvtxRangePushA(const char* message) {
    (void)message;
    return 0;
}
static __inline__ int nvtxRangePop(void) {
    return 0;
}
#define NVTX_VERSION 2
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_TYPE_ASCII 1
typedef struct nvtxEventAttributes_t {
    unsigned short version, size;
    unsigned int category;
    int colorType;
    unsigned int color;
    int payloadType;
    int messageType;
    union {
        const char* ascii;
    } message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))
static __inline__ int nvtxRangePushEx(const nvtxEventAttributes_t* of) {
    (void)of;
    return 0;
}
static __inline__ unsigned long long nvtxRangeStartA(const char* message) {
    (void)message;
    return 0;
}
static __inline__ void nvtxRangeEnd(unsigned long long range) {
    (void)range;
}
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA

#endif
