// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// No function of OpenCL 1.2 is forgotten, and none of the loader's table is empty.
#include <gmock/gmock.h>

#include <cstddef>
#include <regex>
#include <set>
#include <string>

#include "runtime/opencl/headers.h"
#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

/// The functions of Khronos' header that OpenCL 1.2 has.
std::set<std::string> functions_of_header() {
    const std::string text = contents_of(HEDDLE_OPENCL_HEADER);
    std::set<std::string> names;
    // The version that has brought or deprecated it stands behind it.
    std::size_t at = 0;
    while ((at = text.find("extern CL_API_ENTRY", at)) != std::string::npos) {
        const std::size_t end = text.find(';', at);
        const std::string one = text.substr(at, end - at);
        at = end;
        std::smatch name;
        if (!std::regex_search(one, name, std::regex(R"(\b(cl[A-Z]\w+)\()"))) continue;
        const bool later = std::regex_search(one, std::regex(R"(SUFFIX__VERSION_[23]_\d)"));
        if (!later) names.insert(name[1]);
    }
    return names;
}

std::set<std::string> functions_of_table() {
    const std::string text = contents_of(source_path("runtime/opencl/entry_points.def"));
    std::set<std::string> names;
    const std::regex entry(R"(\nHEDDLE_ENTRY\((\w+)\))");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), entry);
         it != std::sregex_iterator(); ++it) {
        names.insert((*it)[1]);
    }
    return names;
}

TEST(entry_points, are_those_of_the_header) {
    const std::set<std::string> header = functions_of_header();
    EXPECT_GE(header.size(), 80u);
    EXPECT_EQ(functions_of_table(), header);
}

TEST(entry_points, of_all_versions_are_in_the_table) {
    cl_platform_id platform = nullptr;
    ::setenv("OCL_ICD_VENDORS", HEDDLE_OPENCL_ICD, 1);
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    void** const table = *reinterpret_cast<void***>(platform);
    for (std::size_t i = 0; i < sizeof(cl_icd_dispatch) / sizeof(void*); ++i) {
        EXPECT_NE(table[i], nullptr) << i;
    }
}

TEST(entry_points, of_other_versions_return_their_error) {
    cl_platform_id platform = nullptr;
    ::setenv("OCL_ICD_VENDORS", HEDDLE_OPENCL_ICD, 1);
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    const cl_icd_dispatch& table = **reinterpret_cast<cl_icd_dispatch**>(platform);
    cl_int code = 0;
    EXPECT_EQ(table.clCreatePipe(nullptr, 0, 1, 1, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    EXPECT_EQ(table.clSVMAlloc(nullptr, 0, 1, 0), nullptr);
    EXPECT_EQ(table.clGetHostTimer(nullptr, nullptr), CL_INVALID_OPERATION);
}

}  // namespace
}  // namespace heddle
