// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A memory of our own behind Heddle's SMXs, network and L2: compiles a kernel, runs it on the
// machine, and counts what comes to the memory.
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <numeric>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "hw/top/gpu.h"
#include "hw/top/simulation.h"
#include "models/base/configuration.h"
#include "models/base/data_folders.h"
#include "models/device/device.h"
#include "models/program/compile.h"

namespace {

/// Loosely timed, without byte enables; 4 GiB, of which there are the pages that have been written.
class own_memory final : public sc_core::sc_module {
public:
    sc_core::sc_vector<tlm_utils::simple_target_socket<own_memory>> sockets;

    own_memory(const sc_core::sc_module_name& name, unsigned count)
        : sc_module(name), sockets("socket", count) {
        for (auto& socket : sockets) {
            socket.register_b_transport(this, &own_memory::b_transport);
            socket.register_transport_dbg(this, &own_memory::transport_dbg);
        }
    }
    unsigned accesses = 0;

private:
    static constexpr std::uint64_t page_bytes = 4096;

    void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
        ++accesses;
        delay += sc_core::sc_time(100, sc_core::SC_NS);
        transport_dbg(access);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& access) {
        if (access.get_byte_enable_ptr() != nullptr) {
            access.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
            return 0;
        }
        for (unsigned i = 0; i < access.get_data_length(); ++i) {
            unsigned char& byte = at(access.get_address() + i);
            unsigned char& moved = access.get_data_ptr()[i];
            (access.is_write() ? byte : moved) = access.is_write() ? moved : byte;
        }
        access.set_response_status(tlm::TLM_OK_RESPONSE);
        return access.get_data_length();
    }
    unsigned char& at(std::uint64_t address) {
        std::vector<unsigned char>& page = pages_[address / page_bytes];
        page.resize(page_bytes);
        return page[address % page_bytes];
    }

    std::unordered_map<std::uint64_t, std::vector<unsigned char>> pages_;
};

}  // namespace

int sc_main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "own_memory vector_add.cpp\n";
        return 2;
    }
    heddle::gpu_configuration configuration;
    heddle::parameter_list parameters(configuration);
    heddle::load_configuration(parameters,
                               {"gk110", {}, {heddle::data_folders_in_use().configurations}});

    own_memory memory("own_memory", configuration.l2.banks);
    heddle::gpu_options options;
    options.check_protocols = true;
    options.memory = [&](std::uint32_t bank) -> auto& {
        return memory.sockets[bank];
    };
    heddle::simulation simulation(configuration, options);

    constexpr unsigned n = 10'000;
    unsigned wrong = 0;
    const heddle::error_kind kind = simulation.run(
        [&](heddle::device& gpu) {
            auto compiled = heddle::program::compile({argv[1]}, "vector_add.elf");
            gpu.load(std::make_shared<heddle::program::image>(*std::move(compiled.program)));
            std::vector<float> a(n), b(n, 0.5F);
            std::iota(a.begin(), a.end(), 0.0F);
            const heddle::device_buffer<float> device_a(gpu, a, "a");
            const heddle::device_buffer<float> device_b(gpu, b, "b");
            const heddle::device_buffer<float> sum(gpu, n, "sum");
            heddle::launch(gpu, "vector_add", {{(n + 255) / 256}, {256}}, n, device_a.get(),
                           device_b.get(), sum.get());
            const std::vector<float> found = sum.read();
            for (unsigned i = 0; i < n; ++i) wrong += found[i] == a[i] + b[i] ? 0 : 1;
        },
        {});
    std::cout << simulation.status().text() << simulation.machine().core_clock().edge_count()
              << " cycles, " << memory.accesses << " accesses of the memory, " << wrong
              << " wrong\n";
    return kind == heddle::error_kind::none && wrong == 0 && memory.accesses != 0 ? 0 : 1;
}
