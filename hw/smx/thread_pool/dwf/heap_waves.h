// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hw/base/waveform.h"
#include "hw/smx/thread_pool/dwf/pc_heap.h"
#include "hw/smx/thread_pool/dwf/wave_index.h"

namespace heddle {

/// The variables of Majority Entry, Max-Heap and MHeap LUT in a waveform.
struct heap_waves {
    struct warps {
        wave_bits pc;
        wave_integer cnt, wph, wpt;

        warps(waveform& waves, const std::string& name)
            : pc(waves.declare_bits(name + ".pc", 32)),
              cnt(waves.declare_integer(name + ".cnt")),
              wph(waves.declare_integer(name + ".wph")),
              wpt(waves.declare_integer(name + ".wpt")) {}
        void set(const pc_warps& of) {
            cnt.set(of.threads);
            if (of.threads == 0) return;
            pc.set(of.pc);
            wph.set(shown_index(of.head));
            wpt.set(shown_index(of.tail));
        }
    };
    struct heap_entry {
        warps of;
        wave_integer lut;
    };
    struct lut_entry {
        wave_bits valid, pc;
        wave_integer position;
    };
    warps majority;
    wave_integer entries;
    wave_bits balanced;
    std::vector<heap_entry> heap;
    std::vector<lut_entry> lut;

    heap_waves(waveform& waves, const std::string& scope, unsigned heap_entries,
               std::size_t lut_entries)
        : majority(waves, scope + ".majority_entry"),
          entries(waves.declare_integer(scope + ".heap_entries")),
          balanced(waves.declare_bits(scope + ".heap_balanced", 1)) {
        for (unsigned at = 0; at < heap_entries; ++at) {
            const std::string name = scope + ".heap_" + std::to_string(at);
            heap.push_back({warps(waves, name), waves.declare_integer(name + ".lut")});
        }
        for (std::size_t at = 0; at < lut_entries; ++at) {
            const std::string name = scope + ".heap_lut_" + std::to_string(at);
            lut.push_back({waves.declare_bits(name + ".valid", 1),
                           waves.declare_bits(name + ".pc", 32),
                           waves.declare_integer(name + ".mh")});
        }
    }
};

}  // namespace heddle
