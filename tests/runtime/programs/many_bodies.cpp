// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The C++ headers: exceptions, functors, vectors, native functions.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

const char* const source =
    "kernel void forces(global const float4* p, global float4* f, int n) {"
    "  int i = get_global_id(0); float4 sum = (float4)(0.0f);"
    "  for (int j = 0; j < n; ++j) {"
    "    float4 d = p[j] - p[i]; d.w = 0.0f;"
    "    float r = native_rsqrt(dot(d, d) + 0.01f);"
    "    sum += d * (p[j].w * r * r * r); }"
    "  f[i] = sum; }";

int main(int argc, char** argv) {
    try {
        const int n = argc > 1 ? std::atoi(argv[1]) : 32;
        const cl::Context context(CL_DEVICE_TYPE_GPU);
        cl::CommandQueue queue(context);
        const cl::Program program(context, source, true);
        std::vector<cl_float4> points(n), found(n);
        unsigned state = 3;
        for (auto& p : points) {
            for (float& x : p.s) x = static_cast<float>((state = state * 69069 + 1) >> 16) / 65536;
        }
        cl::Buffer p(context, points.begin(), points.end(), true);
        cl::Buffer f(context, CL_MEM_WRITE_ONLY, n * sizeof(cl_float4));
        cl::KernelFunctor<cl::Buffer, cl::Buffer, int> forces(program, "forces");
        forces(cl::EnqueueArgs(queue, cl::NDRange(n)), p, f, n).wait();
        cl::copy(queue, f, found.begin(), found.end());
        int wrong = 0;
        for (int i = 0; i < n; ++i) {
            double sum[3] = {};
            for (int j = 0; j < n; ++j) {
                double d[3], square = 0.01;
                for (int k = 0; k < 3; ++k) {
                    d[k] = double(points[j].s[k]) - points[i].s[k];
                    square += d[k] * d[k];
                }
                for (int k = 0; k < 3; ++k) sum[k] += d[k] * points[j].s[3] / std::pow(square, 1.5);
            }
            for (int k = 0; k < 3; ++k) {
                wrong += std::fabs(found[i].s[k] - sum[k]) > 1e-3 * (1 + std::fabs(sum[k]));
            }
        }
        std::printf(wrong == 0 ? "correct\n" : "WRONG: %d values\n", wrong);
        return wrong != 0;
    } catch (const cl::Error& error) {
        std::fprintf(stderr, "%s: %d\n", error.what(), error.err());
        return 2;
    }
}
