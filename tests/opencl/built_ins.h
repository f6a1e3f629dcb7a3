// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/device/device.h"
#include "models/iss/simulator.h"

namespace heddle::opencl::test {

inline constexpr unsigned widths[] = {1, 2, 3, 4, 8, 16};
/// Elements of an argument: every width divides them.
inline constexpr std::size_t elements = 4800;

/// "float", "float4".
std::string type_name(const std::string& scalar, unsigned width);
/// Reads element `i` of the buffer `name`: "a[i]", "vload4(i, a)".
std::string load(const std::string& name, unsigned width);
/// Writes it: "out[i] = value;", "vstore4(value, i, out);".
std::string store(const std::string& value, const std::string& name, unsigned width);
/// `kernel void NAME(global OUT* out, global const IN* a, global const IN* b, ...)`, whose thread i
/// has element i of the given width: stores `expression`, in which A, B, C are the arguments.
std::string kernel_text(const std::string& name, const std::string& out,
                        const std::vector<std::string>& in, unsigned width,
                        const std::string& expression);

/// OpenCL C kernels, compiled and loaded into a functional simulator.
class built_ins {
public:
    explicit built_ins(const std::string& text);

    /// Calls a kernel of kernel_text() with all elements of its arguments, which are equally many:
    /// a multiple of 192, so that each width divides them.
    template <class Out, class In, class... Ins>
    std::vector<Out> call(const std::string& kernel, unsigned width, const std::vector<In>& first,
                          const std::vector<Ins>&... others) {
        const device_buffer<Out> out(*gpu_, first.size(), "out");
        run(kernel, static_cast<std::uint32_t>(first.size() / width), out.get(),
            device_buffer<In>(*gpu_, first, "argument"),
            device_buffer<Ins>(*gpu_, others, "argument")...);
        return out.read();
    }
    [[nodiscard]] device& gpu() noexcept { return *gpu_; }

private:
    template <class Out, class... Buffers>
    void run(const std::string& kernel, std::uint32_t threads, const Out& out,
             const Buffers&... buffers) {
        constexpr std::uint32_t block = 64;
        const std::uint32_t of_block = threads % block == 0 ? block : 4;
        launch(*gpu_, kernel, {{threads / of_block}, {of_block}}, out, buffers.get()...);
        gpu_->synchronize();
    }

    std::unique_ptr<iss::functional_simulator> gpu_;
};

}  // namespace heddle::opencl::test
