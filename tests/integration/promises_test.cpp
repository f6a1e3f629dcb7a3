// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/integration/promises.h"

#include <gmock/gmock.h>

#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"

namespace heddle::layering {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What is found in a tree with one source file.
std::vector<std::string> found_in(const std::string& file, const std::string& text) {
    const temporary_directory tree;
    tree.write(file, text);
    return broken_promises(tree.path());
}

TEST(promises, this_tree_keeps_them) {
    EXPECT_THAT(broken_promises(source_path("")), IsEmpty());
}

struct snippet {
    const char* file;
    const char* text;
    const char* what;  ///< part of the complaint
};

TEST(promises, are_seen_broken) {
    const snippet bad[] = {
        {"hw/kmu/a.cpp", "void f() { SC_REPORT_FATAL(\"a\", \"b\"); }", "run_status"},
        {"hw/kmu/a.cpp", "void f(int x) {\n    assert(x > 0);\n}", "run_status"},
        {"models/simt/a.cpp", "void f() {\n    std::abort();\n}", "run_status"},
        {"models/iss/a.cpp", "void f() {\n    std::exit(1);\n}", "run_status"},
        {"hw/kmu/a.cpp", "void f() { sc_core::sc_stop(); }", "run_control"},
        {"hw/kmu/a.cpp", "kmu::kmu() { SC_THREAD(run); }", "only SC_THREAD"},
        {"hw/kmu/a.cpp", "kmu::kmu() { SC_METHOD(run); }", "one process"},
        {"hw/kmu/a.cpp", "void kmu::evaluate() { throw run_error(); }", "nothing throws"},
        {"models/simt/a.cpp", "void f() { throw run_error(); }", "nothing throws"},
        {"hw/l2/a.h", "class a {\n    std::map<std::string, int> names_;\n};", "by a text"},
        {"hw/smx/a.cpp", "void f() {\n    for (const warp& each : warps_) each.run();\n}", "scans"},
        {"hw/smx/a.cpp", "void f() {\n    for (unsigned i = 0; i < maximum_warps; ++i) run(i);\n}",
         "scans"},
        {"hw/base/waveform.h",
         "inline void wave_bits::set(std::uint64_t value) {\n    push(value);\n}", "one branch"},
        {"hw/kmu/a.h", "kmu(kmu_configuration configuration);", "const reference"},
        {"hw/kmu/a.h", "kmu(int a, kmu_configuration& configuration);", "const reference"},
        {"hw/kmu/a.cpp", "int counter = 0;", "globals"},
        {"hw/kmu/a.cpp", "std::vector<int> all;", "globals"},
        {"hw/kmu/a.cpp", "static unsigned calls;", "globals"},
        {"models/iss/a.h", "inline std::atomic<unsigned> calls{0};", "globals"},
        {"hw/kmu/a.cpp", "void f() {\n    static int calls = 0;\n}", "globals"},
        {"hw/kmu/a.h", "class a {\n    static inline int calls_ = 0;\n};", "globals"},
        {"hw/kmu/a.cpp", "void f() {\n    thread_local int calls = 0;\n}", "globals"},
        {"hw/smx/a.cpp", "if (address < 0x4000'0000u) {}", "address of the map"},
        {"models/device/a.h", "constexpr std::uint32_t first = 0xd0000000;", "address of the map"},
        {"models/device/device.h", "#include \"models/device/launch_table.h\"\n", "nothing of"},
        {"models/workloads/a/a.cpp", "#include \"models/device/basic_device.h\"\n", "nothing of"},
    };
    for (const snippet& each : bad) {
        EXPECT_THAT(found_in(each.file, each.text), ElementsAre(HasSubstr(each.what))) << each.text;
    }
    EXPECT_THAT(found_in("hw/kmu/a.cpp", "\n\nvoid f() {\n    assert(true);\n}"),
                ElementsAre("hw/kmu/a.cpp:4: a run ends by a report to run_status, not at once"));
}

TEST(promises, what_looks_alike_is_legal) {
    const snippet good[] = {
        {"hw/kmu/a.cpp", "// assert(x), SC_THREAD, throw\nconst char* a = \"abort()\";\n", ""},
        {"hw/kmu/a.cpp", "static_assert(sizeof(int) == 4);\nvoid f() { masks.abort(); }", ""},
        {"hw/smx/a.cpp", "for (warp_mask left = block.warps; left != 0; left &= left - 1) {}", ""},
        {"hw/kmu/a.h",
         "class kmu {\n    kmu(const kmu_configuration& configuration);\n    kmu_configuration "
         "c_;\n};",
         ""},
        {"hw/kmu/a.cpp",
         "constexpr int most = 3;\nstatic const int least = 1;\nint f();\n"
         "using a = int;\nstatic int g() {\n    return 1;\n}\n",
         ""},
        {"hw/kmu/a.h",
         "class a {\n    static constexpr int b = 1;\n    static int c();\n"
         "    int d_ = 0;\n};",
         ""},
        {"hw/smx/a.cpp", "constexpr std::uint32_t all = 0xffff'ffff;", ""},
        {"models/program/address_map.h", "constexpr std::uint32_t heap = 0x4000'0000;", ""},
        {"models/workloads/a/a.cpp", "#include \"models/device/device.h\"\n", ""},
        {"hw/base/waveform.h",
         "inline void wave_bits::set(std::uint64_t value) {\n"
         "    if (sink_ != nullptr) {\n        push(value);\n    }\n}\n",
         ""},
    };
    for (const snippet& each : good) {
        EXPECT_THAT(found_in(each.file, each.text), IsEmpty()) << each.text;
    }
}

}  // namespace
}  // namespace heddle::layering
