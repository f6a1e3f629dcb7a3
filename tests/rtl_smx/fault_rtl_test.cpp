// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels that do what is illegal: the RTL SMX says so, for the lanes that do it, and stops.
#include <gmock/gmock.h>

#include "tests/rtl_smx/illegal_kernels.h"

namespace heddle::rtl_smx {
namespace {

class rtl_fault : public testing::TestWithParam<illegal_kernel> {};

TEST_P(rtl_fault, is_reported) {
    const illegal_kernel& one = GetParam();
    std::string text;
    ASSERT_NO_THROW(text = fault_of(compile_illegal(one), {}));
    EXPECT_THAT(text,
                testing::AllOf(testing::HasSubstr("fault " + std::to_string(one.fault) + " at"),
                               testing::HasSubstr(std::string("lanes 0x") + one.lanes)));
}

INSTANTIATE_TEST_SUITE_P(kinds, rtl_fault, testing::ValuesIn(illegal_kernels()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::rtl_smx
