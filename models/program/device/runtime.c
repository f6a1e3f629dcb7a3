// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The four functions that a compiler may call in any freestanding program; weak, so that a program
// may bring its own. Word by word where both sides are aligned, because a warp's accesses coalesce
// best so.
#define WEAK __attribute__((weak))
typedef unsigned int word;
typedef unsigned char byte;

static int aligned(const void *a, const void *b) { return (((word)a | (word)b) & 3u) == 0; }

WEAK void *memcpy(void *to, const void *from, word bytes) {
    byte *target = to;
    const byte *source = from;
    if (aligned(to, from)) {
        for (; bytes >= 4; bytes -= 4, target += 4, source += 4) *(word *)target = *(const word *)source;
    }
    for (; bytes != 0; --bytes) *target++ = *source++;
    return to;
}

WEAK void *memmove(void *to, const void *from, word bytes) {
    byte *target = to;
    const byte *source = from;
    if ((word)target - (word)source >= bytes) return memcpy(to, from, bytes);
    while (bytes != 0) {
        --bytes;
        target[bytes] = source[bytes];
    }
    return to;
}

WEAK void *memset(void *to, int value, word bytes) {
    byte *target = to;
    if (aligned(to, to)) {
        const word pattern = (word)(byte)value * 0x01010101u;
        for (; bytes >= 4; bytes -= 4, target += 4) *(word *)target = pattern;
    }
    for (; bytes != 0; --bytes) *target++ = (byte)value;
    return to;
}

WEAK int memcmp(const void *left, const void *right, word bytes) {
    const byte *a = left, *b = right;
    for (; bytes != 0; --bytes, ++a, ++b) {
        if (*a != *b) return *a < *b ? -1 : 1;
    }
    return 0;
}
