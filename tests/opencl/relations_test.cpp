// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Relational, common and geometric functions of OpenCL C 1.2 (6.12.4 to 6.12.6).
#include <gtest/gtest.h>

#include "tests/opencl/accuracy.h"

namespace heddle::opencl::test {
namespace {

struct relation {
    const char* name;
    unsigned arguments;
    bool (*holds)(float, float);
};
const relation relations[] = {
    {"isequal", 2, [](float a, float b) { return a == b; }},
    {"isnotequal", 2, [](float a, float b) { return a != b; }},
    {"isgreater", 2, [](float a, float b) { return a > b; }},
    {"isgreaterequal", 2, [](float a, float b) { return a >= b; }},
    {"isless", 2, [](float a, float b) { return a < b; }},
    {"islessequal", 2, [](float a, float b) { return a <= b; }},
    {"islessgreater", 2, [](float a, float b) { return a < b || a > b; }},
    {"isordered", 2, [](float a, float b) { return a == a && b == b; }},
    {"isunordered", 2, [](float a, float b) { return a != a || b != b; }},
    {"isfinite", 1, [](float a, float) { return std::isfinite(a); }},
    {"isinf", 1, [](float a, float) { return std::isinf(a); }},
    {"isnan", 1, [](float a, float) { return std::isnan(a); }},
    {"isnormal", 1, [](float a, float) { return std::isnormal(a); }},
    {"signbit", 1, [](float a, float) { return std::signbit(a); }},
};

TEST(opencl_relation, is_one_or_minus_one_in_vectors) {
    std::string text;
    for (const relation& r : relations) {
        for (const unsigned width : widths) {
            const std::vector<std::string> in(r.arguments, "float");
            text += kernel_text(r.name + ("_" + std::to_string(width)), "int", in, width,
                                r.name + std::string(r.arguments == 1 ? "(A)" : "(A, B)"));
        }
    }
    built_ins kernels(text);
    const auto a = arguments<float>(0), b = arguments<float>(1);
    for (const relation& r : relations) {
        for (const unsigned width : widths) {
            const std::string kernel = r.name + ("_" + std::to_string(width));
            const auto found = r.arguments == 1 ? kernels.call<std::int32_t>(kernel, width, a)
                                                : kernels.call<std::int32_t>(kernel, width, a, b);
            for (std::size_t i = 0; i < elements; ++i) {
                const int yes = width == 1 ? 1 : -1;
                ASSERT_EQ(found[i], r.holds(a[i], b[i]) ? yes : 0)
                    << kernel << " of " << a[i] << ", " << b[i];
            }
        }
    }
}

TEST(opencl_relation, any_and_all_look_at_the_highest_bits) {
    built_ins kernels(R"(
kernel void ask(global int* out, global const int* a) {
    size_t i = get_global_id(0);
    int3 x = vload3(i, a);
    vstore3((int3)(any(x), all(x), any(x.x) * 2 + all(x.y)), i, out);
}
)");
    std::vector<std::int32_t> a;
    for (std::size_t i = 0; i < elements; ++i) {
        a.push_back((i / 3 >> i % 3) % 2 != 0 ? -1 - static_cast<int>(i) : static_cast<int>(i));
    }
    const auto found = kernels.call<std::int32_t>("ask", 3, a);
    for (std::size_t i = 0; i < elements; i += 3) {
        const bool x = a[i] < 0, y = a[i + 1] < 0, z = a[i + 2] < 0;
        ASSERT_EQ(found[i], x || y || z);
        ASSERT_EQ(found[i + 1], x && y && z);
        ASSERT_EQ(found[i + 2], 2 * x + y);
    }
}

/// Their operations are rounded each: errors of some units of the largest operand.
TEST(opencl_relation, common_functions) {
    std::string text;
    for (const unsigned width : widths) {
        const std::string w = std::to_string(width);
        const std::vector<std::string> in(3, "float");
        text += kernel_text("clamp_" + w, "float", in, width, "clamp(A, fmin(B, C), fmax(B, C))");
        text += kernel_text("mix_" + w, "float", in, width, "mix(A, B, C)");
        text += kernel_text("step_" + w, "float", in, width, "step(A, B)");
        text += kernel_text("smooth_" + w, "float", in, width, "smoothstep(A, B, C)");
    }
    built_ins kernels(text);
    std::vector<float> a, b, c;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> some(-8, 8);
    for (std::size_t i = 0; i < elements; ++i) {
        a.push_back(some(random));
        b.push_back(i % 16 == 0 ? a.back() : a.back() + 0.5F + std::fabs(some(random)));
        c.push_back(some(random));
    }
    for (const unsigned width : widths) {
        const std::string w = std::to_string(width);
        const auto clamped = kernels.call<float>("clamp_" + w, width, a, b, c);
        const auto mixed = kernels.call<float>("mix_" + w, width, a, b, c);
        const auto stepped = kernels.call<float>("step_" + w, width, a, b, c);
        const auto smooth = kernels.call<float>("smooth_" + w, width, a, b, c);
        for (std::size_t i = 0; i < elements; ++i) {
            ASSERT_EQ(clamped[i], std::clamp(a[i], std::min(b[i], c[i]), std::max(b[i], c[i])));
            ASSERT_NEAR(mixed[i], a[i] + (double(b[i]) - a[i]) * c[i], 2e-5);
            ASSERT_EQ(stepped[i], b[i] < a[i] ? 0 : 1);
            if (a[i] == b[i]) continue;  // undefined
            const double t = std::clamp((double(c[i]) - a[i]) / (double(b[i]) - a[i]), 0.0, 1.0);
            ASSERT_NEAR(smooth[i], t * t * (3 - 2 * t), 1e-5);
        }
    }
}

TEST(opencl_relation, geometric_functions) {
    std::string text;
    for (const unsigned width : {1U, 2U, 3U, 4U}) {
        const std::string w = std::to_string(width), type = type_name("float", width);
        text +=
            "kernel void k" + w +
            "(global float* out, global const float* a, global const float* b) {\n"
            "size_t i = get_global_id(0);\n" +
            type + " A = " + load("a", width) + ", B = " + load("b", width) +
            ";\nout[i * 8] = dot(A, B); out[i * 8 + 1] = length(A);\n"
            "out[i * 8 + 2] = distance(A, B); out[i * 8 + 3] = length(normalize(A));\n"
            "out[i * 8 + 4] = dot(normalize(A), A); out[i * 8 + 5] = fast_length(A);\n"
            "out[i * 8 + 6] = fast_distance(A, B); out[i * 8 + 7] = dot(fast_normalize(A), A);\n"
            "}\n";
    }
    text += R"(
kernel void crosses(global float* out, global const float* a, global const float* b) {
    size_t i = get_global_id(0);
    float3 c = cross(vload3(i, a), vload3(i, b));
    float4 d = cross((float4)(vload3(i, a), 5), (float4)(vload3(i, b), 6));
    vstore3(d.w == 0 && all(c == d.xyz) ? c : (float3)(NAN), i, out);
}
)";
    built_ins kernels(text);
    device& gpu = kernels.gpu();
    std::vector<float> a, b;
    std::mt19937 random(1);
    std::normal_distribution<float> some;
    for (std::size_t i = 0; i < elements; ++i) {
        a.push_back(some(random));
        b.push_back(some(random));
    }
    const device_buffer<float> x(gpu, a, "a"), y(gpu, b, "b"), out(gpu, elements * 8, "out");
    for (const unsigned width : {1U, 2U, 3U, 4U}) {
        constexpr std::uint32_t threads = 1024;
        launch(gpu, "k" + std::to_string(width), {{threads / 64}, {64}}, out.get(), x.get(),
               y.get());
        const auto found = out.read();
        for (std::size_t i = 0; i < threads; ++i) {
            double dot = 0, square = 0, apart = 0;
            for (std::size_t n = i * width; n < (i + 1) * width; ++n) {
                dot += double(a[n]) * b[n];
                square += double(a[n]) * a[n];
                apart += (double(a[n]) - b[n]) * (double(a[n]) - b[n]);
            }
            const double length = std::sqrt(square), distance = std::sqrt(apart);
            const float* const of = &found[i * 8];
            ASSERT_NEAR(of[0], dot, 1e-5);
            ASSERT_LE(error_of(of[1], length), 5) << width;
            ASSERT_NEAR(of[2], distance, 1e-5);
            ASSERT_NEAR(of[3], 1, 1e-6);
            ASSERT_NEAR(of[4], length, 1e-5);
            ASSERT_LE(error_of(of[5], length), 8192);
            ASSERT_NEAR(of[6], distance, 1e-4);
            ASSERT_NEAR(of[7], length, 1e-4);
        }
    }
    const auto crossed = kernels.call<float>("crosses", 3, a, b);
    for (std::size_t i = 0; i < elements; i += 3) {
        for (std::size_t n = 0; n < 3; ++n) {
            const std::size_t j = i + (n + 1) % 3, k = i + (n + 2) % 3;
            ASSERT_NEAR(crossed[i + n], double(a[j]) * b[k] - double(a[k]) * b[j], 2e-6);
        }
    }
}

}  // namespace
}  // namespace heddle::opencl::test
