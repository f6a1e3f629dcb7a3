// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/integration/layering.h"

#include <gmock/gmock.h>

#include "tb/kit/paths.h"
#include "tests/base/temporary_directory.h"
#include "tests/integration/class_sizes.h"

namespace heddle::layering {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string licence =
    "// SPDX-License-Identifier: Apache-2.0\n// Copyright The Heddle authors\n";

/// What is found in a tree with one source file (not a header) of the given include.
std::vector<std::string> including(const std::string& file, const std::string& included) {
    const temporary_directory tree;
    const bool system = included[0] == '<';
    tree.write(file, licence + "#include " + (system ? included : '"' + included + '"') + "\n");
    return violations(tree.path());
}

TEST(layering, this_tree_keeps_the_rules) {
    EXPECT_THAT(violations(source_path("")), IsEmpty());
}

TEST(layering, models_know_no_hardware) {
    EXPECT_THAT(including("models/iss/a.cpp", "<systemc>"),
                ElementsAre("models/iss/a.cpp:3: includes systemc: "
                            "models never include SystemC or TLM"));
    for (const char* header : {"<systemc.h>", "<tlm.h>", "<tlm>", "<sysc/kernel/sc_time.h>",
                               "<tlm_utils/simple_target_socket.h>", "systemc.h", "hw/base/pool.h",
                               "tb/kit/testbench.h", "tests/isa/machine.h"}) {
        EXPECT_EQ(including("models/iss/a.cpp", header).size(), 1U) << header;
    }
    for (const char* header : {"<system_error>", "<vector>", "<boost/graph/tlm.h>"}) {
        EXPECT_THAT(including("models/iss/a.cpp", header), IsEmpty()) << header;
    }
}

TEST(layering, folders_of_models_stand_on_each_other) {
    const std::pair<const char*, const char*> legal[] = {
        {"models/isa/a.cpp", "models/base/error.h"},
        {"models/program/a.cpp", "models/isa/decode.h"},
        {"models/device/a.cpp", "models/program/image.h"},
        {"models/simt/a.cpp", "models/device/device.h"},
        {"models/iss/a.cpp", "models/simt/stack.h"},
        {"models/inputs/a.cpp", "models/base/error.h"},
        {"models/workloads/bfs/bfs.cpp", "models/workloads/helpers.h"},
        {"models/workloads/bfs/bfs.cpp", "models/inputs/graph.h"},
        {"models/workloads/bfs/bfs.cpp", "models/device/device.h"}};
    for (const auto& [file, included] : legal) {
        EXPECT_THAT(including(file, included), IsEmpty());
    }
    const std::pair<const char*, const char*> illegal[] = {
        {"models/base/a.cpp", "models/isa/decode.h"},
        {"models/isa/a.cpp", "models/program/image.h"},
        {"models/program/a.cpp", "models/device/device.h"},
        {"models/device/a.cpp", "models/simt/stack.h"},
        {"models/simt/a.cpp", "models/iss/warp.h"},
        {"models/iss/a.cpp", "models/workloads/registry.h"},
        {"models/inputs/a.cpp", "models/device/device.h"},
        {"models/workloads/bfs/bfs.cpp", "models/iss/simulator.h"},
        {"models/surprise/a.cpp", "models/base/error.h"}};
    for (const auto& [file, included] : illegal) {
        EXPECT_EQ(including(file, included).size(), 1U) << file << " -> " << included;
    }
}

TEST(layering, hardware_stands_on_protocols_and_below_the_netlist) {
    const std::pair<const char*, const char*> legal[] = {
        {"hw/base/a.cpp", "models/base/error.h"}, {"hw/base/a.cpp", "<systemc>"},
        {"hw/protocol/a.cpp", "hw/base/pool.h"},  {"hw/protocol/a.cpp", "models/isa/atomic.h"},
        {"hw/kmu/kmu.cpp", "hw/protocol/link.h"}, {"hw/kmu/kmu.cpp", "models/simt/stack.h"},
        {"hw/top/gpu.cpp", "hw/kmu/kmu.h"},       {"hw/top/gpu.cpp", "hw/cosim/kmu.h"},
        {"hw/cosim/kmu.cpp", "hw/kmu/kmu.h"},     {"command/run.cpp", "hw/top/gpu.h"},
        {"command/a.cpp", "models/iss/a.h"},      {"library/a.cpp", "command/run.h"},
        {"library/a.cpp", "library/b.h"},         {"hw/top/a.cpp", "include/heddle/a.h"},
        {"include/heddle/a.c", "<stdint.h>"},     {"include/heddle/a.c", "b.h"},
        {"tb/kmu_tb.cpp", "hw/kmu/kmu.h"},        {"tests/hw/kmu_test.cpp", "tb/kit/a.h"},
        {"tests/iss/a.cpp", "models/iss/a.h"},    {"tests/iss/kernels/a.cpp", "<heddle.h>"}};
    for (const auto& [file, included] : legal) {
        EXPECT_THAT(including(file, included), IsEmpty());
    }
    const std::pair<const char*, const char*> illegal[] = {
        {"hw/base/a.cpp", "models/iss/warp.h"},
        {"hw/base/a.cpp", "hw/protocol/link.h"},
        {"hw/protocol/a.cpp", "hw/kmu/kmu.h"},
        {"hw/protocol/a.cpp", "models/iss/warp.h"},
        {"hw/kmu/kmu.cpp", "models/iss/simulator.h"},
        {"hw/kmu/kmu.cpp", "models/workloads/a.h"},
        {"hw/kmu/kmu.cpp", "hw/top/gpu.h"},
        {"hw/top/gpu.cpp", "command/run.h"},
        {"command/run.cpp", "tests/base/a.h"},
        {"command/run.cpp", "library/a.h"},
        {"hw/top/gpu.cpp", "library/a.h"},
        {"models/base/a.cpp", "library/a.h"},
        {"library/a.cpp", "tests/base/a.h"},
        {"library/a.cpp", "a.h"},
        {"include/heddle/a.c", "hw/base/a.h"},
        {"hw/kmu/kmu.cpp", "tb/kit/testbench.h"},
        {"hw/kmu/kmu.cpp", "kmu.h"}};
    for (const auto& [file, included] : illegal) {
        EXPECT_EQ(including(file, included).size(), 1U) << file << " -> " << included;
    }
}

TEST(layering, tools_leave_no_files) {
    for (const char* file : {"hw/smx/a.cpp.orig", "docs/a.md.rej", "tests/a.bak", "models/a.h~"}) {
        const temporary_directory tree;
        tree.write(file, "anything");
        EXPECT_THAT(violations(tree.path()),
                    ElementsAre(std::string(file) + ": left over by a tool"));
    }
}

TEST(layering, a_block_never_includes_another) {
    EXPECT_THAT(including("hw/new_block/a.cpp", "hw/other_block/b.h"),
                ElementsAre("hw/new_block/a.cpp:3: includes hw/other_block/b.h: "
                            "a block never includes another block"));
    EXPECT_EQ(including("hw/l2/l2.cpp", "hw/l2x/l2.h").size(), 1U);
}

TEST(layering, the_rooms_of_an_smx_stand_on_each_other) {
    const std::pair<const char*, const char*> legal[] = {
        {"hw/smx/smx.cpp", "hw/smx/l1/l1.h"},
        {"hw/smx/l1/l1.cpp", "hw/smx/smx_configuration.h"},
        {"hw/smx/lsu/a.cpp", "hw/smx/l1/l1.h"},
        {"hw/smx/execute/a.cpp", "hw/smx/lsu/a.h"},
        {"hw/smx/lsu/a.cpp", "hw/smx/lsu/lines/a.h"},
        {"hw/smx/lsu/lines/a.cpp", "hw/smx/lsu/queue/a.h"},
        {"hw/smx/fetch/a.cpp", "hw/smx/memory_port/a.h"},
        {"hw/smx/issue/a.cpp", "hw/smx/execute/a.h"},
        {"hw/smx/issue/a.cpp", "hw/smx/fetch/a.h"}};
    for (const auto& [file, included] : legal) {
        EXPECT_THAT(including(file, included), IsEmpty());
    }
    const std::pair<const char*, const char*> illegal[] = {
        {"hw/smx/l1/l1.cpp", "hw/smx/smx_core.h"},
        {"hw/smx/l1/l1.cpp", "hw/smx/pipeline/a.h"},
        {"hw/smx/lsu/a.cpp", "hw/smx/execute/a.h"},
        {"hw/smx/lsu/lines/a.cpp", "hw/smx/lsu/a.h"},
        {"hw/smx/lsu/lines/a.cpp", "hw/smx/lsu/loads/a.h"},
        {"hw/smx/memory_port/a.cpp", "hw/smx/lsu/queue/a.h"},
        {"hw/smx/execute/a.cpp", "hw/smx/issue/a.h"},
        {"hw/smx/execute/a.cpp", "hw/smx/divergence_2/a.h"},
        {"hw/smx/new_room/a.cpp", "hw/smx/l1/l1.h"}};
    for (const auto& [file, included] : illegal) {
        EXPECT_EQ(including(file, included).size(), 1U) << file << " -> " << included;
    }
}

TEST(layering, the_rooms_of_the_smx_scheduler_stand_on_each_other) {
    const std::pair<const char*, const char*> legal[] = {
        {"hw/smx_scheduler/a.cpp", "hw/smx_scheduler/distribution/a.h"},
        {"hw/smx_scheduler/groups/a.cpp", "hw/smx_scheduler/smx_scheduler_configuration.h"},
        {"hw/smx_scheduler/placement/a.cpp", "hw/smx_scheduler/chain/a.h"}};
    for (const auto& [file, included] : legal) {
        EXPECT_THAT(including(file, included), IsEmpty());
    }
    const std::pair<const char*, const char*> illegal[] = {
        {"hw/smx_scheduler/groups/a.cpp", "hw/smx_scheduler/smx_scheduler.h"},
        {"hw/smx_scheduler/groups/a.cpp", "hw/smx_scheduler/cooperation/a.h"},
        {"hw/smx_scheduler/chain/a.cpp", "hw/smx_scheduler/placement/a.h"},
        {"hw/smx_scheduler/lsu/a.cpp", "hw/smx_scheduler/chain/a.h"}};
    for (const auto& [file, included] : illegal) {
        EXPECT_EQ(including(file, included).size(), 1U) << file << " -> " << included;
    }
}

TEST(layering, large_classes_are_noticed) {
    const temporary_directory tree;
    const auto members = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += "    int a_" + std::to_string(i) + "_ = 0;\n";
        return text;
    };
    tree.write("hw/kmu/small.h", licence + "#pragma once\nclass a {\n" + members(30) + "};\n");
    tree.write("tb/large.h", licence + "#pragma once\nclass a {\n" + members(31) + "};\n");
    EXPECT_THAT(violations(tree.path()), IsEmpty());
    tree.write("hw/kmu/large.h", licence + "#pragma once\nclass a {\n" + members(31) + "};\n");
    EXPECT_THAT(violations(tree.path()),
                ElementsAre("hw/kmu/large.h:4: a has 31 data members and 0 functions: several jobs "
                            "live in it (legal: 30 and 40)"));
}

TEST(class_sizes, counts_members_and_functions_of_each_class) {
    const std::vector<class_size> found = class_sizes(R"(
        namespace a { struct plain { int x = 0, y = 1; std::map<int, int> z{{1, 2}}; }; }
        template <class T> class outer final : public base<T> {
        public:
            using shape = int (*)(int);
            explicit outer(int a) : a_(a), b_{1} { if (a) { run(); } }  // one; two;
            outer(const outer&) = delete;
            virtual void go(int x) = 0;
            bool operator==(const outer& o) const { return o.a_ == a_; }
            struct inner { std::function<void(int)> call; };
        private:
            enum class kind { one, two };
            static constexpr int limit = 3;
            int a_ = 1 << 4;
            char b_ = ';';
            alignas(64) std::array<int, 4> c_{};
        };)");
    ASSERT_EQ(found.size(), 3U);
    const auto expect = [](const class_size& one, const char* name, unsigned line, unsigned members,
                           unsigned functions) {
        EXPECT_EQ(one.name, name);
        EXPECT_EQ(one.line, line);
        EXPECT_EQ(one.members, members) << name;
        EXPECT_EQ(one.functions, functions) << name;
    };
    expect(found[0], "plain", 2, 3, 0);
    expect(found[1], "outer::inner", 10, 1, 0);
    expect(found[2], "outer", 3, 3, 3);
}

TEST(layering, headers_are_included_once_and_open_no_namespace) {
    const temporary_directory tree;
    tree.write("models/base/good.h", licence + "#pragma once\nnamespace a::b {}\n");
    tree.write("models/base/twice.h", licence + "// #pragma once\n");
    tree.write("models/base/wide.h", licence + "#pragma once\n  using namespace std;\n");
    tree.write("models/base/wide.cpp", licence + "using namespace std;\n");
    EXPECT_THAT(violations(tree.path()),
                ElementsAre("models/base/twice.h:1: a header without #pragma once",
                            "models/base/wide.h:4: a using-directive in a header"));
}

TEST(layering, deprecated_features_of_systemc_are_noticed) {
    const temporary_directory tree;
    tree.write("hw/kmu/good.cpp", licence +
                                      "// not SC_HAS_PROCESS\n#if IEEE_1666_SYSTEMC < 202301L\n"
                                      "SC_HAS_PROCESS(a);\n#else\n#endif\n");
    EXPECT_THAT(violations(tree.path()), IsEmpty());
    tree.write("tests/hw/kmu/bad.cpp", licence +
                                           "#if IEEE_1666_SYSTEMC < 202301L\n#endif\n"
                                           "SC_HAS_PROCESS(a);\n");
    EXPECT_THAT(
        violations(tree.path()),
        ElementsAre("tests/hw/kmu/bad.cpp:5: SC_HAS_PROCESS: IEEE 1666-2023 deprecates it"));
}

TEST(layering, every_source_has_a_licence) {
    const temporary_directory tree;
    const std::string hashes =
        "# SPDX-License-Identifier: Apache-2.0\n# Copyright The Heddle authors\n";
    tree.write("configs/good.toml", hashes);
    tree.write("scripts/good", "#!/bin/sh\n" + hashes);
    tree.write("scripts/packages.txt", "cmake\n");
    tree.write("tests/CMakeLists.txt", "add_subdirectory(base)\n");
    tree.write("CMakeLists.txt", "\n" + hashes);
    tree.write("hw/rtl/kmu.sv", licence);
    tree.write("hw/rtl/half.sv", "// SPDX-License-Identifier: Apache-2.0\n");
    tree.write("scripts/bad", "#!/bin/sh\n");
    EXPECT_THAT(violations(tree.path()),
                ElementsAre("CMakeLists.txt:1: the two licence lines are missing",
                            "hw/rtl/half.sv:1: the two licence lines are missing",
                            "scripts/bad:2: the two licence lines are missing",
                            "tests/CMakeLists.txt:1: the two licence lines are missing"));
}

TEST(layering, long_files_are_noticed) {
    const temporary_directory tree;
    std::string text = licence;
    for (int line = 3; line <= 400; ++line) text += "int a;\n";
    tree.write("models/base/a.cpp", text);
    EXPECT_THAT(violations(tree.path()), IsEmpty());
    tree.write("models/base/a.cpp", text + "int a;\n");
    EXPECT_THAT(violations(tree.path()),
                ElementsAre("models/base/a.cpp:401: more than 400 lines: two things live here"));
}

}  // namespace
}  // namespace heddle::layering
