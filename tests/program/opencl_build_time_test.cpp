// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// How long a program builds that is as long as those of benchmarks.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "models/program/build_cache.h"
#include "models/program/image.h"
#include "models/program/opencl_build.h"
#include "tests/base/temporary_directory.h"

namespace heddle::program {
namespace {

/// A kernel of 200 lines: loops, branches, local memory, vectors, and fifty calls of built-ins.
std::string long_kernel() {
    std::string text =
        "kernel void move(global const float4* from, global float4* to, global int* counts,\n"
        "                 local float4* near, int n, float step) {\n"
        "    const int i = get_global_id(0), l = get_local_id(0), width = get_local_size(0);\n"
        "    float4 at = from[i], force = (float4)(0);\n"
        "    int close = 0;\n";
    const char* const weights[] = {"exp(-d)", "rsqrt(d)", "1.0f / (1.0f + pow(d, 1.5f))",
                                   "sin(d) * cos(step)", "log(1.0f + d)"};
    for (int part = 0; part < 10; ++part) {
        const std::string number = std::to_string(part);
        text += "    for (int first = " + number +
                "; first < n; first += width) {\n"
                "        near[l] = first + l < n ? from[first + l] : (float4)(0);\n"
                "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                "        const int last = min(width, n - first);\n"
                "        for (int k = 0; k < last; ++k) {\n"
                "            const float4 other = near[k];\n"
                "            const float3 way = other.xyz - at.xyz;\n"
                "            const float d = dot(way, way) + 1e-3f;\n"
                "            if (d > 100.0f + " +
                number +
                ") continue;\n"
                "            const float weight = " +
                weights[part % 5] +
                ";\n"
                "            force.xyz += way * (weight * other.w);\n"
                "            force.w += fabs(weight);\n"
                "            close += d < 1.0f;\n"
                "            if (close > 1000) break;\n"
                "        }\n"
                "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    }\n"
                "    at.xyz += force.xyz * step;\n"
                "    at = clamp(at, (float4)(-50.0f), (float4)(50.0f));\n";
    }
    return text +
           "    atomic_add(&counts[i % 16], close);\n"
           "    if (isnan(at.x)) at = from[i];\n"
           "    at.w = from[i].w;\n"
           "    to[i] = at;\n"
           "}\n";
}

/// Processor time of the compiler and the linker so far.
double seconds_of_children() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

TEST(opencl_build_time, of_200_lines_is_two_seconds_and_once) {
    const temporary_directory folder;
    const opencl_source source{{"long.cl", long_kernel()}, {}, ""};
    ASSERT_EQ(std::count(source.source.text.begin(), source.source.text.end(), '\n'), 200);
    const auto build = [&](double& seconds) {
        build_cache cache(folder / "cache");
        const double before = seconds_of_children();
        opencl_program built = cache.build(source, {});
        seconds = seconds_of_children() - before;
        EXPECT_EQ(built.status, build_status::success) << built.log;
        return built;
    };
    double first = 0, second = 0;
    const opencl_program made = build(first);
    const opencl_program found = build(second);
    std::printf("processor time: %.2f s, then %.2f s\n", first, second);
    EXPECT_LE(first, 2.0);
    EXPECT_LE(second, 0.3);  // asks the tools for their versions
    EXPECT_EQ(found.image, made.image);
    EXPECT_EQ(image::load(made.image.data(), made.image.size(), "long").kernels().size(), 1U);
}

}  // namespace
}  // namespace heddle::program
