// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "models/device/device.h"

using namespace heddle;
using namespace heddle::library;

heddle_status heddle_allocate(heddle_machine* machine, uint64_t bytes, const char* name,
                              uint32_t* address) {
    return call(__func__, machine, [&](library::machine& m) {
        given(address, "address");
        const std::string called = name == nullptr ? "buffer" : name;
        m.use([&](device& d) { *address = d.allocate(bytes, called); });
    });
}

heddle_status heddle_release(heddle_machine* machine, uint32_t address) {
    return call(__func__, machine,
                [&](library::machine& m) { m.use([&](device& d) { d.release(address); }); });
}

heddle_status heddle_write(heddle_machine* machine, uint32_t to, const void* from, size_t bytes) {
    return call(__func__, machine, [&](library::machine& m) {
        if (from == nullptr && bytes != 0) throw configuration_error("'from' is NULL");
        m.use([&](device& d) { d.write(to, from, bytes); });
    });
}

heddle_status heddle_read(heddle_machine* machine, void* to, uint32_t from, size_t bytes) {
    return call(__func__, machine, [&](library::machine& m) {
        if (to == nullptr && bytes != 0) throw configuration_error("'to' is NULL");
        m.use([&](device& d) { d.read(to, from, bytes); });
    });
}

heddle_status heddle_fill(heddle_machine* machine, uint32_t to, uint8_t value, size_t bytes) {
    return call(__func__, machine,
                [&](library::machine& m) { m.use([&](device& d) { d.fill(to, value, bytes); }); });
}
