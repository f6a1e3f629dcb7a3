// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/kernel_table.h"

#include <array>
#include <iterator>
#include <sstream>
#include <utility>

#include "models/base/error.h"

namespace heddle::program {

namespace {

using kind = kernel_parameter::kind;

constexpr std::array<std::pair<kind, const char*>, 5> kinds{
    {{kind::integer, "integer"},
     {kind::floating, "floating"},
     {kind::pointer, "pointer"},
     {kind::aggregate, "aggregate"},
     {kind::local_pointer, "local_pointer"}}};
constexpr const char* signed_integer = "signed";
constexpr std::array<std::pair<layout_field::kind, const char*>, 5> field_kinds{
    {{layout_field::kind::signed_integer, "signed"},
     {layout_field::kind::unsigned_integer, "unsigned"},
     {layout_field::kind::boolean, "boolean"},
     {layout_field::kind::floating, "floating"},
     {layout_field::kind::bytes, "bytes"}}};
/// No machine has more; keeps a damaged table from asking for the moon.
constexpr std::uint32_t most_parameter_bytes = 1u << 20;
constexpr std::uint32_t most_value_bytes = 1u << 28;

bool parse_parameter(std::istringstream& line, kernel_entry& entry) {
    kernel_parameter parameter;
    std::string what;
    if (!(line >> what >> parameter.offset >> parameter.size >> parameter.name)) return false;
    line.get();  // the blank before the type
    std::getline(line, parameter.type);
    parameter.is_signed = what == signed_integer;
    bool known = parameter.is_signed;
    for (const auto& [value, text] : kinds) {
        if (what == text) {
            parameter.what = value;
            known = true;
        }
    }
    const auto end = std::uint64_t{parameter.offset} + parameter.size;
    if (!known || parameter.size == 0 || end > entry.parameter_bytes) return false;
    entry.parameters.push_back(std::move(parameter));
    return true;
}

bool parse_layout(std::istringstream& line, kernel_parameter& parameter) {
    std::uint32_t& size = parameter.layout.size;
    return line >> size && size != 0 && size <= most_value_bytes;
}

bool parse_field(std::istringstream& line, value_layout& layout) {
    layout_field field;
    std::string what;
    if (!(line >> what >> field.offset >> field.size >> field.count)) return false;
    line.get();  // the blank before the name
    std::getline(line, field.name);
    bool known = false;
    for (const auto& [value, text] : field_kinds) {
        if (what != text) continue;
        field.what = value;
        known = true;
    }
    const auto bytes = std::uint64_t{field.size} * field.count;
    if (!known || bytes == 0 || bytes > layout.size || field.offset > layout.size - bytes) {
        return false;
    }
    // One number, or fields that all have names.
    if (field.name.empty() ? !layout.fields.empty()
                           : !layout.fields.empty() && !layout.is_record()) {
        return false;
    }
    layout.fields.push_back(std::move(field));
    return true;
}

bool parse_opencl(std::istringstream& line, kernel_parameter& parameter) {
    opencl_parameter text;
    unsigned space = 0, qualifiers = 0;
    if (!(line >> space >> text.access >> qualifiers)) return false;
    if (space > static_cast<unsigned>(opencl_parameter::space::local)) return false;
    text.where = static_cast<opencl_parameter::space>(space);
    for (std::string word; qualifiers != 0; --qualifiers) {
        if (!(line >> word)) return false;
        text.qualifiers += (text.qualifiers.empty() ? "" : " ") + word;
    }
    line.get();  // the blank before the type
    std::getline(line, text.type);
    parameter.opencl = std::move(text);
    return true;
}

bool parse_base(std::istringstream& line, kernel_parameter& parameter) {
    if (!parameter.opencl) return false;
    line.get();
    return static_cast<bool>(std::getline(line, parameter.opencl->base_type));
}

void write_opencl(std::ostringstream& out, const opencl_parameter& text) {
    std::istringstream words(text.qualifiers);
    const auto count = std::distance(std::istream_iterator<std::string>(words), {});
    out << "opencl " << static_cast<unsigned>(text.where) << ' ' << text.access << ' ' << count
        << ' ' << text.qualifiers << (count == 0 ? "" : " ") << text.type << '\n'
        << "base " << text.base_type << '\n';
}

void write_layout(std::ostringstream& out, const value_layout& layout) {
    if (layout.size == 0) return;
    out << "layout " << layout.size << '\n';
    for (const layout_field& field : layout.fields) {
        const char* what = "";
        for (const auto& [value, text] : field_kinds) {
            if (value == field.what) what = text;
        }
        out << "field " << what << ' ' << field.offset << ' ' << field.size << ' ' << field.count
            << ' ' << field.name << '\n';
    }
}

bool parse_line(const std::string& text, std::vector<kernel_entry>& kernels) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "kernel") {
        kernel_entry entry;
        if (!(line >> entry.name >> entry.parameter_bytes)) return false;
        if (entry.parameter_bytes > most_parameter_bytes) return false;
        kernels.push_back(std::move(entry));
        return true;
    }
    if (word == "block" && !kernels.empty()) {
        dim3 block;
        if (!(line >> block.x >> block.y >> block.z)) return false;
        kernels.back().required_block = block;
        return true;
    }
    if (kernels.empty()) return false;
    if (word == "threads") {
        std::uint32_t& threads = kernels.back().most_threads.emplace();
        return line >> threads && threads != 0;
    }
    if (word == "parameter") return parse_parameter(line, kernels.back());
    if (kernels.back().parameters.empty()) return false;
    kernel_parameter& parameter = kernels.back().parameters.back();
    if (word == "layout") return parse_layout(line, parameter);
    if (word == "opencl") return parse_opencl(line, parameter);
    if (word == "base") return parse_base(line, parameter);
    return word == "field" && parse_field(line, parameter.layout);
}

}  // namespace

std::string entry_symbol(std::string_view kernel_name) {
    return "__heddle_entry_" + std::string(kernel_name);
}

std::string format_kernel_table(const std::vector<kernel_entry>& kernels) {
    std::ostringstream out;
    for (const auto& entry : kernels) {
        out << "kernel " << entry.name << ' ' << entry.parameter_bytes << '\n';
        if (entry.required_block) {
            const dim3& block = *entry.required_block;
            out << "block " << block.x << ' ' << block.y << ' ' << block.z << '\n';
        }
        if (entry.most_threads) out << "threads " << *entry.most_threads << '\n';
        for (const auto& parameter : entry.parameters) {
            const char* what = "";
            for (const auto& [value, text] : kinds) {
                if (value == parameter.what) what = text;
            }
            if (parameter.is_signed) what = signed_integer;
            out << "parameter " << what << ' ' << parameter.offset << ' ' << parameter.size << ' '
                << parameter.name << ' ' << parameter.type << '\n';
            write_layout(out, parameter.layout);
            if (parameter.opencl) write_opencl(out, *parameter.opencl);
        }
    }
    return out.str();
}

std::vector<kernel_entry> parse_kernel_table(std::string_view text, const std::string& file) {
    std::vector<kernel_entry> kernels;
    std::istringstream lines{std::string(text)};
    std::string line;
    while (std::getline(lines, line)) {
        if (!line.empty() && !parse_line(line, kernels)) {
            throw configuration_error(file + ": section .heddle.kernels has the bad line '" + line +
                                      "'; compile the program again");
        }
    }
    return kernels;
}

}  // namespace heddle::program
