// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/write_journal.h"

#include "hw/axi/tlm_status.h"

namespace heddle::axi {

void write_journal::list::add(const payload& write) {
    if (used == all.size()) all.push_back(std::make_unique<kept_write>());
    kept_write& kept = *all[used++];
    const unsigned bytes = write.get_data_length();
    kept.data.assign(write.get_data_ptr(), write.get_data_ptr() + bytes);
    kept.write.set_write();
    kept.write.set_address(write.get_address());
    kept.write.set_data_ptr(kept.data.data());
    kept.write.set_data_length(bytes);
    kept.write.set_streaming_width(bytes);
    const unsigned char* const enables = write.get_byte_enable_ptr();
    if (enables != nullptr) {
        kept.enables.assign(enables, enables + write.get_byte_enable_length());
    }
    kept.write.set_byte_enable_ptr(enables == nullptr ? nullptr : kept.enables.data());
    kept.write.set_byte_enable_length(enables == nullptr ? 0 : write.get_byte_enable_length());
    kept.write.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void write_journal::list::overlay(payload& read) const {
    for (std::size_t i = 0; i < used; ++i) axi::overlay(read, all[i]->write);
}

}  // namespace heddle::axi
