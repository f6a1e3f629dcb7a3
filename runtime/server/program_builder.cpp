// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/program_builder.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "models/base/error.h"
#include "models/program/opencl_build.h"
#include "runtime/protocol/wire.h"

namespace heddle::runtime {
namespace {

/// Behind the IR of a binary: where that begins, and this mark.
constexpr char mark[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'I', 'R'};

void append(std::vector<std::byte>& binary, const std::vector<std::string>& modules) {
    const std::uint64_t begin = binary.size();
    wire_writer out;
    out(modules, begin);
    binary.insert(binary.end(), out.bytes().begin(), out.bytes().end());
    const auto* const bytes = reinterpret_cast<const std::byte*>(mark);
    binary.insert(binary.end(), bytes, bytes + sizeof mark);
}

/// Throws configuration_error for bytes that are no binary of Heddle's.
std::vector<std::string> modules_of(const std::vector<std::byte>& binary) {
    constexpr std::size_t tail = sizeof(std::uint64_t) + sizeof mark;
    std::vector<std::string> modules;
    try {
        std::uint64_t begin = 0;
        const bool marked =
            binary.size() >= tail &&
            std::memcmp(binary.data() + binary.size() - sizeof mark, mark, sizeof mark) == 0;
        if (!marked) throw connection_error("no mark");
        std::memcpy(&begin, binary.data() + binary.size() - tail, sizeof begin);
        if (begin > binary.size()) throw connection_error("begins behind its end");
        const std::vector<std::byte> part(binary.begin() + static_cast<std::ptrdiff_t>(begin),
                                          binary.end());
        wire_reader in(part);
        in(modules);
    } catch (const connection_error& error) {
        throw configuration_error(
            std::string("a program's binary without its intermediate code (") + error.what() +
            "); legal: what clGetProgramInfo gave");
    }
    return modules;
}

}  // namespace

built_answer program_builder::link(const std::vector<std::string>& modules, const std::string& name,
                                   const program::program_place& place) {
    how_.place = place;
    program::opencl_program linked = program::link_opencl(modules, name, how_);
    built_answer answer;
    answer.good = linked.status == program::build_status::success;
    answer.log = std::move(linked.log);
    if (!answer.good) return answer;
    const auto* const bytes = reinterpret_cast<const std::byte*>(linked.image.data());
    answer.binary.assign(bytes, bytes + linked.image.size());
    append(answer.binary, modules);
    return answer;
}

built_answer program_builder::compile(const build_request& request,
                                      const program::program_place& place) {
    program::opencl_source source;
    source.source = {"program" + std::to_string(++sources_) + ".cl", request.source};
    for (const named_text& header : request.headers) {
        source.headers.push_back({header.name, header.text});
    }
    source.options = request.options;
    program::opencl_module compiled = program::compile_opencl(source, how_);
    built_answer answer;
    answer.invalid_options = compiled.status == program::build_status::invalid_options;
    answer.good = compiled.status == program::build_status::success;
    answer.log = std::move(compiled.log);
    if (!answer.good) return answer;
    if (request.object) {
        append(answer.binary, {compiled.ir});
        return answer;
    }
    built_answer linked = link(std::vector<std::string>{compiled.ir}, source.source.name, place);
    linked.log.insert(0, answer.log);
    return linked;
}

built_answer program_builder::link(const link_request& request,
                                   const program::program_place& place) {
    std::vector<std::string> modules;
    for (const auto& object : request.objects) {
        for (std::string& module : modules_of(object)) modules.push_back(std::move(module));
    }
    if (!request.library) return link(modules, "linked program", place);
    built_answer answer;
    answer.good = true;
    append(answer.binary, modules);
    return answer;
}

std::vector<std::byte> program_builder::move(const std::vector<std::byte>& executable,
                                             const std::string& name,
                                             const program::program_place& place) {
    built_answer linked = link(modules_of(executable), name, place);
    if (!linked.good) throw configuration_error(linked.log);
    return std::move(linked.binary);
}

}  // namespace heddle::runtime
