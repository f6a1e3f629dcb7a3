// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/rtl_smx/instruction_program.h"

#include <fmt/format.h>

#include "models/isa/csr.h"
#include "models/program/compile.h"
#include "models/program/image.h"
#include "tests/base/temporary_directory.h"
#include "tests/isa/random_instructions.h"

namespace heddle::rtl_smx {
namespace {

using isa::instruction_class;
using isa::instruction_format;
using isa::instruction_row;
using isa::test::below;

/// t0 to t2, a2 to a5, t3 to t6: what the instructions work on.
constexpr unsigned working[] = {5, 6, 7, 12, 13, 14, 15, 28, 29, 30, 31};
/// Addresses: a6 and s2 of 64 bytes of each thread, global and shared; s3 and s4 of words that
/// several threads have.
constexpr unsigned own_global = 16, own_shared = 18, common_global = 19, common_shared = 20;

unsigned any(isa::test::generator& random) {
    return working[below(random, std::size(working))];
}

bool is_taken(const instruction_row& row) {
    switch (row.cls) {
        case instruction_class::branch:
        case instruction_class::jump:
        case instruction_class::jump_register:
        case instruction_class::environment:
        case instruction_class::simt_control:
        case instruction_class::launch:
        case instruction_class::transaction:
        case instruction_class::cooperation:
        case instruction_class::illegal:
            return false;
        default:
            return true;
    }
}

std::uint32_t with(std::uint32_t word, unsigned shift, unsigned value) {
    return (word & ~(31U << shift)) | value << shift;
}

/// An instruction on working registers; 0: none was found this time.
std::uint32_t random_word(isa::test::generator& random) {
    if (below(random, 24) == 0) {  // csrrwi frm: lanes get rounding modes of their own
        return 0x0020'5073U | below(random, 5) << 15 | any(random) << 7;
    }
    if (below(random, 12) == 0) {  // csrrs rd, any, x0
        const auto& csr =
            isa::csr_table[below(random, static_cast<std::uint32_t>(std::size(isa::csr_table)))];
        return static_cast<std::uint32_t>(csr.number) << 20 | 0x2073U | any(random) << 7;
    }
    const instruction_row& row = isa::instruction_table[below(
        random, static_cast<std::uint32_t>(std::size(isa::instruction_table)))];
    if (!is_taken(row)) return 0;
    // There are few kinds of these, and much that can be wrong with them.
    const bool rich = row.cls == instruction_class::exchange || row.cls == instruction_class::csr ||
                      row.format == instruction_format::r4_rounded;
    if (!rich && below(random, 3) == 0) return 0;
    std::uint32_t word = isa::test::random_encoding(row, random);
    const auto place = [&](unsigned shift, unsigned value) {
        if ((row.mask >> shift & 31) == 0) word = with(word, shift, value);
    };
    if (row.cls == instruction_class::csr) {
        const auto& csr =
            isa::csr_table[below(random, static_cast<std::uint32_t>(std::size(isa::csr_table)))];
        // Rounding modes stay legal: only immediates below 5 are written, without or-ing.
        const bool writes = row.op == isa::opcode::csrrwi && csr.writable;
        const unsigned source = writes ? below(random, 5) : 0;
        if (!writes && row.op != isa::opcode::csrrs && row.op != isa::opcode::csrrci) return 0;
        return static_cast<std::uint32_t>(csr.number) << 20 | source << 15 | (row.match & 0x707fU) |
               any(random) << 7;
    }
    place(7, below(random, 12) == 0 ? 0 : any(random));
    place(15, any(random));
    place(20, any(random));
    if (row.format == instruction_format::r4_rounded) place(27, any(random));
    const isa::instruction i = isa::decode(word);
    if (!i.is_memory()) return word;
    const bool shared = below(random, 2) == 0;
    const unsigned own = shared ? own_shared : own_global;
    if (i.cls == instruction_class::atomic) {
        const unsigned common = shared ? common_shared : common_global;
        // A reservation that another thread may take away is no matter of this test.
        const bool alone = i.op == isa::opcode::lr_w || i.op == isa::opcode::sc_w;
        return with(word, 15, alone || below(random, 3) != 0 ? own : common);
    }
    const unsigned offset = below(random, 64 / i.access_bytes()) * i.access_bytes();
    word = with(word, 15, own);
    if (i.cls == instruction_class::store) {
        return (word & 0x01ff'f07fU) | (offset >> 5) << 25 | (offset & 31) << 7;
    }
    // Loads of group 2 have no offset.
    return (word & 0x7fU) == 0x0b ? word : (word & 0x000f'ffffU) | offset << 20;
}

}  // namespace

std::string instruction_source(std::uint64_t seed, unsigned instructions) {
    isa::test::generator random(seed);
    std::string text =
        "#include <heddle.h>\n"
        "__shared__ unsigned own[128 * 16];\n__shared__ unsigned common[4];\n"
        "__global__ void instructions(unsigned* data, unsigned* words) {\n"
        "    const unsigned block = blockIdx.x + gridDim.x * blockIdx.z;\n"
        "    const unsigned thread =\n"
        "        threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
        "    const unsigned all = thread + blockDim.x * blockDim.y * blockDim.z * block;\n"
        "    for (unsigned i = 0; i < 16; ++i) own[thread * 16 + i] = data[all * 16 + i];\n"
        "    if (thread < 4) common[thread] = thread;\n"
        "    __syncthreads();\n"
        "    register unsigned* a6 __asm__(\"a6\") = data + all * 16;\n"
        "    register unsigned* s2 __asm__(\"s2\") = own + thread * 16;\n"
        "    register unsigned* s3 __asm__(\"s3\") = words + thread % 4;\n"
        "    register unsigned* s4 __asm__(\"s4\") = common + thread % 3;\n"
        "    register unsigned s5 __asm__(\"s5\") = thread;\n"
        "    __asm__ volatile(\n";
    unsigned offset = 0;
    const auto line = [&](const std::string& one) { text += "        \"" + one + "\\n\"\n"; };
    for (const unsigned r : working) line(fmt::format("lw x{}, {}(a6)", r, 4 * offset++));
    for (unsigned n = 0, label = 0; n < instructions; ++label) {
        // A part for some of the lanes only: by their numbers, or by what they have computed.
        static constexpr const char* branches[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
        const char* const branch = branches[below(random, 6)];
        if (below(random, 2) == 0) {
            line(fmt::format("andi s6, s5, {}", 1U << below(random, 7)));
            line(fmt::format("{} s6, zero, .Lend{}_%=", branch, label));
        } else {
            line(fmt::format("{} x{}, x{}, .Lend{}_%=", branch, any(random), any(random), label));
        }
        for (unsigned part = 1 + below(random, 12); part != 0; --part) {
            if (below(random, 6) == 0) {  // the results of all others tend to be dull
                line(fmt::format("li x{}, 0x{:08x}", any(random),
                                 isa::test::interesting_value(random)));
                continue;
            }
            std::uint32_t word = 0;
            while (word == 0) word = random_word(random);
            line(fmt::format(".word 0x{:08x}", word));
            ++n;
        }
        line(fmt::format(".Lend{}_%=:", label));
    }
    offset = 0;
    for (const unsigned r : working) line(fmt::format("sw x{}, {}(a6)", r, 4 * offset++));
    text +=
        "        : \"+r\"(a6), \"+r\"(s2), \"+r\"(s3), \"+r\"(s4), \"+r\"(s5) :: \"t0\", \"t1\", "
        "\"t2\","
        " \"a2\", \"a3\", \"a4\", \"a5\", \"t3\", \"t4\", \"t5\", \"t6\", \"s6\", "
        "\"memory\");\n"
        "    for (unsigned i = 0; i < 16; ++i) data[all * 16 + i] ^= own[thread * 16 + i];\n}\n";
    return text;
}

instruction_program::instruction_program(std::uint64_t seed, unsigned instructions) : seed_(seed) {
    const temporary_directory files;
    const std::string file = files / "instructions.elf";
    program::compile({files.write("instructions.cpp", instruction_source(seed, instructions))},
                     file);
    image_ = std::make_shared<program::image>(program::image::load(file));
}

void instruction_program::run(const rtl_settings& settings) const {
    isa::test::generator random(seed_ + 1);
    const dim3 block{1 + below(random, 14), 1 + below(random, 3), 1 + below(random, 3)};
    const dim3 grid{2, 1, 2};
    rtl_device gpu(settings);
    gpu.load(image_);
    std::vector<std::uint32_t> values(block.count() * grid.count() * 16);
    for (auto& value : values) value = isa::test::interesting_value(random);
    const device_buffer<std::uint32_t> data(gpu, values, "data");
    const device_buffer<std::uint32_t> words(gpu, std::vector<std::uint32_t>{0, 1, 2, 3}, "words");
    launch(gpu, "instructions", launch_shape{grid, block}, data.get(), words.get());
    gpu.synchronize();
}

}  // namespace heddle::rtl_smx
