// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/reference_functions.h"

#include <algorithm>
#include <cstdio>
#include <exception>

#include "hw/cosim/port_table.h"
#include "hw/cosim/reference.h"

namespace {

using heddle::cosim::rtl_model;

rtl_model& model(void* part) {
    return *static_cast<rtl_model*>(part);
}

/// An exception must not leave C++.
template <class Function>
void guarded(const Function& what) {
    try {
        what();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "heddle_reference: %s\n", error.what());
    }
}

constexpr unsigned word_bits = 32;

}  // namespace

void* heddle_reference_create(const char* slot) {
    void* made = nullptr;
    guarded([&] { made = heddle::cosim::make_reference(slot).release(); });
    return made;
}
void heddle_reference_destroy(void* part) {
    delete static_cast<rtl_model*>(part);
}
void heddle_reference_put(void* part, unsigned at, unsigned bits, const std::uint32_t* value) {
    for (unsigned done = 0; done < bits; done += word_bits) {
        heddle::cosim::put_bits(model(part).inputs(), at + done, std::min(word_bits, bits - done),
                                value[done / word_bits]);
    }
}
void heddle_reference_decide(void* part) {
    guarded([part] { model(part).evaluate(); });
}
void heddle_reference_get(const void* part, unsigned at, unsigned bits, std::uint32_t* value) {
    const std::uint32_t* const outputs = static_cast<const rtl_model*>(part)->outputs();
    for (unsigned done = 0; done < bits; done += word_bits) {
        value[done / word_bits] = static_cast<std::uint32_t>(
            heddle::cosim::get_bits(outputs, at + done, std::min(word_bits, bits - done)));
    }
}
void heddle_reference_edge(void* part) {
    guarded([part] { model(part).clock(); });
}
void heddle_reference_reset(void* part) {
    guarded([part] { model(part).reset(); });
}
