// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hw/base/waveform.h"

namespace heddle {

/// The variables of dynamic warp formation in a waveform.
struct dwf_waves {
    struct update_register {
        wave_bits pc, req;
    };
    struct lut_entry {
        wave_bits valid, pc, occ;
        wave_integer idx;
    };
    struct warp {
        wave_bits pc, lanes, threads;
        wave_integer next;
    };
    wave_integer arrivals, free, overflow;
    std::vector<update_register> registers;
    std::vector<lut_entry> lut;
    std::vector<warp> pool;

    dwf_waves(waveform& waves, const std::string& scope, unsigned lanes, std::size_t lut_entries,
              unsigned pool_entries)
        : arrivals(waves.declare_integer(scope + ".arrivals")),
          free(waves.declare_integer(scope + ".warp_allocator.free")),
          overflow(waves.declare_integer(scope + ".overflow_list.threads")) {
        for (const char* which : {"a", "b"}) {
            const std::string name = scope + ".warp_update_register_" + which;
            registers.push_back(
                {waves.declare_bits(name + ".pc", 32), waves.declare_bits(name + ".req", lanes)});
        }
        for (std::size_t at = 0; at < lut_entries; ++at) {
            const std::string name = scope + ".pc_warp_lut_" + std::to_string(at);
            lut.push_back(
                {waves.declare_bits(name + ".valid", 1), waves.declare_bits(name + ".pc", 32),
                 waves.declare_bits(name + ".occ", lanes), waves.declare_integer(name + ".idx")});
        }
        for (unsigned w = 0; w < pool_entries; ++w) {
            const std::string name = scope + ".warp_pool_" + std::to_string(w);
            pool.push_back({waves.declare_bits(name + ".pc", 32),
                            waves.declare_bits(name + ".lanes", lanes),
                            waves.declare_bits(name + ".tid", 16 * lanes),
                            waves.declare_integer(name + ".next")});
        }
    }
};

}  // namespace heddle
