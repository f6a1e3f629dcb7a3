// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// docs/cuda_api.md lists every function, by the tables that the library is made of.
#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"

namespace heddle {
namespace {

const std::string runtime_table = "runtime/cuda/library/entry_points.def";
const std::string driver_table = "runtime/cuda/library/driver_entry_points.def";
const std::string absent_table = "runtime/cuda/include/heddle_cuda/not_supported.def";
const std::string driver_absent_table = "runtime/cuda/include/heddle_cuda/driver_not_supported.def";

/// Calls `each` for the lines of a table: the macro's name, and what it has in brackets.
template <class Call>
void for_lines(const std::string& table, const Call& each) {
    const std::string text = contents_of(source_path(table));
    const std::regex line(R"line(\nHEDDLE_CUDA_(\w+)\((?:"([^"]*)"|(\w+))(?:, "([^"]*)")?\))line");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), line);
         it != std::sregex_iterator(); ++it) {
        const std::smatch& found = *it;
        each(found[1].str(), found[2].str() + found[3].str(), found[4].str());
    }
}

/// A section for each HEDDLE_CUDA_SECTION, a row for each entry.
std::string table_of(const std::string& table) {
    std::string page;
    for_lines(table,
              [&](const std::string& kind, const std::string& name, const std::string& note) {
                  if (kind == "SECTION") {
                      page += "\n### " + name + "\n\n| function | |\n|---|---|\n";
                  } else {
                      page += "| `" + name + "` | " + note + (note.empty() ? "|\n" : " |\n");
                  }
              });
    return page;
}

std::string list_of(const std::string& table, const std::string& first) {
    std::string page;
    std::string section = first;
    std::string names;
    const auto end_section = [&] {
        if (!names.empty()) page += "\n**" + section + ":** " + names + ".\n";
        names.clear();
    };
    for_lines(table, [&](const std::string& kind, const std::string& name, const std::string&) {
        if (kind == "SECTION") {
            end_section();
            section = name;
        } else {
            names += (names.empty() ? "`" : ", `") + name + "`";
        }
    });
    end_section();
    return page;
}

std::string page() {
    return "# Functions of CUDA\n\n"
           "What `libheddle_cuda.so` has of CUDA 12's runtime and driver API. This page is made "
           "of " +
           std::string(
               "[entry_points.def](../runtime/cuda/library/entry_points.def), "
               "[driver_entry_points.def](../runtime/cuda/library/driver_entry_points.def) "
               "and the tables of what is not supported.\n"
               "[cuda.md](cuda.md) says how the device behaves.\n\n"
               "## Runtime API\n") +
           table_of(runtime_table) +
           "\n## Runtime API: not supported\n\n"
           "These functions return `cudaErrorNotSupported`, whatever their arguments are.\n" +
           list_of(absent_table, "Others") + "\n## Driver API\n" + table_of(driver_table) +
           "\n## Driver API: not supported\n\n"
           "These functions return `CUDA_ERROR_NOT_SUPPORTED`. A program that calls a function of "
           "the driver API that this page does not name is not linked.\n" +
           list_of(driver_absent_table, "Functions");
}

TEST(cuda_api_page, is_that_of_the_tables) {
    const std::string generated = build_path("cuda_api.md");
    std::ofstream(generated) << page();
    EXPECT_EQ(contents_of(source_path("docs/cuda_api.md")), page())
        << "the tables have changed: cp " << generated << " docs/cuda_api.md";
}

std::set<std::string> names_of(const std::string& table) {
    std::set<std::string> names;
    for_lines(table, [&](const std::string& kind, const std::string& name, const std::string&) {
        if (kind == "SECTION") return;
        EXPECT_TRUE(names.insert(name).second) << name;
    });
    return names;
}

std::set<std::string> declared(const std::string& header, const std::string& pattern) {
    const std::string text = contents_of(source_path("runtime/cuda/include/" + header));
    std::set<std::string> names;
    const std::regex line("\n(?:" + pattern + R"() (cu\w+)\()");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), line);
         it != std::sregex_iterator(); ++it) {
        names.insert((*it)[1]);
    }
    return names;
}

TEST(cuda_api_page, has_what_the_headers_declare) {
    EXPECT_EQ(names_of(runtime_table),
              declared("cuda_runtime_api.h", R"(cudaError_t|const char\*|struct \w+)"));
    std::set<std::string> of_driver = declared("cuda.h", "CUresult");
    of_driver.merge(declared("heddle_cuda/driver_arrays.h", "CUresult"));
    EXPECT_EQ(names_of(driver_table), of_driver);
    EXPECT_GE(names_of(absent_table).size(), 160u);
}

}  // namespace
}  // namespace heddle
