// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/image_builder.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "models/base/error.h"
#include "models/program/address_map.h"
#include "models/program/constant_loads.h"
#include "models/program/kernel_analysis.h"
#include "models/program/kernel_table.h"

namespace heddle::program {

namespace {

std::string span(std::uint32_t address, std::uint64_t size) {
    std::ostringstream out;
    out << std::hex << "[0x" << address << ", 0x" << address + size << ")";
    return out.str();
}

std::string span(const address_window& window) {
    return span(window.base, window.size);
}

/// Window where a segment belongs by what it holds.
void check_window(const elf_file& file, const elf_segment& segment) {
    const std::string where = span(segment.address, segment.memory_size);
    const address_window* window = find_window(segment.address);
    if (window == nullptr || !window->contains(segment.address, segment.memory_size)) {
        fail(file, "segment " + where + " lies outside the address map; link it with heddle.ld");
    }
    const auto demand = [&](const address_window& legal, const char* what) {
        if (window->base != legal.base) {
            fail(file, std::string(what) + " segment " + where + " lies in the " + window->name +
                           " window; the " + legal.name + " window is " + span(legal));
        }
    };
    if (window->base == shared_window.base) {
        if (segment.file_size != 0) {
            fail(file, "segment " + where +
                           " initializes shared memory, which starts undefined in every block");
        }
        return;
    }
    if (segment.executable) {
        demand(code_window, "executable");
        if (segment.file_size != segment.memory_size) {
            fail(file, "executable segment " + where + " has code that the file does not hold");
        }
        if (segment.writable) fail(file, "segment " + where + " is both executable and writable");
    } else if (segment.writable) {
        demand(heap_window, "writable");
    } else if (window->base != code_window.base) {
        demand(heap_window, "read-only");
    }
}

void add_segments(const elf_file& file, built_image& out) {
    auto sorted = file.segments;
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return a.address < b.address; });
    const elf_section* const constants = file.find_section(".constant");
    std::uint64_t end = 0;
    for (const auto& source : sorted) {
        check_window(file, source);
        if (source.address < end) {
            fail(file, "segment " + span(source.address, source.memory_size) +
                           " overlaps the one before it, which ends at " +
                           span(static_cast<std::uint32_t>(end), 0));
        }
        end = std::uint64_t{source.address} + source.memory_size;
        if (shared_window.contains(source.address)) continue;
        segment made;
        made.address = source.address;
        made.size = source.memory_size;
        made.executable = source.executable;
        made.writable = source.writable;
        made.constant = constants != nullptr && constants->contains(source.address);
        const auto first = file.bytes.begin() + source.offset;
        made.data.assign(first, first + source.file_size);
        out.segments.push_back(std::move(made));
    }
}

void add_symbols(const elf_file& file, built_image& out) {
    for (const auto& source : file.symbols) {
        if (!source.defined || (source.type != STT_FUNC && source.type != STT_OBJECT)) continue;
        out.symbols.push_back({source.name, source.address, source.size, source.type == STT_FUNC});
    }
    std::sort(out.symbols.begin(), out.symbols.end(), [](const auto& a, const auto& b) {
        return a.address != b.address ? a.address < b.address : a.name < b.name;
    });
}

/// All executable segments as one run of instructions; gaps between them are illegal.
code_text decode_text(const elf_file& file, const built_image& out) {
    code_text text;
    std::uint32_t end = 0;
    for (const auto& segment : out.segments) {
        if (!segment.executable) continue;
        if (segment.address % 4 != 0) fail(file, "an executable segment is not word-aligned");
        if (text.base == 0) text.base = segment.address;
        end = segment.address + segment.size;
    }
    if (text.base == 0) fail(file, "has no executable segment");
    if (end - text.base > most_code_bytes) {
        fail(file,
             "its code spans " + std::to_string(end - text.base) + " bytes; 16 MiB are possible");
    }
    text.instructions.resize((end - text.base) / 4);
    for (const auto& segment : out.segments) {
        if (!segment.executable) continue;
        for (std::size_t at = 0; at + 4 <= segment.data.size(); at += 4) {
            std::uint32_t raw = 0;
            std::memcpy(&raw, segment.data.data() + at, 4);
            text.instructions[(segment.address - text.base + at) / 4] = isa::decode(raw);
        }
    }
    return text;
}

/// Functions by symbols; code between them (assembly without types) makes one function each.
std::vector<function_range> find_functions(const elf_file& file, const code_text& text) {
    std::vector<function_range> marks;
    for (const auto& symbol : file.symbols) {
        if (!symbol.defined || symbol.type != STT_FUNC || symbol.address % 4 != 0) continue;
        if (symbol.address < text.base || symbol.address >= text.end()) continue;
        const std::uint32_t room = text.end() - symbol.address;
        const std::uint32_t size = std::min(symbol.size / 4 * 4, room);
        marks.push_back({symbol.name, symbol.address, symbol.address + size});
    }
    std::stable_sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) {
        return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    marks.erase(std::unique(marks.begin(), marks.end(),
                            [](const auto& a, const auto& b) { return a.start == b.start; }),
                marks.end());
    std::vector<function_range> functions;
    std::uint32_t covered = text.base;
    const auto add_untyped = [&](std::uint32_t start, std::uint32_t end) {
        const auto first = text.instructions.begin() + (start - text.base) / 4;
        const auto last = text.instructions.begin() + (end - text.base) / 4;
        const bool code = std::any_of(first, last, [](const auto& i) { return !i.is_illegal(); });
        if (code) functions.push_back({"", start, end});
    };
    for (std::size_t i = 0; i < marks.size(); ++i) {
        auto& mark = marks[i];
        const std::uint32_t next = i + 1 < marks.size() ? marks[i + 1].start : text.end();
        if (mark.end == mark.start) mark.end = next;  // assembly without .size
        mark.end = std::min(mark.end, next);
        add_untyped(covered, mark.start);
        covered = mark.end;
        functions.push_back(mark);
    }
    add_untyped(covered, text.end());
    return functions;
}

/// `.stack_sizes` (clang): per function its address, then the frame's bytes as ULEB128.
std::map<std::uint32_t, std::uint32_t> read_frames(const elf_file& file) {
    std::map<std::uint32_t, std::uint32_t> frames;
    for (const auto& section : file.sections) {
        if (section.name != ".stack_sizes") continue;
        std::string_view bytes = file.content(section);
        while (bytes.size() > 4) {
            std::uint32_t address = 0;
            std::memcpy(&address, bytes.data(), 4);
            bytes.remove_prefix(4);
            std::uint64_t size = 0;
            for (unsigned shift = 0; !bytes.empty(); shift += 7) {
                const auto byte = static_cast<unsigned char>(bytes.front());
                bytes.remove_prefix(1);
                if (shift < 35) size |= std::uint64_t{byte & 0x7fu} << shift;
                if ((byte & 0x80) == 0) break;
            }
            frames[address] = static_cast<std::uint32_t>(size);
        }
    }
    return frames;
}

/// A function without an instruction would run into what follows it. Assembly without .size has
/// length zero, too, but code that no other function begins with.
bool is_empty(const elf_file& file, const std::string& name) {
    const auto& all = file.symbols;
    const auto function = std::find_if(all.begin(), all.end(), [&](const elf_symbol& s) {
        return s.type == STT_FUNC && s.defined && s.name == name;
    });
    if (function == all.end() || function->size != 0) return false;
    return !file.sections[function->section].contains(function->address) ||
           std::any_of(all.begin(), all.end(), [&](const elf_symbol& s) {
               return s.type == STT_FUNC && s.address == function->address && s.size != 0;
           });
}

std::vector<kernel> named_kernels(const elf_file& file, const built_image& out) {
    const auto* section = file.find_section(".heddle.kernels");
    if (section == nullptr || section->size == 0) {
        fail(file,
             "has no kernels (section .heddle.kernels); mark them __global__ or __kernel "
             "and compile with heddle compile");
    }
    const auto address_of = [&](const std::string& name) {
        for (const auto& symbol : out.symbols) {
            if (symbol.function && symbol.name == name) return symbol.address;
        }
        fail(file, "symbol '" + name + "' of a kernel is missing");
    };
    std::vector<kernel> kernels;
    for (auto& entry : parse_kernel_table(file.content(*section), file.name)) {
        kernel made;
        made.function = address_of(entry.name);
        made.entry = address_of(entry_symbol(entry.name));
        if (is_empty(file, entry.name)) {
            fail(file, "kernel '" + entry.name +
                           "' has no instructions: its behaviour is undefined in every case, as "
                           "behind __builtin_unreachable(), so the compiler removed it");
        }
        made.name = std::move(entry.name);
        made.parameters = std::move(entry.parameters);
        made.parameter_bytes = entry.parameter_bytes;
        made.required_block = entry.required_block;
        made.most_threads = entry.most_threads;
        kernels.push_back(std::move(made));
    }
    std::sort(kernels.begin(), kernels.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    const auto twice =
        std::adjacent_find(kernels.begin(), kernels.end(),
                           [](const auto& a, const auto& b) { return a.name == b.name; });
    if (twice != kernels.end()) fail(file, "kernel '" + twice->name + "' is there twice");
    return kernels;
}

}  // namespace

built_image build_image(const elf_file& file) {
    built_image out;
    add_segments(file, out);
    add_symbols(file, out);
    out.kernels = named_kernels(file, out);
    if (!file.has_relocation_sections) {
        fail(file, "has no relocations; link it with --emit-relocs");
    }
    program_model program;
    program.text = decode_text(file, out);
    program.functions = find_functions(file, program.text);
    program.refs = find_references(file, program.text, program.functions);
    program.graphs = build_graphs(program.text, program.functions, program.refs.tables);
    program.reconvergence = find_reconvergence(program.text, program.graphs);
    program.frame_bytes = read_frames(file);
    std::set<std::uint32_t> entries;
    for (const auto& kernel : out.kernels) {
        program.kernel_functions.insert(kernel.function);
        entries.insert(kernel.entry);
    }
    program.constant_loads =
        find_constant_loads(program.text, program.graphs, entries, program.refs.constants);
    for (auto& kernel : out.kernels) {
        if (kernel.entry % 4 != 0 || kernel.entry < program.text.base ||
            kernel.entry >= program.text.end()) {
            fail(file, "entry of kernel '" + kernel.name + "' is no address of code");
        }
        analyse_kernel(program, kernel);
    }
    return out;
}

}  // namespace heddle::program
