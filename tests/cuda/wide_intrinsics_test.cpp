// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Intrinsics of lanes in a word, of doubles in named roundings, and of integers of 64 bits, against
// the host.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tests/cuda/intrinsic_check.h"

namespace heddle::cuda::test {
namespace {

/// Two or four lanes of a word.
struct lanes {
    unsigned bits;
    bool is_signed;

    [[nodiscard]] int get(u32 word, unsigned at) const {
        const int value = static_cast<int>(word >> at & (~0U >> (32 - bits)));
        return is_signed && value >> (bits - 1) != 0 ? value - (1 << bits) : value;
    }
    [[nodiscard]] int saturated(int value) const {
        const int high = (1 << (is_signed ? bits - 1 : bits)) - 1, low = is_signed ? -high - 1 : 0;
        return std::min(std::max(value, low), high);
    }
};

void add_lanes(std::vector<intrinsic>& all, const std::string& name, bool is_signed,
               const std::function<int(int, int, const lanes&)>& each, bool summed = false) {
    for (const unsigned count : {2U, 4U}) {
        const lanes of{32 / count, is_signed};
        all.push_back({name + std::to_string(count) + "(x, y)", [=](u32 x, u32 y, u32) -> u64 {
                           u32 result = 0, sum = 0;
                           for (unsigned at = 0; at < 32; at += of.bits) {
                               const auto lane =
                                   static_cast<u32>(each(of.get(x, at), of.get(y, at), of)) &
                                   (~0U >> (32 - of.bits));
                               result |= lane << at;
                               sum += lane;
                           }
                           return summed ? sum : result;
                       }});
    }
}

TEST(cuda_intrinsics, lanes_of_a_word_are_exact) {
    std::vector<intrinsic> all;
    for (const bool is_signed : {false, true}) {
        const std::string s = is_signed ? "s" : "u";
        const auto add = [&](const std::string& name,
                             const std::function<int(int, int, const lanes&)>& each) {
            add_lanes(all, name, is_signed, each);
        };
        add("__vadd" + s + "s", [](int a, int b, const lanes& l) { return l.saturated(a + b); });
        add("__vsub" + s + "s", [](int a, int b, const lanes& l) { return l.saturated(a - b); });
        add("__vmax" + s, [](int a, int b, const lanes&) { return std::max(a, b); });
        add("__vmin" + s, [](int a, int b, const lanes&) { return std::min(a, b); });
        add("__vabsdiff" + s, [](int a, int b, const lanes&) { return std::abs(a - b); });
        add_lanes(
            all, "__vsad" + s, is_signed,
            [](int a, int b, const lanes&) { return std::abs(a - b); }, true);
        add("__vcmpgt" + s, [](int a, int b, const lanes&) { return a > b ? -1 : 0; });
        add("__vcmpge" + s, [](int a, int b, const lanes&) { return a >= b ? -1 : 0; });
        add("__vcmplt" + s, [](int a, int b, const lanes&) { return a < b ? -1 : 0; });
        add("__vcmple" + s, [](int a, int b, const lanes&) { return a <= b ? -1 : 0; });
        add("__vsetgt" + s, [](int a, int b, const lanes&) { return a > b ? 1 : 0; });
    }
    const auto add = [&](const std::string& name,
                         const std::function<int(int, int, const lanes&)>& each) {
        add_lanes(all, name, false, each);
    };
    add("__vadd", [](int a, int b, const lanes&) { return a + b; });
    add("__vsub", [](int a, int b, const lanes&) { return a - b; });
    add("__vavgu", [](int a, int b, const lanes&) { return (a + b + 1) / 2; });
    add("__vhaddu", [](int a, int b, const lanes&) { return (a + b) / 2; });
    add("__vcmpeq", [](int a, int b, const lanes&) { return a == b ? -1 : 0; });
    add("__vcmpne", [](int a, int b, const lanes&) { return a != b ? -1 : 0; });
    add("__vseteq", [](int a, int b, const lanes&) { return a == b ? 1 : 0; });
    // To the nearest, a half away from zero.
    add_lanes(all, "__vavgs", true, [](int a, int b, const lanes&) {
        return static_cast<int>(std::lround((a + b) / 2.0));
    });
    const std::size_t unary = all.size();
    add_lanes(all, "__vneg", true, [](int a, int, const lanes&) { return -a; });
    add_lanes(all, "__vabs", true, [](int a, int, const lanes&) { return std::abs(a); });
    add_lanes(all, "__vnegss", true, [](int a, int, const lanes& l) { return l.saturated(-a); });
    add_lanes(all, "__vabsss", true,
              [](int a, int, const lanes& l) { return l.saturated(std::abs(a)); });
    for (std::size_t i = unary; i < all.size(); ++i) {
        all[i].expression.replace(all[i].expression.find("(x, y)"), 6, "(x)");
    }
    all.push_back({"__fns(x, y & 31, (int)(z & 15) - 7)", [](u32 x, u32 y, u32 z) -> u64 {
                       int offset = static_cast<int>(z & 15) - 7;
                       const u32 first = y & 31;
                       if (offset == 0) return (x >> first & 1) != 0 ? first : ~0U;
                       for (int at = static_cast<int>(first); at >= 0 && at < 32;
                            at += offset < 0 ? -1 : 1) {
                           if ((x >> at & 1) == 0) continue;
                           offset += offset < 0 ? 1 : -1;
                           if (offset == 0) return static_cast<u32>(at);
                       }
                       return ~0U;
                   }});
    check(all);
}

/// Under a rounding mode of the host.
template <class T>
T rounded_as(int mode, const std::function<T()>& operation) {
    std::fesetround(mode);
    const volatile T result = operation();
    std::fesetround(FE_TONEAREST);
    return result;
}

struct named_rounding {
    const char* name;
    int host;
};
constexpr named_rounding named_roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rd", FE_DOWNWARD}, {"ru", FE_UPWARD}};

/// Doubles of any bits, such as are near each other, and small ones, whose results are subnormal.
struct doubles {
    const char *first, *second, *third;
    std::function<double(u32, u32, u32)> host[3];
};

double of_words(u32 high, u32 low) {
    return bits<double>(u64{high} << 32 | low);
}
const doubles double_kinds[] = {
    {"__longlong_as_double(xy)",
     "__longlong_as_double(yz)",
     "(double)a",
     {[](u32 x, u32 y, u32) { return of_words(x, y); },
      [](u32, u32 y, u32 z) { return of_words(y, z); },
      [](u32 x, u32, u32) { return static_cast<double>(bits<float>(x)); }}},
    {"__hiloint2double(x & 0x83ffffff | 0x3c000000, y)",
     "__hiloint2double(y & 0x81ffffff | 0x3e000000, z)",
     "__hiloint2double(z & 0x83ffffff | 0x3c000000, x)",
     {[](u32 x, u32 y, u32) { return of_words((x & 0x83ffffff) | 0x3c000000, y); },
      [](u32, u32 y, u32 z) { return of_words((y & 0x81ffffff) | 0x3e000000, z); },
      [](u32 x, u32, u32 z) { return of_words((z & 0x83ffffff) | 0x3c000000, x); }}},
    {"__hiloint2double(x & 0x82ffffff, y)",
     "__hiloint2double(y & 0x80ffffff | 0x3f000000, z)",
     "__hiloint2double(z & 0x81ffffff, x)",
     {[](u32 x, u32 y, u32) { return of_words(x & 0x82ffffff, y); },
      [](u32, u32 y, u32 z) { return of_words((y & 0x80ffffff) | 0x3f000000, z); },
      [](u32 x, u32, u32 z) { return of_words(z & 0x81ffffff, x); }}},
};

TEST(cuda_intrinsics, doubles_have_named_roundings) {
    std::vector<intrinsic> all;
    for (const doubles& kind : double_kinds) {
        for (const named_rounding& m : named_roundings) {
            const auto add = [&](const std::string& name, unsigned operands,
                                 const std::function<double(double, double, double)>& f) {
                const std::string a = kind.first, b = kind.second, c = kind.third;
                const doubles* const from = &kind;
                const int host = m.host;
                all.push_back({"__double_as_longlong(" + name + "_" + m.name + "(" + a +
                                   (operands > 1 ? ", " + b : "") + (operands > 2 ? ", " + c : "") +
                                   "))",
                               [=](u32 x, u32 y, u32 z) -> u64 {
                                   return bits<u64>(rounded_as<double>(host, [&] {
                                       const volatile double p = from->host[0](x, y, z),
                                                             q = from->host[1](x, y, z),
                                                             r = from->host[2](x, y, z);
                                       return f(p, q, r);
                                   }));
                               },
                               true});
            };
            add("__dadd", 2, [](double a, double b, double) { return a + b; });
            add("__dsub", 2, [](double a, double b, double) { return a - b; });
            add("__dmul", 2, [](double a, double b, double) { return a * b; });
            add("__ddiv", 2, [](double a, double b, double) { return a / b; });
            add("__drcp", 1, [](double a, double, double) { return 1 / a; });
            add("__dsqrt", 1, [](double a, double, double) { return std::sqrt(a); });
            // Nothing is left.
            const doubles* const from = &kind;
            const int host = m.host;
            all.push_back({"__double_as_longlong(__dsub_" + std::string(m.name) + "(" + kind.first +
                               ", " + kind.first + "))",
                           [=](u32 x, u32 y, u32 z) -> u64 {
                               const volatile double p = from->host[0](x, y, z);
                               return bits<u64>(rounded_as<double>(host, [&] { return p - p; }));
                           },
                           true});
            // The exact sum of three needs the product's remainder, which small ones lose.
            if (&kind != &double_kinds[1]) continue;
            add("__fma", 3, [](double a, double b, double c) { return std::fma(a, b, c); });
        }
    }
    check(all);
}

TEST(cuda_intrinsics, wide_integers_become_floats_in_named_roundings) {
    std::vector<intrinsic> all;
    for (const named_rounding& m : named_roundings) {
        const std::string n = m.name;
        const int host = m.host;
        const auto wide = [](u32 x, u32 y) { return u64{x} << 32 | y; };
        // The ends of the range.
        all.push_back({"__float_as_uint(__ll2float_" + n + "(0x7fffffffffffffffll - (x & 1)))",
                       [=](u32 x, u32, u32) -> u64 {
                           const volatile i64 from = 0x7fffffffffffffff - (x & 1);
                           return bits<u32>(
                               rounded_as<float>(host, [&] { return static_cast<float>(from); }));
                       }});
        all.push_back({"__float_as_uint(__ull2float_" + n + "(~0ull - (x & 1)))",
                       [=](u32 x, u32, u32) -> u64 {
                           const volatile u64 from = ~u64{0} - (x & 1);
                           return bits<u32>(
                               rounded_as<float>(host, [&] { return static_cast<float>(from); }));
                       }});
        all.push_back(
            {"__float_as_uint(__ll2float_" + n + "((long long)xy))", [=](u32 x, u32 y, u32) -> u64 {
                 const volatile i64 from = static_cast<i64>(wide(x, y));
                 return bits<u32>(
                     rounded_as<float>(host, [&] { return static_cast<float>(from); }));
             }});
        all.push_back({"__float_as_uint(__ull2float_" + n + "(xy))", [=](u32 x, u32 y, u32) -> u64 {
                           const volatile u64 from = wide(x, y);
                           return bits<u32>(
                               rounded_as<float>(host, [&] { return static_cast<float>(from); }));
                       }});
        all.push_back({"__double_as_longlong(__ll2double_" + n + "((long long)xy))",
                       [=](u32 x, u32 y, u32) -> u64 {
                           const volatile i64 from = static_cast<i64>(wide(x, y));
                           return bits<u64>(
                               rounded_as<double>(host, [&] { return static_cast<double>(from); }));
                       },
                       true});
        all.push_back({"__double_as_longlong(__ull2double_" + n + "(xy))",
                       [=](u32 x, u32 y, u32) -> u64 {
                           const volatile u64 from = wide(x, y);
                           return bits<u64>(
                               rounded_as<double>(host, [&] { return static_cast<double>(from); }));
                       },
                       true});
    }
    check(all);
}

}  // namespace
}  // namespace heddle::cuda::test
