// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// convert_TYPE[_sat][_MODE] of OpenCL C 1.2 (6.2.3) between all types.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <tuple>
#include <type_traits>

#include "tests/opencl/accuracy.h"

namespace heddle::opencl::test {
namespace {

enum class rounding { usual, even, zero, up, down };
constexpr std::pair<rounding, const char*> roundings[] = {{rounding::usual, ""},
                                                          {rounding::even, "_rte"},
                                                          {rounding::zero, "_rtz"},
                                                          {rounding::up, "_rtp"},
                                                          {rounding::down, "_rtn"}};

using every_type = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                              std::uint32_t, std::int64_t, std::uint64_t, float, double>;

template <class T>
std::string name_of() {
    if (std::is_same_v<T, float>) return "float";
    if (std::is_same_v<T, double>) return "double";
    const char* const names[] = {"char", "short", "", "int", "", "", "", "long"};
    return (std::is_signed_v<T> ? "" : "u") + std::string(names[sizeof(T) - 1]);
}

long double whole(long double x, rounding mode) {
    switch (mode) {
        case rounding::even:
            return std::nearbyint(x);
        case rounding::up:
            return std::ceil(x);
        case rounding::down:
            return std::floor(x);
        case rounding::usual:
        case rounding::zero:
            break;
    }
    return std::trunc(x);
}

/// A long double holds every value of every type. None: the result is undefined.
template <class To, class From>
std::optional<To> converted(From from, rounding mode, bool saturates) {
    using limits = std::numeric_limits<To>;
    const auto x = static_cast<long double>(from);
    if constexpr (std::is_integral_v<To>) {
        if (std::isnan(x)) return saturates ? std::optional<To>(0) : std::nullopt;
        const long double result = whole(x, mode);
        if (result >= limits::min() && result <= limits::max()) return static_cast<To>(result);
        if (saturates) return result < 0 ? limits::min() : limits::max();
        if constexpr (std::is_integral_v<From>) return static_cast<To>(from);
        return std::nullopt;
    } else {
        const auto nearest = static_cast<To>(x);
        if (std::isnan(x) || static_cast<long double>(nearest) == x) return nearest;
        const bool above = nearest > x;
        switch (mode) {
            case rounding::zero:
                return above == (x > 0) ? std::nextafter(nearest, To(0)) : nearest;
            case rounding::up:
                return above ? nearest : std::nextafter(nearest, limits::infinity());
            case rounding::down:
                return above ? std::nextafter(nearest, -limits::infinity()) : nearest;
            case rounding::usual:
            case rounding::even:
                break;
        }
        return nearest;
    }
}

template <class T>
std::vector<T> values() {
    if constexpr (std::is_floating_point_v<T>) {
        std::vector<T> all = arguments<T>();
        // The bounds of the integers, and what lies beside them.
        std::size_t at = elements / 2;
        for (const int bits : {7, 8, 15, 16, 24, 31, 32, 53, 63, 64}) {
            const T bound = std::ldexp(T(1), bits);
            for (const T near :
                 {bound, std::nextafter(bound, T(0)), std::nextafter(bound, 2 * bound),
                  bound - T(0.5L), bound + T(0.5L), bound - 1, bound - T(1.5L)}) {
                all[at++] = near;
                all[at++] = -near;
            }
        }
        return all;
    } else {
        std::mt19937_64 random(1);
        std::vector<T> all{0, 1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
        while (all.size() < elements) {
            all.push_back(static_cast<T>(static_cast<T>(random()) >> random() % (8 * sizeof(T))));
        }
        return all;
    }
}

template <class T>
class opencl_conversion : public testing::Test {
protected:
    struct form {
        std::string suffix;
        rounding mode;
        bool saturates;
        unsigned width;
        template <class To>
        [[nodiscard]] std::string kernel() const {
            return "to_" + type_name(name_of<To>(), width) + suffix;
        }
    };
    template <class To>
    static std::vector<form> forms() {
        std::vector<form> all;
        for (const bool saturates : {false, true}) {
            if (saturates && !std::is_integral_v<To>) continue;
            const std::string sat = saturates ? "_sat" : "";
            for (const auto& [mode, suffix] : roundings) {
                all.push_back({sat + suffix, mode, saturates, 1});
            }
            for (const unsigned width : {2U, 3U, 4U, 8U, 16U}) {
                all.push_back({sat, rounding::usual, saturates, width});
            }
        }
        return all;
    }
    template <class To>
    static std::string text() {
        std::string all;
        for (const form& f : forms<To>()) {
            all += kernel_text(f.template kernel<To>(), name_of<To>(), {name_of<T>()}, f.width,
                               "convert_" + type_name(name_of<To>(), f.width) + f.suffix + "(A)");
        }
        return all;
    }
    template <class To>
    static void check(built_ins& kernels) {
        const std::vector<T> from = values<T>();
        for (const form& f : forms<To>()) {
            const std::vector<To> found = kernels.call<To>(f.template kernel<To>(), f.width, from);
            for (std::size_t i = 0; i < elements; ++i) {
                const auto exact = converted<To>(from[i], f.mode, f.saturates);
                if (!exact || (found[i] != found[i] && *exact != *exact)) continue;
                ASSERT_EQ(+found[i], +*exact) << f.template kernel<To>() << " of " << +from[i];
            }
        }
    }
    template <class... To>
    static void check_all(std::tuple<To...>) {
        built_ins kernels((text<To>() + ...));
        (check<To>(kernels), ...);
    }
};
struct conversion_names {
    template <class T>
    static std::string GetName(int) {
        return "from_" + name_of<T>();
    }
};
template <class Tuple>
struct types_of;
template <class... T>
struct types_of<std::tuple<T...>> {
    using type = testing::Types<T...>;
};
TYPED_TEST_SUITE(opencl_conversion, types_of<every_type>::type, conversion_names);

TYPED_TEST(opencl_conversion, rounds_and_saturates) {
    this->check_all(every_type());
}

}  // namespace
}  // namespace heddle::opencl::test
