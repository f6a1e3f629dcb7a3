// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/descriptors.h"

namespace heddle::cuda {

void over_array(heddle_texture& made, const cudaArray& array) {
    made.address = array.address;
    made.width = static_cast<unsigned>(array.extent.width);
    made.height = static_cast<unsigned>(array.extent.height);
    made.depth = static_cast<unsigned>(array.extent.depth);
    made.pitch = made.height == 0 ? 0 : array.pitch;
    made.slice = array.pitch * array.rows();
}

void put_descriptor(device_objects& device, std::uint32_t address, const heddle_texture& made) {
    device_session& session = device.session;
    session.enqueue(session.streams().default_stream(), [&session, address, made] {
        session.write({&made, 0, 0}, {address, 0, 0}, {sizeof made, 1, 1});
    });
}

std::uint32_t make_object(device_objects& device, const heddle_texture& made) {
    const std::uint32_t address = device.memory.allocate(sizeof made, memory_kind::array, 0);
    put_descriptor(device, address, made);
    return address;
}

}  // namespace heddle::cuda
