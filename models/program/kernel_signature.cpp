// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/kernel_signature.h"

#include <dwarf.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/program/debug_file.h"
#include "models/program/debug_type.h"
#include "models/program/type_reader.h"

namespace heddle::program {

namespace {

class signature_reader {
public:
    signature_reader(Dwarf_Die function, std::string name,
                     const std::vector<opencl_parameter>* opencl, bool host_copies)
        : function_(function), opencl_(opencl), host_copies_(host_copies) {
        out_.entry.name = std::move(name);
    }

    kernel_signature read() {
        if (dwarf_hasattr_integrate(&function_, DW_AT_type) != 0) {
            throw configuration_error("kernel '" + out_.entry.name +
                                      "' returns a value; a kernel returns void");
        }
        Dwarf_Die child;
        for (int more = dwarf_child(&function_, &child); more == 0;
             more = dwarf_siblingof(&child, &child)) {
            const int tag = dwarf_tag(&child);
            if (tag == DW_TAG_unspecified_parameters) {
                throw configuration_error("kernel '" + out_.entry.name +
                                          "' takes a variable number of arguments");
            }
            if (tag == DW_TAG_formal_parameter) add(&child);
        }
        // The end of the structure that the stub reads.
        std::uint32_t strictest = 1;
        for (const auto& stub : out_.stub) strictest = std::max(strictest, stub.alignment);
        out_.entry.parameter_bytes = static_cast<std::uint32_t>(round_up(end_, strictest));
        return std::move(out_);
    }

private:
    void add(Dwarf_Die* die) {
        const std::size_t index = out_.stub.size();
        Dwarf_Attribute attribute;
        const char* name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
        kernel_parameter parameter;
        parameter.name = name != nullptr ? name : "argument" + std::to_string(index + 1);
        const auto type = read_parameter_type(
            die, "kernel '" + out_.entry.name + "': parameter '" + parameter.name + "'",
            host_copies_);
        if (type.stub.by_pointer && !host_copies_) {
            throw configuration_error("kernel '" + out_.entry.name + "': parameter '" +
                                      parameter.name + "' of type '" + type.text +
                                      "': it has a copy constructor or destructor; a kernel's "
                                      "arguments are copied byte by byte");
        }
        parameter.type = type.text;
        parameter.what = type.what;
        parameter.size = type.size;
        parameter.is_signed = type.is_signed;
        parameter.layout = type.layout;
        if (opencl_ != nullptr && index < opencl_->size()) {
            parameter.opencl = (*opencl_)[index];
            if (parameter.opencl->where == opencl_parameter::space::local) {
                parameter.what = kernel_parameter::kind::local_pointer;
            }
        }
        parameter.offset = static_cast<std::uint32_t>(round_up(end_, type.stub.alignment));
        end_ = parameter.offset + parameter.size;
        out_.entry.parameters.push_back(std::move(parameter));
        out_.stub.push_back(type.stub);
        // Kernels of OpenCL C have a calling convention of their own.
        out_.stub.back().by_pointer |= opencl_ != nullptr && type.stub.is_record;
        if (opencl_ == nullptr) out_.stub.back().elements = 0;
    }

    Dwarf_Die function_;
    const std::vector<opencl_parameter>* opencl_;  ///< null: of another language
    bool host_copies_;
    kernel_signature out_;
    std::uint32_t end_ = 0;
};

/// What the linker calls a function: C++ has a name for that.
std::string symbol_of(Dwarf_Die& function) {
    Dwarf_Attribute attribute;
    for (const unsigned what : {DW_AT_linkage_name, DW_AT_name}) {
        const char* name = dwarf_formstring(dwarf_attr_integrate(&function, what, &attribute));
        if (name != nullptr) return name;
    }
    return "";
}

/// Functions that have code, also in namespaces.
template <typename Visit>
void for_each_function(Dwarf_Die& scope, const Visit& visit, unsigned depth = 0) {
    Dwarf_Die child;
    for (int more = dwarf_child(&scope, &child); more == 0;
         more = dwarf_siblingof(&child, &child)) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_namespace && depth < deepest_nesting) {
            for_each_function(child, visit, depth + 1);
        }
        if (tag == DW_TAG_subprogram && dwarf_hasattr(&child, DW_AT_low_pc) != 0) visit(child);
    }
}

/// C string literal lines of a text, for an assembler's .ascii.
std::string ascii_directives(const std::string& text) {
    std::ostringstream out;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        out << "        \".ascii \\\"";
        for (const char c : line) {
            out << (c == '"' || c == '\\' ? '?' : c);  // no type or name has one
        }
        out << "\\\\n\\\"\\n\"\n";
    }
    return out.str();
}

/// Bytes of an element of a vector.
std::uint32_t element_bytes(const kernel_signature& kernel, std::size_t i) {
    const std::uint32_t elements = kernel.stub[i].elements;
    return kernel.entry.parameters[i].size / (elements == 3 ? 4 : elements);
}

/// Whether the kernel takes the address of a vector's elements in words. So it is with those that
/// LLVM splits into more than two integer registers; it splits floats apart.
bool is_vector_by_pointer(const kernel_signature& kernel, std::size_t i) {
    const stub_parameter& stub = kernel.stub[i];
    if (stub.elements == 0 || stub.c_type == "float") return false;
    return stub.elements > 2 || element_bytes(kernel, i) > 4;
}

/// What the entry hands to the kernel for a parameter.
struct passed_value {
    std::string type, value;
};

std::vector<passed_value> passed_values(const kernel_signature& kernel) {
    std::vector<passed_value> passed;
    for (std::size_t i = 0; i < kernel.stub.size(); ++i) {
        const stub_parameter& stub = kernel.stub[i];
        const std::string number = std::to_string(i);
        const std::string type = kernel.entry.name + "_type_" + number;
        const std::string value = "arguments->p" + number;
        if (stub.by_pointer) {
            passed.push_back({type + " *", "&copy" + number});
            continue;
        }
        if (is_vector_by_pointer(kernel, i)) {
            passed.push_back({"const void *", "copy" + number});
            continue;
        }
        if (stub.elements == 0) passed.push_back({type, value});
        for (std::uint32_t e = 0; e < stub.elements; ++e) {
            passed.push_back({stub.c_type, value + "[" + std::to_string(e) + "]"});
        }
    }
    return passed;
}

void write_stub(std::ostringstream& out, const kernel_signature& kernel) {
    const std::string& name = kernel.entry.name;
    const std::size_t count = kernel.stub.size();
    const auto type = [&](std::size_t i) { return name + "_type_" + std::to_string(i); };
    for (std::size_t i = 0; i < count; ++i) {
        out << "typedef " << kernel.stub[i].c_type << ' ' << type(i) << kernel.stub[i].c_suffix
            << ";\n";
    }
    if (count != 0) {
        out << "struct " << name << "_parameters {\n";
        for (std::size_t i = 0; i < count; ++i) out << "    " << type(i) << " p" << i << ";\n";
        out << "};\n";
        for (std::size_t i = 0; i < count; ++i) {
            out << "_Static_assert(__builtin_offsetof(struct " << name << "_parameters, p" << i
                << ") == " << kernel.entry.parameters[i].offset << ", \"parameter offset\");\n";
        }
    }
    out << "extern void " << name << '(';
    const auto passed = passed_values(kernel);
    for (std::size_t i = 0; i < passed.size(); ++i) out << (i == 0 ? "" : ", ") << passed[i].type;
    out << (count == 0 ? "void" : "") << ");\n";
    out << "__attribute__((used, noreturn, section(\".text.entry\"))) void " << entry_symbol(name)
        << '(';
    if (count != 0) out << "const struct " << name << "_parameters *arguments";
    out << (count == 0 ? "void" : "") << ") {\n";
    for (std::size_t i = 0; i < count; ++i) {
        if (is_vector_by_pointer(kernel, i)) {
            const bool whole = element_bytes(kernel, i) >= 4;
            out << "    " << (whole ? kernel.stub[i].c_type : "int") << " copy" << i << "[] = {";
            for (std::uint32_t e = 0; e < kernel.stub[i].elements; ++e) {
                out << "arguments->p" << i << '[' << e << "], ";
            }
            out << "};\n";
        }
        if (!kernel.stub[i].by_pointer) continue;
        out << "    " << type(i) << " copy" << i << " = arguments->p" << i << ";\n";
    }
    // Without a line: a chain of inlined calls ends in the kernel.
    out << "#line 0\n    [[clang::always_inline]] " << name << '(';
    for (std::size_t i = 0; i < passed.size(); ++i) out << (i == 0 ? "" : ", ") << passed[i].value;
    out << ");\n    HEDDLE_PLAIN(EXIT);\n    __builtin_unreachable();\n}\n";
}

/// The items of a list in LLVM IR, without their types: `i32 1, i32 3`, `!"float*", !""`.
std::vector<std::string> metadata_items(const std::string& list) {
    std::vector<std::string> items;
    for (std::size_t at = 0; at < list.size() && list[at] != '}';) {
        const bool quoted = list.compare(at, 2, "!\"") == 0;
        const std::size_t begin = quoted ? at + 2 : list.find(' ', at) + 1;
        const std::size_t end = list.find_first_of(quoted ? "\"" : ",}", begin);
        if (begin == 0 || end == std::string::npos) break;
        items.push_back(list.substr(begin, end - begin));
        at = list.find_first_not_of("\", ", end);
    }
    return items;
}

/// By kernel: the items of its metadata `!TAG` in an LLVM IR text.
std::map<std::string, std::vector<std::string>> kernel_metadata(const std::string& ir,
                                                                const std::string& tag) {
    const std::string mark = "!" + tag + " !";
    std::map<std::string, std::vector<std::string>> kernels_of_node;  // equal ones share a node
    std::map<std::string, std::vector<std::string>> out;
    std::istringstream lines(ir);
    std::string line;
    while (std::getline(lines, line)) {
        const auto at = line.find(mark);
        if (line.rfind("define ", 0) == 0 && at != std::string::npos) {
            const auto name = line.find('@') + 1;
            const auto number = at + mark.size();
            const auto end = line.find_first_not_of("0123456789", number);
            kernels_of_node[line.substr(number, end - number)].push_back(
                line.substr(name, line.find('(', name) - name));
        } else if (!line.empty() && line[0] == '!') {
            const auto equals = line.find(" = !{");
            if (equals == std::string::npos) continue;
            const auto kernels = kernels_of_node.find(line.substr(1, equals - 1));
            if (kernels == kernels_of_node.end()) continue;
            const auto items = metadata_items(line.substr(equals + 5));
            for (const std::string& name : kernels->second) out[name] = items;
        }
    }
    return out;
}

std::uint32_t to_number(const std::string& item) {
    return static_cast<std::uint32_t>(std::strtoul(item.c_str(), nullptr, 10));
}

}  // namespace

std::map<std::string, std::uint32_t> kernel_functions(const elf_file& file) {
    std::map<std::string, std::uint32_t> kernels;
    for (const auto& symbol : file.symbols) {
        // Not by address: a kernel without instructions may be at the section's end.
        if (symbol.type == STT_FUNC && file.sections[symbol.section].name == ".text.kernel") {
            kernels[symbol.name] = symbol.address;
        }
    }
    return kernels;
}

std::vector<kernel_signature> read_signatures(const elf_file& file,
                                              const std::map<std::string, std::uint32_t>& kernels,
                                              const opencl_parameters& opencl, bool host_copies) {
    std::map<std::string, kernel_signature> found;
    const debug_file debug(file);
    const auto read = [&](Dwarf_Die& function) {
        const std::string name = symbol_of(function);
        const auto kernel = kernels.find(name);
        // Another file's static function may have the kernel's name, not its address.
        Dwarf_Addr address = 0;
        if (kernel == kernels.end() || dwarf_lowpc(&function, &address) != 0 ||
            address != kernel->second) {
            return;
        }
        const auto known = opencl.find(name);
        found[name] =
            signature_reader(function, name, known == opencl.end() ? nullptr : &known->second,
                             host_copies)
                .read();
    };
    debug.for_each_unit([&](Dwarf_Die& unit) { for_each_function(unit, read); });
    std::vector<kernel_signature> out;
    for (const auto& [name, address] : kernels) {
        const auto kernel = found.find(name);
        if (kernel == found.end()) {
            throw configuration_error("kernel '" + name +
                                      "' has no debug information, which tells its parameters; "
                                      "write kernels in C++, C or OpenCL C");
        }
        out.push_back(kernel->second);
    }
    return out;
}

std::string stub_source(const std::vector<kernel_signature>& kernels) {
    std::ostringstream out;
    out << "#include \"heddle/intrinsics.h\"\n";
    std::vector<kernel_entry> entries;
    for (const auto& kernel : kernels) {
        write_stub(out, kernel);
        entries.push_back(kernel.entry);
    }
    out << "__asm__(\".pushsection .heddle.kernels,\\\"\\\",@progbits\\n\"\n"
        << ascii_directives(format_kernel_table(entries)) << "        \".popsection\\n\");\n";
    return out.str();
}

opencl_parameters read_opencl_parameters(const std::string& ir) {
    opencl_parameters out;
    for (const auto& [name, spaces] : kernel_metadata(ir, "kernel_arg_addr_space")) {
        std::vector<opencl_parameter>& parameters = out[name];
        for (const std::string& space : spaces) {
            parameters.emplace_back();
            parameters.back().where = static_cast<opencl_parameter::space>(to_number(space) % 4);
        }
    }
    const auto read_texts = [&](const char* tag, std::string opencl_parameter::*text) {
        for (const auto& [name, items] : kernel_metadata(ir, tag)) {
            std::vector<opencl_parameter>& parameters = out[name];
            const std::size_t count = std::min(items.size(), parameters.size());
            for (std::size_t i = 0; i < count; ++i) parameters[i].*text = items[i];
        }
    };
    read_texts("kernel_arg_access_qual", &opencl_parameter::access);
    read_texts("kernel_arg_type", &opencl_parameter::type);
    read_texts("kernel_arg_base_type", &opencl_parameter::base_type);
    read_texts("kernel_arg_type_qual", &opencl_parameter::qualifiers);
    return out;
}

required_blocks read_required_blocks(const std::string& ir) {
    required_blocks out;
    for (const auto& [name, sizes] : kernel_metadata(ir, "reqd_work_group_size")) {
        if (sizes.size() != 3) continue;
        out[name] = {to_number(sizes[0]), to_number(sizes[1]), to_number(sizes[2])};
    }
    return out;
}

launch_bounds read_launch_bounds(const elf_file& file) {
    launch_bounds out;
    const elf_section* const section = file.find_section(".heddle.bounds");
    if (section == nullptr) return out;
    std::istringstream lines{std::string(file.content(*section))};
    std::string name;
    for (std::uint32_t threads = 0; lines >> name >> threads;) out[name] = threads;
    return out;
}

}  // namespace heddle::program
