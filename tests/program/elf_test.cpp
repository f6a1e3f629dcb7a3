// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "models/base/error.h"
#include "models/base/random.h"
#include "models/program/elf_file.h"
#include "models/program/image.h"
#include "tests/program/compiled_program.h"

namespace heddle::program::test {
namespace {

using testing::HasSubstr;
using bytes = std::vector<std::uint8_t>;

bytes small_program() {
    return read_bytes(compile_text(
        "#include <heddle.h>\n"
        "int counter = 7;\n"
        "__global__ void k(unsigned* out) {\n"
        "    __shared__ unsigned part[8];\n"
        "    part[threadIdx.x] = counter; __syncthreads(); out[threadIdx.x] = part[0];\n"
        "}\n"));
}

std::string load_error(const bytes& file) {
    try {
        image::load(file.data(), file.size(), "bad.elf");
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("bad.elf"));
        return error.what();
    }
    return "";
}

template <typename T>
T get(const bytes& file, std::size_t offset) {
    T value;
    std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
}
template <typename T>
void put(bytes& file, std::size_t offset, const T& value) {
    std::memcpy(file.data() + offset, &value, sizeof value);
}

/// Changes the ELF header of the small program.
template <typename Change>
std::string header_error(Change change) {
    bytes file = small_program();
    auto header = get<Elf32_Ehdr>(file, 0);
    change(header);
    put(file, 0, header);
    return load_error(file);
}

/// Changes the n-th PT_LOAD of the small program.
template <typename Change>
std::string segment_error(unsigned which, Change change) {
    bytes file = small_program();
    const auto header = get<Elf32_Ehdr>(file, 0);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        const std::size_t at = header.e_phoff + i * sizeof(Elf32_Phdr);
        auto segment = get<Elf32_Phdr>(file, at);
        if (segment.p_type != PT_LOAD || which-- != 0) continue;
        change(segment);
        put(file, at, segment);
    }
    return load_error(file);
}

TEST(elf, loads_a_program) {
    const bytes file = small_program();
    const image program = image::load(file.data(), file.size(), "good.elf");
    EXPECT_EQ(program.name(), "good.elf");
    ASSERT_EQ(program.kernels().size(), 1u);
    EXPECT_EQ(program.kernels()[0].name, "k");
    const symbol* counter = program.find_symbol("counter");
    ASSERT_NE(counter, nullptr);
    EXPECT_FALSE(counter->function);
    EXPECT_EQ(program.symbol_at(counter->address + 3), counter);
    const auto& data = program.segments().back();
    EXPECT_TRUE(data.writable);
    EXPECT_EQ(data.data.at(counter->address - data.address), 7);
    for (const auto& segment : program.segments()) EXPECT_NE(segment.address, 0x10000000u);
}

TEST(elf, names_the_kernels_when_one_is_missing) {
    const image program = load_text("__global__ void first() {} __global__ void second() {}");
    EXPECT_EQ(program.find_kernel("secnd"), nullptr);
    try {
        static_cast<void>(program.get_kernel("secnd"));
        FAIL();
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("first, second"));
        EXPECT_THAT(error.what(), HasSubstr("did you mean 'second'"));
    }
    EXPECT_EQ(program.kernel_at(program.get_kernel("first").function)->name, "first");
    EXPECT_EQ(program.kernel_at(program.get_kernel("second").entry)->name, "second");
    EXPECT_EQ(program.kernel_at(3), nullptr);
}

TEST(elf, a_missing_file_is_an_error) {
    EXPECT_THROW(image::load("/nonexistent/program.elf"), configuration_error);
    EXPECT_THROW(image::load("/"), configuration_error);
}

TEST(elf, what_is_no_elf_file) {
    EXPECT_THAT(load_error({}), HasSubstr("not an ELF file"));
    EXPECT_THAT(load_error({'#', '!', '/', 'b', 'i', 'n'}), HasSubstr("not an ELF file"));
}

TEST(elf, wrong_headers) {
    EXPECT_THAT(header_error([](auto& h) { h.e_ident[EI_CLASS] = ELFCLASS64; }),
                HasSubstr("not a 32-bit"));
    EXPECT_THAT(header_error([](auto& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }),
                HasSubstr("little-endian"));
    EXPECT_THAT(header_error([](auto& h) { h.e_machine = EM_386; }), HasSubstr("not for RISC-V"));
    EXPECT_THAT(header_error([](auto& h) { h.e_type = ET_REL; }), HasSubstr("not linked"));
    EXPECT_THAT(header_error([](auto& h) { h.e_type = ET_DYN; }),
                HasSubstr("position independent"));
    EXPECT_THAT(header_error([](auto& h) { h.e_flags |= EF_RISCV_RVC; }),
                HasSubstr("compressed instructions"));
    EXPECT_THAT(header_error([](auto& h) { h.e_flags |= EF_RISCV_FLOAT_ABI_DOUBLE; }),
                HasSubstr("hard-float"));
    EXPECT_THAT(header_error([](auto& h) { h.e_flags |= EF_RISCV_RVE; }), HasSubstr("RV32E"));
    EXPECT_THAT(header_error([](auto& h) { h.e_shnum = 0; }), HasSubstr("section"));
    EXPECT_THAT(header_error([](auto& h) { h.e_shoff = 0x7fffffff; }), HasSubstr("truncated"));
}

TEST(elf, segments_stay_in_their_windows) {
    const auto moved = [](std::uint32_t address) {
        return [address](Elf32_Phdr& segment) { segment.p_vaddr = address; };
    };
    EXPECT_THAT(segment_error(0, moved(0x30000000)), HasSubstr("outside the address map"));
    EXPECT_THAT(segment_error(0, moved(0x1000)), HasSubstr("null guard"));
    EXPECT_THAT(segment_error(0, moved(0x40000000)), HasSubstr("executable segment"));
    EXPECT_THAT(segment_error(0, [](auto& s) { s.p_memsz = 0x20000000; }),
                HasSubstr("outside the address map"));
    EXPECT_THAT(segment_error(0, [](auto& s) { s.p_flags |= PF_W; }),
                HasSubstr("executable and writable"));
    EXPECT_THAT(segment_error(0, [](auto& s) { s.p_filesz = s.p_memsz + 4; }),
                HasSubstr("larger in the file"));
    EXPECT_THAT(segment_error(1, [](auto& s) { s.p_filesz = s.p_memsz; }),
                HasSubstr("initializes shared memory"));
    EXPECT_THAT(segment_error(2, moved(0x20000000)), HasSubstr("writable segment"));
    EXPECT_THAT(segment_error(2,
                              [](auto& s) {
                                  s.p_vaddr = 0x10000;
                                  s.p_flags = PF_R;
                              }),
                HasSubstr("overlaps"));
}

TEST(elf, sections_that_are_missing) {
    const auto without = [](const char* name) {
        bytes file = small_program();
        const std::string text(name);
        // The name's occurrence in the section name table, not a symbol's: the one before a NUL.
        for (std::size_t at = 0; at + text.size() < file.size(); ++at) {
            if (std::memcmp(file.data() + at, name, text.size() + 1) == 0) file[at + 1] ^= 1;
        }
        return load_error(file);
    };
    EXPECT_THAT(without(".heddle.kernels"), HasSubstr("no kernels"));

    bytes file = small_program();
    const auto header = get<Elf32_Ehdr>(file, 0);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        const std::size_t at = header.e_shoff + i * sizeof(Elf32_Shdr);
        auto section = get<Elf32_Shdr>(file, at);
        if (section.sh_type == SHT_RELA) section.sh_type = SHT_NULL;
        put(file, at, section);
    }
    EXPECT_THAT(load_error(file), HasSubstr("--emit-relocs"));
}

TEST(elf, an_undefined_symbol_is_named) {
    bytes file = small_program();
    const elf_file parsed = elf_file::parse(file, "good.elf");
    for (const auto& section : parsed.sections) {
        if (section.type != SHT_SYMTAB) continue;
        for (std::size_t i = 0; i < parsed.symbols.size(); ++i) {
            if (parsed.symbols[i].name != "counter") continue;
            const std::size_t at = section.offset + i * sizeof(Elf32_Sym);
            auto symbol = get<Elf32_Sym>(file, at);
            symbol.st_shndx = SHN_UNDEF;
            put(file, at, symbol);
        }
    }
    EXPECT_THAT(load_error(file), HasSubstr("symbol 'counter' is missing"));
}

std::string attributes(const std::string& arch) {
    const auto word = [](std::size_t n) {
        return std::string{static_cast<char>(n), static_cast<char>(n >> 8), 0, 0};
    };
    const std::string body = std::string("\x05") + arch + '\0';
    const std::string file = std::string("\x01") + word(body.size() + 5) + body;
    const std::string vendor = std::string("riscv") + '\0' + file;
    return "A" + word(vendor.size() + 4) + vendor;
}

TEST(elf, unsupported_extensions_are_named) {
    EXPECT_NO_THROW(check_attributes(attributes("rv32i2p1_m2p0_a2p1_zicsr2p0_zfinx1p0"), "f"));
    const auto error = [](const std::string& content) {
        try {
            check_attributes(content, "f.elf");
        } catch (const configuration_error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_THAT(error(attributes("rv32i2p1_m2p0_c2p0")), HasSubstr("extension 'c'"));
    EXPECT_THAT(error(attributes("rv32i2p1_d2p2")), HasSubstr("extension 'd'"));
    EXPECT_THAT(error(attributes("rv32i2p1_zba1p0")), HasSubstr("extension 'zba'"));
    EXPECT_THAT(error(attributes("rv64i2p1")), HasSubstr("not for rv32"));
    const std::string good = attributes("rv32i2p1_m2p0");
    for (std::size_t size = 2; size < good.size(); ++size) {
        EXPECT_THAT(error(good.substr(0, size)), HasSubstr("not well-formed")) << size;
    }
}

TEST(elf, truncated_anywhere_is_an_error_or_harmless) {
    const bytes file = small_program();
    for (std::size_t size = 0; size < file.size(); ++size) {
        // Sections lie before their table, so that every proper prefix lacks something.
        EXPECT_NE(load_error({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}), "")
            << size;
    }
}

TEST(elf, damaged_bytes_never_crash) {
    const bytes file = small_program();
    random_stream random{2, "elf.damaged_bytes_never_crash"};
    unsigned refused = 0;
    for (unsigned round = 0; round < 4000; ++round) {
        bytes damaged = file;
        for (std::uint64_t flips = 1 + random.below(8); flips > 0; --flips) {
            // Half of them in the tables at either end, where most harm can be done.
            const std::uint64_t tail = random.below(2048) + 1;
            const std::uint64_t at = random.chance(0.5)   ? random.below(file.size())
                                     : random.chance(0.5) ? random.below(512)
                                                          : file.size() - tail;
            damaged[at] = static_cast<std::uint8_t>(random.next());
        }
        refused += load_error(damaged).empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace heddle::program::test
