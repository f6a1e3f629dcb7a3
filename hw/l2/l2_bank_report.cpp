// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What a bank tells the outside: debug transport, statistics, wait-for reports.
#include <algorithm>
#include <cstring>

#include "hw/l2/l2_bank.h"

namespace heddle {

bool l2_bank::empty() const {
    return requests_.empty() && responses_.empty() && memory_.idle() && cache_.idle() &&
           !responding_;
}

std::string l2_bank::waiting_for() const {
    if (empty()) {
        return {};
    }
    static constexpr std::array<const char*, stall_count> reasons{
        "",
        ", no free miss register",
        ", MSHR targets used up",
        ", all lines of the set are fetched",
        ", the write buffer is full",
        ", the response queue is full",
        ", the access before keeps the bank"};
    return std::to_string(requests_.size()) + " requests" + reasons[stall_] + ", " +
           std::to_string(cache_.misses_used()) + " lines being fetched, " +
           std::to_string(cache_.write_buffer_used()) + " being written back, " +
           std::to_string(responses_.size()) + " responses" +
           (responding_ ? ", one that the network does not take" : "") +
           (memory_.unaccepted() != nullptr ? ", a request that memory does not accept" : "");
}

void l2_bank::collect(statistics& out, const std::string& scope) const {
    declare_counted(out, scope, l2_statistics);
    set_counted(out, scope, l2_statistics, counts());
    out.declare(scope, l2_stall_statistics);
    const auto set = [&](const char* name, auto value) { out.set(scope + "." + name, value); };
    set("queue_stall_cycles", queue_stall_);
    static_assert(std::size(l2_stall_statistics) == stall_count);
    for (std::size_t reason = 1; reason < stall_count; ++reason) {
        set(l2_stall_statistics[reason].name, stalls_[reason]);
    }
}

// ---- debug ------------------------------------------------------------------------------------

/// With the payload of the access: a new one would be an allocation a line.
bool l2_bank::debug_memory(payload& access, std::uint64_t address, std::uint8_t* data,
                           unsigned length, const byte_mask& enabled) {
    const std::uint64_t own_address = access.get_address();
    std::uint8_t* const own_data = access.get_data_ptr();
    const unsigned own_length = access.get_data_length();
    const unsigned own_width = access.get_streaming_width();
    std::uint8_t* const own_enables = access.get_byte_enable_ptr();
    bool good = true;
    // runs instead of byte enables, which the memory may not know
    access.set_byte_enable_ptr(nullptr);
    enabled.runs([&](unsigned first, unsigned count) {
        count = std::min(count, length - first);
        access.set_address(address + first);
        access.set_data_ptr(data + first);
        access.set_data_length(count);
        access.set_streaming_width(count);
        access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        good = good && memory_socket->transport_dbg(access) == count;
    });
    access.set_address(own_address);
    access.set_data_ptr(own_data);
    access.set_data_length(own_length);
    access.set_streaming_width(own_width);
    access.set_byte_enable_ptr(own_enables);
    return good;
}

unsigned l2_bank::debug_line(payload& access, unsigned done) {
    const std::uint64_t address = access.get_address() + done;
    const std::uint64_t line = address / configuration_.line;
    const auto offset = static_cast<unsigned>(address % configuration_.line);
    const unsigned count = std::min(access.get_data_length() - done, configuration_.line - offset);
    byte_mask wanted = byte_mask::bytes(0, count);
    if (const std::uint8_t* enables = access.get_byte_enable_ptr()) {
        for (unsigned byte = 0; byte < count; ++byte) {
            if (enables[(done + byte) % access.get_byte_enable_length()] != TLM_BYTE_ENABLED) {
                wanted = wanted & ~byte_mask::bytes(byte, 1);
            }
        }
    }
    std::uint8_t* const data = access.get_data_ptr() + done;
    std::array<std::uint8_t, protocol::maximum_line_bytes> here;  // of it, what a mask names
    if (access.is_write()) {
        if (!debug_memory(access, address, data, count, wanted)) {
            return 0;
        }
        copy_bytes(here.data() + offset, data, wanted);
        cache_.write_debug(line, here.data(), wanted.moved_up(offset));
        return count;
    }
    const byte_mask found = cache_.read_debug(line, here.data()).moved_down(offset) & wanted;
    if (!debug_memory(access, address, data, count, wanted & ~found)) {
        return 0;
    }
    copy_bytes(data, here.data() + offset, found);
    return count;
}

/// All at once with the memory, if the bank knows nothing that the memory does not. Before a first
/// launch, the host fills the memory.
bool l2_bank::debug_around(payload& access) {
    if (!cache_.empty() || access.get_byte_enable_ptr() != nullptr) return false;
    access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return memory_socket->transport_dbg(access) == access.get_data_length();
}

unsigned l2_bank::debug(payload& access) {
    const unsigned length = access.get_data_length();
    unsigned done = 0;
    if (access.get_command() != tlm::TLM_IGNORE_COMMAND && length != 0 && debug_around(access)) {
        done = length;
    } else if (access.get_command() != tlm::TLM_IGNORE_COMMAND &&
               !(access.get_byte_enable_ptr() != nullptr && access.get_byte_enable_length() == 0)) {
        while (done < length) {
            const unsigned moved = debug_line(access, done);
            if (moved == 0) {
                break;
            }
            done += moved;
        }
    }
    access.set_response_status(done == length && length != 0 ? tlm::TLM_OK_RESPONSE
                                                             : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return done;
}

}  // namespace heddle
