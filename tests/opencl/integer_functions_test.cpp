// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Integer functions of OpenCL C 1.2 (6.12.3), and min, max and clamp of them, for every type and
// width.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <type_traits>

#include "tests/opencl/built_ins.h"

namespace heddle::opencl::test {
namespace {

__extension__ using signed_wide = __int128;
__extension__ using unsigned_wide = unsigned __int128;
/// Holds a product of two T and what is added to it.
template <class T>
using wide_of = std::conditional_t<std::is_signed_v<T>, signed_wide, unsigned_wide>;

template <class T>
constexpr unsigned bits_of = 8 * sizeof(T);

template <class T>
T saturated(wide_of<T> value) {
    using limits = std::numeric_limits<T>;
    if (value > limits::max()) return limits::max();
    return std::is_signed_v<T> && value < limits::min() ? limits::min() : static_cast<T>(value);
}

template <class T>
unsigned leading_zeros(T x) {
    unsigned n = 0;
    for (unsigned bit = bits_of<T>; bit-- > 0 && ((x >> bit) & 1) == 0;) ++n;
    return n;
}

template <class T>
unsigned ones(T x) {
    unsigned n = 0;
    for (unsigned bit = 0; bit < bits_of<T>; ++bit) n += (x >> bit) & 1;
    return n;
}

/// Bits move left, also where `by` is negative or longer than the type.
template <class T>
T rotated(T x, T by) {
    using word = std::make_unsigned_t<T>;
    const auto left = static_cast<unsigned>(static_cast<word>(by) % bits_of<T>);
    const unsigned_wide value = static_cast<word>(x);
    return static_cast<T>((value << left) | (value >> (bits_of<T> - left)));
}

template <class T>
struct integer_function {
    using wide = wide_of<T>;
    const char* name;
    unsigned arguments;
    wide (*exact)(wide a, wide b, wide c);
};

/// Results wrap to the type.
template <class T>
std::vector<integer_function<T>> functions() {
    using wide = wide_of<T>;
    std::vector<integer_function<T>> all{
        {"add_sat", 2, [](wide a, wide b, wide) -> wide { return saturated<T>(a + b); }},
        {"sub_sat", 2,
         [](wide a, wide b, wide) -> wide {
             return !std::is_signed_v<T> && a < b ? 0 : saturated<T>(a - b);
         }},
        {"hadd", 2, [](wide a, wide b, wide) -> wide { return (a + b) >> 1; }},
        {"rhadd", 2, [](wide a, wide b, wide) -> wide { return (a + b + 1) >> 1; }},
        {"min", 2, [](wide a, wide b, wide) -> wide { return a < b ? a : b; }},
        {"max", 2, [](wide a, wide b, wide) -> wide { return a > b ? a : b; }},
        {"mul_hi", 2, [](wide a, wide b, wide) -> wide { return (a * b) >> bits_of<T>; }},
        {"rotate", 2,
         [](wide a, wide b, wide) -> wide {
             return rotated<T>(static_cast<T>(a), static_cast<T>(b));
         }},
        {"mad_hi", 3, [](wide a, wide b, wide c) -> wide { return ((a * b) >> bits_of<T>)+c; }},
        {"mad_sat", 3, [](wide a, wide b, wide c) -> wide { return saturated<T>(a * b + c); }},
        {"clz", 1, [](wide a, wide, wide) -> wide { return leading_zeros<T>(static_cast<T>(a)); }},
        {"popcount", 1, [](wide a, wide, wide) -> wide { return ones<T>(static_cast<T>(a)); }},
        // Where the bounds are in the wrong order the result is undefined: they are sorted here.
        {"clamp", 3,
         [](wide a, wide b, wide c) -> wide {
             const wide low = b < c ? b : c, high = b < c ? c : b;
             return a < low ? low : a > high ? high : a;
         }},
    };
    if constexpr (bits_of<T> == 32) {
        all.push_back({"mul24", 2, [](wide a, wide b, wide) -> wide { return a * b; }});
        all.push_back({"mad24", 3, [](wide a, wide b, wide c) -> wide { return a * b + c; }});
    }
    return all;
}

template <class T>
std::vector<T> integers(unsigned position) {
    using limits = std::numeric_limits<T>;
    const T edges[] = {0,
                       1,
                       2,
                       7,
                       static_cast<T>(-1),
                       static_cast<T>(-2),
                       limits::min(),
                       static_cast<T>(limits::min() + 1),
                       limits::max(),
                       static_cast<T>(limits::max() - 1),
                       static_cast<T>(limits::max() / 2),
                       static_cast<T>(bits_of<T>),
                       static_cast<T>(bits_of<T> - 1)};
    constexpr std::size_t count = std::size(edges);
    static_assert(elements > count * count * count);
    std::vector<T> all;
    for (std::size_t n = 0; n < count * count * count; ++n) {
        const std::size_t at[] = {n, n / count, n / count / count};
        all.push_back(edges[at[position] % count]);
    }
    std::mt19937_64 random(position + 1);
    while (all.size() < elements) {
        all.push_back(static_cast<T>(static_cast<T>(random()) >> random() % bits_of<T>));
    }
    return all;
}

template <class T>
class opencl_integer_function : public testing::Test {};
struct type_names {
    template <class T>
    static std::string GetName(int) {
        return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(bits_of<T>);
    }
    template <class T>
    static std::string of_opencl() {
        const std::string base = bits_of<T> == 8    ? "char"
                                 : bits_of<T> == 16 ? "short"
                                 : bits_of<T> == 32 ? "int"
                                                    : "long";
        return (std::is_signed_v<T> ? "" : "u") + base;
    }
};
using types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                             std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(opencl_integer_function, types, type_names);

/// What `name` of elements A, B, C is in OpenCL C.
template <class T>
std::string call_of(const integer_function<T>& f) {
    const std::string name = f.name;
    if (name == "clamp") return "clamp(A, min(B, C), max(B, C))";
    // 24-bit factors, signed or not.
    const std::string cut = std::is_signed_v<T> ? " << 8 >> 8" : " & 0xffffff";
    if (name == "mul24") return "mul24(A" + cut + ", B" + cut + ")";
    if (name == "mad24") return "mad24(A" + cut + ", B" + cut + ", C)";
    return name + (f.arguments == 1 ? "(A)" : f.arguments == 2 ? "(A, B)" : "(A, B, C)");
}

template <class T>
wide_of<T> factor(const integer_function<T>& f, T value) {
    if (std::string(f.name).find("24") == std::string::npos) return value;
    if constexpr (std::is_signed_v<T>) return static_cast<std::int32_t>(value << 8) >> 8;
    return value & 0xffffff;
}

TYPED_TEST(opencl_integer_function, is_exact) {
    using T = TypeParam;
    const std::string scalar = type_names::of_opencl<T>();
    std::string text;
    for (const integer_function<T>& f : functions<T>()) {
        for (const unsigned width : widths) {
            text += kernel_text(f.name + ("_" + std::to_string(width)), scalar,
                                {scalar, scalar, scalar}, width, call_of(f));
        }
    }
    built_ins kernels(text);
    const std::vector<T> a = integers<T>(0), b = integers<T>(1), c = integers<T>(2);
    for (const integer_function<T>& f : functions<T>()) {
        for (const unsigned width : widths) {
            const std::vector<T> found =
                kernels.call<T>(f.name + ("_" + std::to_string(width)), width, a, b, c);
            for (std::size_t i = 0; i < elements; ++i) {
                const T exact = static_cast<T>(f.exact(factor(f, a[i]), factor(f, b[i]), c[i]));
                ASSERT_EQ(+found[i], +exact) << type_name(scalar, width) << ": " << f.name << " of "
                                             << +a[i] << ", " << +b[i] << ", " << +c[i];
            }
        }
    }
}

/// Their results have the unsigned type.
TYPED_TEST(opencl_integer_function, of_magnitude_is_exact) {
    using T = TypeParam;
    using word = std::make_unsigned_t<T>;
    const std::string scalar = type_names::of_opencl<T>(), out = type_names::of_opencl<word>();
    std::string text;
    for (const unsigned width : widths) {
        text += kernel_text("abs_" + std::to_string(width), out, {scalar}, width, "abs(A)");
        text += kernel_text("diff_" + std::to_string(width), out, {scalar, scalar}, width,
                            "abs_diff(A, B)");
    }
    built_ins kernels(text);
    const std::vector<T> a = integers<T>(0), b = integers<T>(1);
    for (const unsigned width : widths) {
        const auto abs = kernels.call<word>("abs_" + std::to_string(width), width, a);
        const auto difference = kernels.call<word>("diff_" + std::to_string(width), width, a, b);
        for (std::size_t i = 0; i < elements; ++i) {
            const signed_wide x = a[i], y = b[i];
            ASSERT_EQ(+abs[i], +static_cast<word>(x < 0 ? -x : x)) << width << ": " << +a[i];
            ASSERT_EQ(+difference[i], +static_cast<word>(x < y ? y - x : x - y))
                << width << ": " << +a[i] << ", " << +b[i];
        }
    }
}

}  // namespace
}  // namespace heddle::opencl::test
