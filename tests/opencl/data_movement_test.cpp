// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Built-ins that move data or order it: shuffles, selections, vectors of halves, copies by
// work-groups, atomics, and the functions that answer with more than one value.
#include <gmock/gmock.h>

#include "tests/opencl/accuracy.h"

namespace heddle::opencl::test {
namespace {

using testing::Each;

TEST(opencl_data_movement, functions_with_a_second_result) {
    std::string text;
    for (const char* const space : {"private", "local", "global"}) {
        for (const auto& [name, type] :
             {std::pair("fract", "float"), std::pair("modf", "float"), std::pair("sincos", "float"),
              std::pair("frexp", "int"), std::pair("lgamma_r", "int")}) {
            const std::string place = std::string(space) == "global" ? "&second[i]" : "&there[l]";
            const std::string own =
                std::string(space) == "global" ? ""
                : std::string(space) == "local"
                    ? std::string("local ") + type + " there[64]; size_t l = get_local_id(0);"
                    : std::string(type) + " there[1]; size_t l = 0;";
            text += "kernel void " + std::string(name) + "_" + space +
                    "(global float* first, global " + type +
                    "* second, global const float* a) { size_t i = get_global_id(0); " + own +
                    " first[i] = " + name + "(a[i], " + place + ");" +
                    (own.empty() ? "" : " second[i] = there[l];") + " }\n";
        }
    }
    built_ins kernels(text);
    std::vector<float> a = arguments<float>();
    device& gpu = kernels.gpu();
    const device_buffer<float> in(gpu, a, "a"), first(gpu, elements, "first"),
        real(gpu, elements, "second");
    const device_buffer<std::int32_t> whole(gpu, elements, "second");
    const launch_shape shape{{elements / 64}, {64}};
    for (const std::string space : {"private", "local", "global"}) {
        launch(gpu, "fract_" + space, shape, first.get(), real.get(), in.get());
        auto one = first.read(), two = real.read();
        for (std::size_t i = 0; i < elements; ++i) {
            if (!std::isfinite(a[i])) continue;
            const float part = std::min(a[i] - std::floor(a[i]), 0x1.fffffep-1F);
            ASSERT_EQ(one[i], part) << space << " fract " << a[i];
            ASSERT_EQ(two[i], std::floor(a[i])) << space << " fract " << a[i];
        }
        launch(gpu, "modf_" + space, shape, first.get(), real.get(), in.get());
        one = first.read(), two = real.read();
        for (std::size_t i = 0; i < elements; ++i) {
            if (std::isnan(a[i])) continue;
            float whole_part = 0;
            ASSERT_EQ(one[i], std::modf(a[i], &whole_part)) << space << " modf " << a[i];
            ASSERT_EQ(two[i], whole_part) << space << " modf " << a[i];
        }
        launch(gpu, "sincos_" + space, shape, first.get(), real.get(), in.get());
        one = first.read(), two = real.read();
        for (std::size_t i = 0; i < elements; ++i) {
            const long double x = a[i];
            ASSERT_LE(error_of(one[i], std::sin(x)), 4) << space << " sincos " << a[i];
            ASSERT_LE(error_of(two[i], std::cos(x)), 4) << space << " sincos " << a[i];
        }
        launch(gpu, "frexp_" + space, shape, first.get(), whole.get(), in.get());
        one = first.read();
        auto exponents = whole.read();
        for (std::size_t i = 0; i < elements; ++i) {
            if (!std::isfinite(a[i])) continue;
            int exponent = 0;
            ASSERT_EQ(one[i], std::frexp(a[i], &exponent)) << space << " frexp " << a[i];
            ASSERT_EQ(exponents[i], exponent) << space << " frexp " << a[i];
        }
        launch(gpu, "lgamma_r_" + space, shape, first.get(), whole.get(), in.get());
        one = first.read(), exponents = whole.read();
        for (std::size_t i = 0; i < elements; ++i) {
            if (!(a[i] > 0.5F && a[i] < 100)) continue;
            ASSERT_NEAR(one[i], std::lgamma(a[i]), 1e-5 * (1 + std::fabs(std::lgamma(a[i]))))
                << space << " lgamma_r " << a[i];
            ASSERT_EQ(exponents[i], 1) << space << " lgamma_r " << a[i];
        }
    }
}

TEST(opencl_data_movement, whole_powers) {
    built_ins kernels(R"(
kernel void pown_k(global float* out, global const float* a, global const int* n) {
    size_t i = get_global_id(0);
    out[i] = pown(a[i], n[i]);
}
kernel void rootn_k(global float* out, global const float* a, global const int* n) {
    size_t i = get_global_id(0);
    out[i] = rootn(a[i], n[i]);
}
kernel void ldexp_k(global float* out, global const float* a, global const int* n) {
    size_t i = get_global_id(0);
    out[i] = ldexp(a[i], n[i]);
}
)");
    const std::vector<float> a = arguments<float>();
    std::vector<std::int32_t> n;
    for (std::size_t i = 0; i < elements; ++i)
        n.push_back(static_cast<std::int32_t>(i * 7 % 61) - 30);
    const auto power = kernels.call<float>("pown_k", 1, a, n);
    const auto root = kernels.call<float>("rootn_k", 1, a, n);
    const auto scaled = kernels.call<float>("ldexp_k", 1, a, n);
    constexpr float normal = std::numeric_limits<float>::min();
    for (std::size_t i = 0; i < elements; ++i) {
        const long double x = a[i];
        ASSERT_LE(error_of(power[i], std::pow(x, static_cast<long double>(n[i]))), 16)
            << a[i] << ", " << n[i];
        const long double product = std::ldexp(x, n[i]);
        if (std::fabs(product) >= normal && std::fabs(a[i]) >= normal) {  // else it may be flushed
            ASSERT_LE(error_of(scaled[i], product), 0.5) << a[i] << ", " << n[i];
        }
        const long double exact_root = std::pow(x, 1.0L / n[i]);
        // libclc flushes subnormal numbers, and the smallest normal one.
        if (n[i] == 0 || !(a[i] > 2 * normal) || !(exact_root > 2 * normal)) continue;
        ASSERT_LE(error_of(root[i], exact_root), 16) << a[i] << ", " << n[i];
    }
}

TEST(opencl_data_movement, shuffles_and_selections) {
    built_ins kernels(R"(
kernel void shuffle_k(global uint* out, global const uint* a, global const uint* m) {
    size_t i = get_global_id(0);
    vstore4(shuffle2(vload4(i, a), vload4(i, a) + 1000u, vload4(i, m)), i, out);
}
kernel void select_k(global uint* out, global const uint* a, global const uint* m) {
    size_t i = get_global_id(0);
    vstore4(select(vload4(i, a), vload4(i, m), vload4(i, m) << 31), i, out);
}
kernel void bits_k(global uint* out, global const uint* a, global const uint* m) {
    size_t i = get_global_id(0);
    out[i] = bitselect(a[i], ~a[i], m[i]);
}
)");
    std::vector<std::uint32_t> a, m;
    std::mt19937 random(1);
    for (std::size_t i = 0; i < elements; ++i) {
        a.push_back(random() % 1000);
        m.push_back(random());
    }
    const auto shuffled = kernels.call<std::uint32_t>("shuffle_k", 4, a, m);
    const auto selected = kernels.call<std::uint32_t>("select_k", 4, a, m);
    const auto bits = kernels.call<std::uint32_t>("bits_k", 1, a, m);
    for (std::size_t i = 0; i < elements; ++i) {
        const std::size_t first = i / 4 * 4;
        ASSERT_EQ(shuffled[i], a[first + m[i] % 4] + (m[i] % 8 < 4 ? 0 : 1000));
        ASSERT_EQ(selected[i], m[i] % 2 != 0 ? m[i] : a[i]);
        ASSERT_EQ(bits[i], (a[i] & ~m[i]) | (~a[i] & m[i]));
    }
}

TEST(opencl_data_movement, halves) {
    built_ins kernels(R"(
kernel void to_half(global ushort* out, global const float* a) {
    size_t i = get_global_id(0);
    vstore_half(a[i], i, (global half*)out);
}
kernel void to_half_4(global ushort* out, global const float* a) {
    size_t i = get_global_id(0);
    vstore_half4(vload4(i, a), i, (global half*)out);
}
kernel void of_half(global float* out, global const ushort* a) {
    size_t i = get_global_id(0);
    out[i] = vload_half(i, (global const half*)a);
}
)");
    std::vector<float> a = arguments<float>();
    // Halfway between two halves, of which one is even.
    for (unsigned n = 0; n < 64; ++n) a[elements / 2 + n] = 1 + (float(n) + 0.5F) / 1024;
    for (unsigned n = 0; n < 64; ++n) a[elements / 2 + 64 + n] = (float(n) + 0.5F) * 0x1p-24F;
    const auto halves = kernels.call<std::uint16_t>("to_half", 1, a);
    const auto by_four = kernels.call<std::uint16_t>("to_half_4", 4, a);
    const auto back = kernels.call<float>("of_half", 1, halves);
    for (std::size_t i = 0; i < elements; ++i) {
        if (std::isnan(a[i])) {
            ASSERT_TRUE(std::isnan(back[i]));
            continue;
        }
        ASSERT_EQ(halves[i], by_four[i]) << a[i];
        // The nearest half: 11 bits of precision, 2^-24 at least, 65504 at most.
        const int exponent = a[i] == 0 ? -14 : std::max(std::ilogb(a[i]), -14);
        const float step = std::ldexp(1.0F, std::min(exponent, 16) - 10);
        float nearest = std::nearbyint(a[i] / step) * step;
        if (std::fabs(nearest) > 65504) nearest = std::copysign(HUGE_VALF, a[i]);
        ASSERT_EQ(back[i], nearest) << a[i];
    }
}

// A product that lies between two numbers, and what decides: less than its last bit.
TEST(opencl_data_movement, little_decides_in_a_fused_sum) {
    built_ins kernels(
        kernel_text("k", "double", {"double", "double", "double"}, 1, "fma(A, B, C)"));
    std::vector<double> a, b, c;
    for (std::size_t i = 0; i < elements; ++i) {
        a.push_back(1 + std::ldexp(1.0, -26 - static_cast<int>(i % 3)));
        b.push_back(i % 2 == 0 ? 1 + 0x1p-27 : -(1 + 0x1p-27));
        c.push_back(std::ldexp(i / 2 % 2 == 0 ? 1.0 : -1.0, -static_cast<int>(i / 4 % 1070)));
    }
    // And a product of almost half of the sum's last bit: it lacks what lies 100 bits lower.
    for (int k = 20; k <= 52; ++k) {
        a[k] = 0x1p-53 * (1 + std::ldexp(1.0, -k));
        b[k] = 1 - std::ldexp(1.0, -k);
        c[k] = 1 + 0x1p-52;
    }
    // And one that is more than half by 2^-77 of it.
    a[53] = 8137441136617664 * 0x1p-105;
    b[53] = 4984960078514823 * 0x1p-53;
    c[53] = 1;
    const auto found = kernels.call<double>("k", 1, a, b, c);
    for (std::size_t i = 0; i < elements; ++i) {
        ASSERT_EQ(found[i], std::fma(a[i], b[i], c[i])) << a[i] << ", " << b[i] << ", " << c[i];
    }
}

TEST(opencl_data_movement, groups_copy_together) {
    built_ins kernels(R"(
kernel void reversed(global float4* out, global const float4* in) {
    local float4 part[64];
    const size_t n = get_local_size(0), first = get_group_id(0) * n;
    event_t there = async_work_group_copy(part, in + first, n, 0);
    wait_group_events(1, &there);
    const float4 mine = part[n - 1 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t back = async_work_group_copy(out + first, part, n, 0);
    wait_group_events(1, &back);
    prefetch(in, 1);
}
)");
    const std::vector<float> in = arguments<float>();
    device& gpu = kernels.gpu();
    const device_buffer<float> a(gpu, in, "in"), out(gpu, elements, "out");
    constexpr std::uint32_t block = 48;
    launch(gpu, "reversed", {{elements / 4 / block}, {block}}, out.get(), a.get());
    const auto found = out.read();
    for (std::size_t i = 0; i < elements; ++i) {
        const std::size_t item = i / 4, group = item / block;
        const std::size_t from = group * block + block - 1 - item % block;
        ASSERT_EQ(error_of(found[i], in[from * 4 + i % 4]), 0) << i;
    }
}

TEST(opencl_data_movement, atomics_by_both_names) {
    for (const std::string prefix : {"atomic_", "atom_"}) {
        for (const std::string type : {"int", "uint"}) {
            built_ins kernels("#define F(name) " + prefix + "##name\n#define T " + type + R"(
kernel void k(global T* sums, global T* old) {
    local T own[10];
    const uint l = get_local_id(0);
    if (l < 10) own[l] = l == 5 ? -1 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    F(add)(&own[0], (T)l);
    F(sub)(&own[1], (T)l);
    F(inc)(&own[2]);
    F(dec)(&own[3]);
    F(max)(&own[4], (T)(l - 32));
    F(and)(&own[5], ~(T)l);
    F(or)(&own[6], (T)l);
    F(xor)(&own[7], (T)1 << (l & 31));
    if (F(cmpxchg)(&own[8], 0, (T)(l + 1)) == 0) old[1] = l + 1;
    F(min)(&own[9], (T)(-3));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 10) F(add)(&sums[l], own[l]);
    if (l == 0) old[0] = F(xchg)(&sums[10], 7);
    if (l == 1) old[2] = own[8];
}
)");
            device& gpu = kernels.gpu();
            const device_buffer<std::uint32_t> sums(gpu, std::vector<std::uint32_t>(11, 0), "sums");
            const device_buffer<std::uint32_t> old(gpu, std::vector<std::uint32_t>(3, 9), "old");
            launch(gpu, "k", {{1}, {64}}, sums.get(), old.get());
            const bool is_signed = type == "int";
            const auto found = sums.read();
            EXPECT_EQ(found[0], 64U * 63 / 2);
            EXPECT_EQ(found[1], 0U - 64U * 63 / 2);
            EXPECT_EQ(found[2], 64U);
            EXPECT_EQ(found[3], 0U - 64U);
            EXPECT_EQ(found[4], is_signed ? 31U : 0U - 1);
            EXPECT_EQ(found[5], ~63U);
            EXPECT_EQ(found[6], 63U);
            EXPECT_EQ(found[7], 0U);
            EXPECT_EQ(found[9], is_signed ? 0U - 3 : 0U);
            EXPECT_EQ(found[10], 7U);
            EXPECT_EQ(old.read()[0], 0U);
            EXPECT_EQ(old.read()[1], old.read()[2]);
        }
    }
}

}  // namespace
}  // namespace heddle::opencl::test
