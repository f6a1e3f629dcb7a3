// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Versions, errors, and the life of a machine.
#include <cstddef>
#include <cstring>

#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "models/base/attention.h"

namespace {

using namespace heddle;
using namespace heddle::library;

/// Changes the options of a machine that is not built.
heddle_status attach(const char* function, heddle_machine* machine, const char* text,
                     const char* name,
                     void (*change)(command::timed_options& options, std::string&& text)) {
    return call(function, machine, [&](library::machine& m) {
        std::string words = given_text(text, name);
        if (words.empty()) throw configuration_error(std::string("'") + name + "' is empty");
        m.attach([&](command::timed_options& options) { change(options, std::move(words)); });
    });
}

}  // namespace

machine_request library::request_of(const heddle_options* options) {
    const auto text_or_empty = [](const char* text) {
        return text == nullptr ? std::string() : std::string(text);
    };
    machine_request request;
    if (options == nullptr) return request;
    // A program that was compiled before there was `threads` brings less.
    heddle_options wanted = {};
    const std::size_t size = options->size == offsetof(heddle_options, threads)
                                 ? options->size
                                 : given_struct(options, "options", "heddle_options").size;
    std::memcpy(&wanted, options, size);
    request.configuration = text_or_empty(wanted.configuration);
    request.text = text_or_empty(wanted.text);
    if (wanted.setting_count != 0) given(wanted.settings, "options.settings");
    for (std::size_t i = 0; i < wanted.setting_count; ++i) {
        request.settings.push_back(given_text(wanted.settings[i], "options.settings[i]"));
    }
    request.seed = wanted.seed == 0 ? request.seed : wanted.seed;
    request.max_cycles = wanted.max_cycles;
    request.functional = wanted.functional != 0;
    request.check = wanted.check != 0;
    if (wanted.threads != 0) request.threads = wanted.threads;
    return request;
}

/// libsystemc has a main() that calls this one. A program that loads the library has its own.
extern "C" int sc_main(int, char**) {
    return HEDDLE_FAILED;
}

const char* heddle_version(void) {
    return HEDDLE_VERSION;
}

const char* heddle_status_name(int status) {
    switch (status) {
        case HEDDLE_OK:
            return "HEDDLE_OK";
        case HEDDLE_WRONG_RESULT:
            return "HEDDLE_WRONG_RESULT";
        case HEDDLE_USAGE:
            return "HEDDLE_USAGE";
        case HEDDLE_KERNEL_FAULT:
            return "HEDDLE_KERNEL_FAULT";
        case HEDDLE_NO_PROGRESS:
            return "HEDDLE_NO_PROGRESS";
        case HEDDLE_INTERRUPTED:
            return "HEDDLE_INTERRUPTED";
        case HEDDLE_FAILED:
            return "HEDDLE_FAILED";
        default:
            return "unknown status";
    }
}

const char* heddle_error_text(const heddle_machine* machine) {
    return text_of(machine);
}

heddle_status heddle_create(const heddle_options* options, heddle_machine** machine) {
    return call(__func__, [&] {
        given(machine, "machine") = nullptr;
        *machine = admit(request_of(options));
    });
}

heddle_status heddle_close(heddle_machine* machine) {
    return dismiss(__func__, machine, [](library::machine& m) { m.close(); });
}

heddle_status heddle_attach_waveform(heddle_machine* machine, const char* file) {
    return attach(__func__, machine, file, "file", [](command::timed_options& o, std::string&& t) {
        o.traces.waveform_file = std::move(t);
    });
}

heddle_status heddle_attach_timeline(heddle_machine* machine, const char* file) {
    return attach(__func__, machine, file, "file", [](command::timed_options& o, std::string&& t) {
        o.traces.timeline_file = std::move(t);
    });
}

heddle_status heddle_attach_retire(heddle_machine* machine, const char* file) {
    return attach(__func__, machine, file, "file", [](command::timed_options& o, std::string&& t) {
        o.follow.retire_file = std::move(t);
    });
}

heddle_status heddle_trace_scope(heddle_machine* machine, const char* pattern) {
    return attach(__func__, machine, pattern, "pattern",
                  [](command::timed_options& o, std::string&& t) {
                      o.traces.scopes.push_back(std::move(t));
                  });
}

heddle_status heddle_trace_cycles(heddle_machine* machine, const char* cycles) {
    return attach(
        __func__, machine, cycles, "cycles",
        [](command::timed_options& o, std::string&& t) { o.traces.cycles = std::move(t); });
}

heddle_status heddle_retire_scope(heddle_machine* machine, const char* scope) {
    return attach(__func__, machine, scope, "scope",
                  [](command::timed_options& o, std::string&& t) {
                      o.follow.retire_scopes.push_back(std::move(t));
                  });
}

void heddle_interrupt(void) {
    attention::raise(attention::interrupt);
}

heddle_status heddle_set_poll(heddle_machine* machine, heddle_poll poll, void* context) {
    return call(__func__, machine, [&](library::machine& m) {
        if (poll == nullptr) {
            m.set_poll({});
            return;
        }
        m.set_poll([&m, poll, context] {
            const within_callback inside(m);
            return poll(context) != 0;
        });
    });
}
