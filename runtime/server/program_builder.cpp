// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/program_builder.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/base/error.h"
#include "models/program/cuda_build.h"
#include "models/program/opencl_build.h"
#include "runtime/protocol/wire.h"

namespace heddle::runtime {
namespace {

/// Behind what a binary was made of: where that begins, and this mark.
constexpr char mark[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'C', 'L'};

/// What a binary was made of: modules of IR, or one source with its name.
struct recipe {
    std::vector<std::string> modules;
    std::optional<build_request> source;
    std::string name;
    template <class F>
    void fields(F& f) {
        f(modules, source, name);
    }
};

void append(std::vector<std::byte>& binary, const recipe& made_of) {
    const std::uint64_t begin = binary.size();
    wire_writer out;
    out(made_of, begin);
    binary.insert(binary.end(), out.bytes().begin(), out.bytes().end());
    const auto* const bytes = reinterpret_cast<const std::byte*>(mark);
    binary.insert(binary.end(), bytes, bytes + sizeof mark);
}

/// Throws configuration_error for bytes that are no binary of Heddle's.
recipe recipe_of(const std::vector<std::byte>& binary) {
    constexpr std::size_t tail = sizeof(std::uint64_t) + sizeof mark;
    recipe found;
    try {
        std::uint64_t begin = 0;
        const bool marked =
            binary.size() >= tail &&
            std::memcmp(binary.data() + binary.size() - sizeof mark, mark, sizeof mark) == 0;
        if (!marked) throw connection_error("no mark at its end");
        std::memcpy(&begin, binary.data() + binary.size() - tail, sizeof begin);
        if (begin > binary.size()) throw connection_error("it begins behind its end");
        const std::vector<std::byte> part(binary.begin() + static_cast<std::ptrdiff_t>(begin),
                                          binary.end());
        wire_reader in(part);
        in(found);
    } catch (const connection_error& error) {
        throw configuration_error(std::string("a program's binary without what it was made of (") +
                                  error.what() + "); legal: what clGetProgramInfo gave");
    }
    return found;
}

program::opencl_source source_of(const build_request& request, const std::string& name) {
    program::opencl_source source;
    source.source = {name, request.source};
    for (const named_text& header : request.headers) {
        source.headers.push_back({header.name, header.text});
    }
    source.options = request.options;
    return source;
}

/// The answer but for the recipe behind the binary.
built_answer answer_of(program::opencl_program&& built) {
    built_answer answer;
    answer.good = built.status == program::build_status::success;
    answer.invalid_options = built.status == program::build_status::invalid_options;
    answer.log = std::move(built.log);
    const auto* const bytes = reinterpret_cast<const std::byte*>(built.image.data());
    answer.binary.assign(bytes, bytes + built.image.size());
    return answer;
}

}  // namespace

built_answer program_builder::link(const std::vector<std::string>& modules, const std::string& name,
                                   const program::program_place& place) {
    how_.place = place;
    built_answer answer = answer_of(program::link_opencl(modules, name, how_));
    if (answer.good) append(answer.binary, {modules, std::nullopt, name});
    return answer;
}

built_answer program_builder::build(const build_request& request, const std::string& name,
                                    const program::program_place& place) {
    how_.place = place;
    built_answer answer = answer_of(cache_.build(source_of(request, name), how_));
    if (answer.good) append(answer.binary, {{}, request, name});
    return answer;
}

built_answer program_builder::compile(const build_request& request,
                                      const program::program_place& place) {
    const std::string name = "program" + std::to_string(++sources_) + ".cl";
    if (!request.object) return build(request, name, place);
    program::opencl_module compiled = program::compile_opencl(source_of(request, name), how_);
    built_answer answer;
    answer.invalid_options = compiled.status == program::build_status::invalid_options;
    answer.good = compiled.status == program::build_status::success;
    answer.log = std::move(compiled.log);
    if (answer.good) append(answer.binary, {{compiled.ir}, std::nullopt, name});
    return answer;
}

built_answer program_builder::link(const link_request& request,
                                   const program::program_place& place) {
    std::vector<std::string> modules;
    for (const auto& object : request.objects) {
        for (std::string& module : recipe_of(object).modules) modules.push_back(std::move(module));
    }
    const std::string name = "program" + std::to_string(++sources_) + ".cl";
    if (!request.library) return link(modules, name, place);
    built_answer answer;
    answer.good = true;
    append(answer.binary, {modules, std::nullopt, name});
    return answer;
}

std::vector<std::byte> program_builder::move(const std::vector<std::byte>& executable,
                                             const program::program_place& place) {
    const std::string_view bytes(reinterpret_cast<const char*>(executable.data()),
                                 executable.size());
    if (program::is_cuda_program(bytes)) {
        how_.place = place;
        const auto placed = program::place_cuda_program(bytes, "CUDA program", how_);
        const auto* const begin = reinterpret_cast<const std::byte*>(placed.data());
        return {begin, begin + placed.size()};
    }
    const recipe made_of = recipe_of(executable);
    built_answer again = made_of.source ? build(*made_of.source, made_of.name, place)
                                        : link(made_of.modules, made_of.name, place);
    if (!again.good) throw configuration_error(again.log);
    return std::move(again.binary);
}

}  // namespace heddle::runtime
