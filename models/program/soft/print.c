// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// printf() of kernels. A call writes a record into a buffer of the program: its length in words,
// the bytes of a `long`, the address of the format, the arguments as words. The host formats and
// prints the records when it has waited for the launches (models/device/kernel_output.h).
#include <stdarg.h>

typedef unsigned int word;
typedef unsigned long long pair;

enum { capacity = 1 << 18 };
/// `used` counts the words of all records, also of those that found no room.
struct {
    word used, words[capacity];
} heddle_print_buffer;

/// What a conversion takes: elements of so many bytes each, reals or not.
struct conversion {
    word elements, bytes, is_real;
};

// A vector comes as its type says: by address if it is long.
#define VECTOR(type, n) typedef type type##_##n __attribute__((ext_vector_type(n)));
#define VECTORS(type) VECTOR(type, 2) VECTOR(type, 3) VECTOR(type, 4) VECTOR(type, 8) VECTOR(type, 16)
typedef signed char byte;
typedef short half_word;
VECTORS(byte)
VECTORS(half_word)
VECTORS(word)
VECTORS(pair)

/// Puts the words of an argument there, or nowhere; how many there are.
static word take(va_list* from, struct conversion what, word* to) {
    if (what.elements == 1) {
        if (what.bytes < 8) {
            const word value = va_arg(*from, word);
            if (to != 0) to[0] = value;
            return 1;
        }
        const pair value = va_arg(*from, pair);
        if (to != 0) {
            to[0] = (word)value;
            to[1] = (word)(value >> 32);
        }
        return 2;
    }
#define CASE(type, n)                                       \
    case n: {                                               \
        const type##_##n value = va_arg(*from, type##_##n); \
        if (to == 0) break;                                 \
        for (word i = 0; i < n; ++i) PUT(value[i]);         \
        break;                                              \
    }
#define CASES(type)                                                                       \
    switch (what.elements) {                                                              \
        CASE(type, 2) CASE(type, 3) CASE(type, 4) CASE(type, 8) CASE(type, 16)            \
    }
#define PUT(value) (to[i] = (word)(value))
    if (what.bytes == 1) {
        CASES(byte)
    } else if (what.bytes == 2) {
        CASES(half_word)
    } else if (what.bytes == 4) {
        CASES(word)
    }
#undef PUT
#define PUT(value) (to[2 * i] = (word)(value), to[2 * i + 1] = (word)((value) >> 32))
    if (what.bytes == 8) CASES(pair)
    return what.elements * (what.bytes == 8 ? 2 : 1);
}

static int is_one_of(char c, const char* set) {
    for (; *set != 0; ++set) {
        if (*set == c) return 1;
    }
    return 0;
}

/// The words of all arguments, also to `to` if it is not null.
static word take_all(const char* format, word long_bytes, va_list* from, word* to) {
    static const struct conversion number = {1, 4, 0};
    word count = 0;
    for (; *format != 0; ++format) {
        if (*format != '%') continue;
        ++format;
        if (*format == '%') continue;
        struct conversion what = {1, 4, 0};
        word longs = 0, shorts = 0;
        for (; *format != 0 && !is_one_of(*format, "diouxXcspaAeEfFgG"); ++format) {
            if (*format == '*') count += take(from, number, to != 0 ? to + count : 0);
            if (*format == 'l') ++longs;
            if (*format == 'j') longs += 2;  // intmax_t; size_t and ptrdiff_t are words
            if (*format == 'h') ++shorts;
            if (*format == 'v') {
                what.elements = 0;
                for (; format[1] >= '0' && format[1] <= '9'; ++format) {
                    what.elements = what.elements * 10 + (word)(format[1] - '0');
                }
            }
        }
        if (*format == 0) break;
        const int is_real = is_one_of(*format, "aAeEfFgG");
        if (what.elements == 1) {
            // C's rules: what is shorter than an int has become one, a float a double.
            what.bytes = is_real || longs >= 2 ? 8 : longs == 1 ? long_bytes : 4;
        } else {
            what.bytes = shorts == 2 ? 1 : longs == shorts ? 4 : longs != 0 ? 8 : 2;
        }
        count += take(from, what, to != 0 ? to + count : 0);
    }
    return count;
}

static int print(const char* format, word long_bytes, va_list arguments) {
    enum { header = 3 };
    va_list again;
    va_copy(again, arguments);
    const word length = header + take_all(format, long_bytes, &again, 0);
    va_end(again);
    const word at = __atomic_fetch_add(&heddle_print_buffer.used, length, __ATOMIC_RELAXED);
    if (at >= capacity || length > capacity - at) return -1;
    word* const record = heddle_print_buffer.words + at;
    record[0] = length;
    record[1] = long_bytes;
    record[2] = (word)format;
    take_all(format, long_bytes, &arguments, record + header);
    return 0;
}

int printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = print(format, 4, arguments);
    va_end(arguments);
    return result;
}

/// The compiler's plug-in gives OpenCL's printf() this name: a `long` has 8 bytes there.
int heddle_opencl_printf(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = print(format, 8, arguments);
    va_end(arguments);
    return result;
}
