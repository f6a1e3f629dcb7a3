// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The lock-step in the types that DPI passes. What goes wrong is the text of the machine.
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "include/heddle/lockstep.h"
#include "library/retire/record_fields.h"

namespace {

heddle_machine* machine_of(void* handle) {
    return static_cast<heddle_machine*>(handle);
}

/// A number as the parameter's kind wants it. The words of a caller that are no numbers become a
/// struct of no bytes, which heddle_launch() refuses with the parameter's name.
heddle_argument argument_of(const std::string& word, int32_t kind) {
    errno = 0;
    char* end = nullptr;
    heddle_argument made = heddle_struct(nullptr, 0);
    if (kind == HEDDLE_FLOATING) {
        made = heddle_floating(std::strtod(word.c_str(), &end));
    } else if (kind == HEDDLE_POINTER) {
        made = heddle_pointer(static_cast<uint32_t>(std::strtoul(word.c_str(), &end, 0)));
    } else if (kind == HEDDLE_LOCAL_POINTER) {
        made = heddle_local(static_cast<uint32_t>(std::strtoul(word.c_str(), &end, 0)));
    } else if (word[0] == '-') {
        made = heddle_integer(std::strtoll(word.c_str(), &end, 0));
    } else {
        made = heddle_unsigned(std::strtoull(word.c_str(), &end, 0));
    }
    const bool whole = end != nullptr && *end == '\0' && errno == 0;
    return whole ? made : heddle_struct(nullptr, 0);
}

bool find_launch(void* machine, int launch, heddle_lockstep_launch& found) {
    found = {};
    found.size = sizeof found;
    for (size_t i = 0; heddle_lockstep_get_launch(machine_of(machine), i, &found) == HEDDLE_OK;
         ++i) {
        if (launch == 0 || found.launch == static_cast<uint32_t>(launch)) return true;
    }
    return false;
}

}  // namespace

void* heddle_dpi_create(const char* configuration, int threads_apart, int ordered,
                        int tells_drained, int stale_loads) {
    heddle_options options{};
    options.size = sizeof options;
    options.configuration = configuration;
    heddle_lockstep_options lockstep{};
    lockstep.size = sizeof lockstep;
    lockstep.threads_apart = threads_apart;
    lockstep.ordered = ordered;
    lockstep.tells_drained = tells_drained;
    lockstep.stale_loads = stale_loads;
    heddle_machine* machine = nullptr;
    heddle_lockstep_create(&options, &lockstep, &machine);
    return machine;
}

void heddle_dpi_close(void* machine) {
    heddle_close(machine_of(machine));
}

const char* heddle_dpi_text(void* machine) {
    return heddle_error_text(machine_of(machine));
}

int heddle_dpi_load(void* machine, const char* file) {
    return heddle_load(machine_of(machine), file);
}

int heddle_dpi_allocate(void* machine, const char* name, int bytes) {
    uint32_t address = 0;
    heddle_allocate(machine_of(machine), static_cast<uint32_t>(bytes), name, &address);
    return static_cast<int>(address);
}

int heddle_dpi_write(void* machine, int address, int word) {
    return heddle_write(machine_of(machine), static_cast<uint32_t>(address), &word, sizeof word);
}

int heddle_dpi_launch(void* machine, const char* kernel, int blocks, int threads,
                      const char* arguments) {
    std::vector<heddle_argument> packed;
    std::istringstream words(arguments == nullptr ? "" : arguments);
    heddle_kernel_parameter parameter{};
    parameter.size = sizeof parameter;
    for (std::string word; words >> word;) {
        const bool known = heddle_get_kernel_parameter(machine_of(machine), kernel, packed.size(),
                                                       &parameter) == HEDDLE_OK;
        packed.push_back(argument_of(word, known ? parameter.kind : HEDDLE_UNSIGNED));
    }
    heddle_shape shape{};
    shape.size = sizeof shape;
    shape.grid[0] = static_cast<uint32_t>(blocks);
    shape.block[0] = static_cast<uint32_t>(threads);
    if (heddle_launch(machine_of(machine), kernel, &shape, packed.data(), packed.size()) !=
        HEDDLE_OK) {
        return 0;
    }
    size_t count = 0;
    heddle_lockstep_launch found{};
    found.size = sizeof found;
    if (heddle_lockstep_launch_count(machine_of(machine), &count) != HEDDLE_OK ||
        heddle_lockstep_get_launch(machine_of(machine), count - 1, &found) != HEDDLE_OK) {
        return 0;
    }
    return static_cast<int>(found.launch);
}

int heddle_dpi_entry(void* machine, int launch) {
    heddle_lockstep_launch found;
    return find_launch(machine, launch, found) ? static_cast<int>(found.entry) : 0;
}

int heddle_dpi_parameters(void* machine, int launch) {
    heddle_lockstep_launch found;
    return find_launch(machine, launch, found) ? static_cast<int>(found.parameters) : 0;
}

int heddle_dpi_fetch(void* machine, int launch, int address) {
    uint32_t word = 0;
    heddle_lockstep_fetch(machine_of(machine), static_cast<uint32_t>(launch),
                          static_cast<uint32_t>(address), &word, 1);
    return static_cast<int>(word);
}

int heddle_dpi_retire(void* machine, int lanes, const uint32_t* record) {
    const auto known = static_cast<size_t>(lanes >= 1 && lanes <= HEDDLE_LANES ? lanes : 0);
    const size_t words = (heddle::library::packed_bits(known) + 31) / 32;
    return heddle_lockstep_packed(machine_of(machine), static_cast<uint32_t>(lanes), record, words);
}

int heddle_dpi_memory(void* machine, int address, int word) {
    return heddle_lockstep_memory(machine_of(machine), static_cast<uint32_t>(address), &word,
                                  sizeof word);
}

int heddle_dpi_finish(void* machine) {
    return heddle_lockstep_finish(machine_of(machine));
}

int heddle_dpi_read(void* machine, int address) {
    int word = 0;
    heddle_read(machine_of(machine), &word, static_cast<uint32_t>(address), sizeof word);
    return word;
}
