// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The assembly programs of tests/isa on the RTL SMX, in one thread: each ends with ecall, with 0 in
// a0 if all of its checks hold. HEDDLE_PROGRAMS names others, separated by colons: the published
// riscv-tests, built as tests/isa/run_riscv_tests.sh does.
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <sstream>

#include "models/base/flat_memory.h"
#include "models/program/address_map.h"
#include "tb/kit/paths.h"
#include "tests/isa/machine.h"
#include "tests/rtl_smx/rtl_core.h"
#include "tests/rtl_smx/settings.h"

namespace heddle::rtl_smx {
namespace {

class bare_machine {
public:
    bare_machine(const isa::test::flat_program& program, unsigned stall)
        : stall_(stall), random_(stall, "stalls"), program_(program) {
        std::memcpy(memory_.data() + program.base, program.bytes.data(), program.bytes.size());
    }

    /// a0 at the end; what is wrong in `error`.
    std::uint32_t run() {
        block_offer block;
        block.launch = 1;
        block.entry = program_.entry;
        for (unsigned d = 0; d < 3; ++d) block.size[d] = block.grid[d] = 1;
        bool taken = false;
        for (unsigned clocks = 0; clocks < 5'000'000; ++clocks) {
            if (!response_ && passes()) response_ = lines_.perform();
            core_.offer(taken ? nullptr : &block);
            core_.accept_done(true);
            core_.accept_fetch(!line_);
            core_.give_line(line_ ? &*line_ : nullptr);
            core_.accept_request(passes());
            core_.give_response(response_ ? &*response_ : nullptr);
            core_.settle();
            taken = taken || core_.took_block();
            if (core_.took_line()) line_.reset();
            if (const auto address = core_.fetched()) line_ = line_at(*address);
            if (core_.took_response()) response_.reset();
            if (const auto request = core_.requested()) lines_.accept(*request);
            if (core_.retires()) {
                const retire_record r = core_.retired();
                if (r.rd == 10 && (r.known & 1) != 0) a0_ = r.value[0];
                if (r.fault != 0) {
                    if (r.fault != 7 || r.word != 0x73) {
                        error =
                            "fault " + std::to_string(r.fault) + " at PC " + std::to_string(r.pc);
                    }
                    return a0_;
                }
            }
            core_.edge();
        }
        error = "does not end";
        return a0_;
    }

    std::string error;

private:
    bool passes() { return random_.below(100) >= stall_; }
    code_line line_at(std::uint32_t address) {
        code_line line;
        for (unsigned i = 0; i < line.words.size(); ++i) {
            std::memcpy(&line.words[i], memory_.data() + address + 4 * i, 4);
            line.joins[i] = 0xffff'ffffU;
        }
        return line;
    }

    unsigned stall_;
    random_stream random_;
    const isa::test::flat_program& program_;
    flat_memory memory_{program::address_space_bytes};
    line_memory lines_{memory_, [](std::uint32_t, unsigned, bool) { return true; }, 1};
    rtl_core core_{0, setting("HEDDLE_FAULT", 0)};
    std::optional<code_line> line_;
    std::optional<line_response> response_;
    std::uint32_t a0_ = 0;
};

TEST(rtl_programs, end_well) {
    std::vector<std::string> files;
    if (const char* given = std::getenv("HEDDLE_PROGRAMS")) {
        std::istringstream text(given);
        for (std::string file; std::getline(text, file, ':');) files.push_back(file);
    } else {
        for (const auto& entry :
             std::filesystem::directory_iterator(build_path("tests/isa/programs"))) {
            if (entry.path().extension() == ".elf") files.push_back(entry.path().string());
        }
    }
    ASSERT_THAT(files, testing::Not(testing::IsEmpty()));
    for (const std::string& file : files) {
        const auto program = isa::test::load_flat(file);
        ASSERT_EQ(program.error, "");
        for (const unsigned stall : {0U, 50U}) {
            bare_machine machine(program, stall);
            EXPECT_EQ(machine.run(), 0U) << file << ": the line of the failed check";
            EXPECT_EQ(machine.error, "") << file;
        }
    }
}

}  // namespace
}  // namespace heddle::rtl_smx
