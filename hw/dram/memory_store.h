// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <tlm>

namespace heddle {

struct memory_traffic {
    std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0, errors = 0;
    /// Writes below the runtime reserve that changed a byte, for the watchdog: values that others
    /// may wait for, private memory lying in the reserve.
    std::uint64_t changes = 0;

    memory_traffic& operator+=(const memory_traffic& more) noexcept {
        reads += more.reads;
        writes += more.writes;
        bytes_read += more.bytes_read;
        bytes_written += more.bytes_written;
        errors += more.errors;
        changes += more.changes;
        return *this;
    }
};

/// Performs generic payloads on an array of bytes.
class memory_store {
public:
    /// `data` holds addresses 0 ... size - 1 and outlives the store.
    memory_store(std::uint8_t* data, std::uint64_t size) noexcept : data_(data), size_(size) {}

    /// Reads or writes, sets the response status and counts. Byte enables apply to both commands;
    /// bytes that are not enabled are left alone. In case of an error nothing is.
    void perform(tlm::tlm_generic_payload& payload, memory_traffic& counts);
    /// The same for transport_dbg, uncounted; returns the number of bytes.
    unsigned perform_debug(tlm::tlm_generic_payload& payload);

private:
    /// Whether bytes of the memory have changed.
    bool move(tlm::tlm_generic_payload& payload) const;

    std::uint8_t* data_;
    std::uint64_t size_;
};

}  // namespace heddle
