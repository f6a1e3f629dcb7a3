// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The four functions that a compiler may call in any freestanding program; weak, so that a program
// may bring its own. Word by word where both sides are aligned, because a warp's accesses coalesce
// best so. Kernels are declared behind this: its names are none that a kernel would have.
#define WEAK __attribute__((weak))
typedef unsigned int heddle_word;
typedef unsigned char heddle_byte;

static int heddle_aligned(const void *a, const void *b) { return (((heddle_word)a | (heddle_word)b) & 3u) == 0; }

WEAK void *memcpy(void *to, const void *from, heddle_word bytes) {
    heddle_byte *target = to;
    const heddle_byte *source = from;
    if (heddle_aligned(to, from)) {
        for (; bytes >= 4; bytes -= 4, target += 4, source += 4) *(heddle_word *)target = *(const heddle_word *)source;
    }
    for (; bytes != 0; --bytes) *target++ = *source++;
    return to;
}

WEAK void *memmove(void *to, const void *from, heddle_word bytes) {
    heddle_byte *target = to;
    const heddle_byte *source = from;
    if ((heddle_word)target - (heddle_word)source >= bytes) return memcpy(to, from, bytes);
    while (bytes != 0) {
        --bytes;
        target[bytes] = source[bytes];
    }
    return to;
}

WEAK void *memset(void *to, int value, heddle_word bytes) {
    heddle_byte *target = to;
    if (heddle_aligned(to, to)) {
        const heddle_word pattern = (heddle_word)(heddle_byte)value * 0x01010101u;
        for (; bytes >= 4; bytes -= 4, target += 4) *(heddle_word *)target = pattern;
    }
    for (; bytes != 0; --bytes) *target++ = (heddle_byte)value;
    return to;
}

WEAK int memcmp(const void *left, const void *right, heddle_word bytes) {
    const heddle_byte *a = left, *b = right;
    for (; bytes != 0; --bytes, ++a, ++b) {
        if (*a != *b) return *a < *b ? -1 : 1;
    }
    return 0;
}
