// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Ranges of work-items and the groups that they are divided into.
#include "tests/runtime/opencl_fixture.h"

namespace heddle {
namespace {

class opencl_range : public opencl_test {};

TEST_F(opencl_range, work_items_have_the_indices_of_their_range) {
    const cl_kernel k =
        kernel(built("kernel void k(global uint* out, uint w) {"
                     "  uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - 3;"
                     "  out[y * w + x] = get_global_id(0) + 100 * get_global_id(1)"
                     "    + 10000 * get_work_dim() + 100000 * (get_global_size(0) == w); }"),
               "k");
    const cl_mem out = buffer(4 * 15);
    const cl_uint w = 5;
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof out, &out), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(k, 1, 4, &w), CL_SUCCESS);
    const std::size_t offset[2] = {7, 3}, global[2] = {5, 3};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, k, 2, offset, global, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    cl_uint found[15];
    EXPECT_EQ(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, nullptr, nullptr),
              CL_SUCCESS);
    for (cl_uint y = 0; y < 3; ++y) {
        for (cl_uint x = 0; x < w; ++x) {
            EXPECT_EQ(found[y * w + x], 7 + x + 100 * (3 + y) + 20000 + 100000) << x << "," << y;
        }
    }
}

TEST_F(opencl_range, without_a_group_has_one_that_divides_it) {
    const cl_kernel k =
        kernel(built("kernel void k(global uint* out) {"
                     "  if (get_global_id(0) + get_global_id(1) + get_global_id(2) != 0) return;"
                     "  for (int i = 0; i < 3; ++i) { out[i] = get_local_size(i); out[3 + i] = "
                     "get_num_groups(i); } }"),
               "k");
    const cl_mem out = buffer(4 * 6);
    EXPECT_EQ(clSetKernelArg(k, 0, sizeof out, &out), CL_SUCCESS);
    const auto group = [&](std::size_t x, std::size_t y, std::size_t z) {
        const std::size_t global[3] = {x, y, z};
        EXPECT_EQ(
            clEnqueueNDRangeKernel(queue, k, 3, nullptr, global, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
        std::vector<cl_uint> found(6);
        EXPECT_EQ(
            clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 24, found.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
        for (int i = 0; i < 3; ++i) EXPECT_EQ(found[i] * found[3 + i], global[i]);
        found.resize(3);
        return found;
    };
    using sizes = std::vector<cl_uint>;
    EXPECT_EQ(group(64, 64, 1), (sizes{64, 4, 1}));
    EXPECT_EQ(group(1024, 2, 2), (sizes{256, 1, 1}));
    EXPECT_EQ(group(1000, 1, 1), (sizes{250, 1, 1}));
    EXPECT_EQ(group(257, 3, 1), (sizes{1, 3, 1}));
    EXPECT_EQ(group(4, 4, 40), (sizes{4, 4, 10}));
    EXPECT_TRUE(told.empty());
}

}  // namespace
}  // namespace heddle
