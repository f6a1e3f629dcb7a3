// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx/smx_cases.h"

#include "models/base/random.h"

namespace heddle {
namespace {

/// Collects the buffers of a script. Memory is released with the device.
class script_memory {
public:
    explicit script_memory(device& target) : target_(target) {}

    device_ptr<unsigned> output(const char* name, std::size_t words) {
        const device_address address = target_.allocate(4 * words, name);
        observed_.push_back({name, address, 4 * words});
        return {address};
    }
    device_ptr<unsigned> input(const char* name, const std::vector<unsigned>& values) {
        const device_address address = target_.allocate(4 * values.size(), name);
        target_.write(address, values.data(), 4 * values.size());
        return {address};
    }
    device_ptr<unsigned> random_input(const char* name, std::size_t words,
                                      unsigned limit = 100000) {
        random_stream random(11, name);
        std::vector<unsigned> values(words);
        for (unsigned& value : values) value = static_cast<unsigned>(random.below(limit));
        return input(name, values);
    }
    [[nodiscard]] std::vector<observed_buffer> observed() const { return observed_; }
    launch_shape shape(dim3 grid, dim3 block, std::uint32_t dynamic = 0) {
        return {grid, block, dynamic, target_.create_stream()};
    }

private:
    device& target_;
    std::vector<observed_buffer> observed_;
};

/// kernel(n, in, out) with one thread an element, the last block not full.
smx_case elements(const char* kernel, unsigned limit) {
    constexpr unsigned n = 300, threads = 96;
    return {kernel, [=](device& target) {
                script_memory memory(target);
                const auto in = memory.random_input("in", n, limit);
                const auto out = memory.output(kernel, n);
                launch(target, kernel, memory.shape({(n + threads - 1) / threads}, {threads}), n,
                       in, out);
                return memory.observed();
            }};
}

/// kernel(out) with `words` words of output.
smx_case outputs(const char* kernel, dim3 grid, dim3 block, unsigned words,
                 std::uint32_t dynamic = 0) {
    return {kernel, [=](device& target) {
                script_memory memory(target);
                const auto out = memory.output(kernel, words);
                launch(target, kernel, memory.shape(grid, block, dynamic), out);
                return memory.observed();
            }};
}

/// kernel(in, out).
smx_case in_out(const char* kernel, dim3 grid, dim3 block, unsigned in_words, unsigned out_words) {
    return {kernel, [=](device& target) {
                script_memory memory(target);
                const auto in = memory.random_input("in", in_words);
                const auto out = memory.output(kernel, out_words);
                launch(target, kernel, memory.shape(grid, block), in, out);
                return memory.observed();
            }};
}

std::vector<observed_buffer> widths(device& target) {
    script_memory memory(target);
    const auto in = memory.random_input("in", 64);
    const auto out = memory.output("widths", 5 * 256);
    launch(target, "widths", memory.shape({2}, {128}), device_ptr<unsigned char>{in.address},
           device_ptr<int>{out.address});
    return memory.observed();
}

std::vector<observed_buffer> byte_stores(device& target) {
    script_memory memory(target);
    const auto out = memory.output("byte_stores", 25);
    launch(target, "byte_stores", memory.shape({4}, {25}), device_ptr<unsigned char>{out.address});
    return memory.observed();
}

std::vector<observed_buffer> atomic_order(device& target) {
    script_memory memory(target);
    const auto counter = memory.output("atomic_order.counter", 1);
    const auto seen = memory.output("atomic_order.seen", 32);
    const auto sum = memory.output("atomic_order.sum", 1);
    launch(target, "atomic_order", memory.shape({1}, {32}), counter, seen,
           device_ptr<float>{sum.address});
    return memory.observed();
}

std::vector<observed_buffer> broken_reservation(device& target) {
    script_memory memory(target);
    const auto word = memory.output("broken_reservation.word", 1);
    const auto result = memory.output("broken_reservation.result", 32);
    launch(target, "broken_reservation", memory.shape({1}, {2}), word, result);
    return memory.observed();
}

std::vector<observed_buffer> fenced_messages(device& target) {
    script_memory memory(target);
    const auto values = memory.output("fenced_messages.values", 4 * 64);
    const auto flags = memory.output("fenced_messages.flags", 4);
    launch(target, "fenced_messages", memory.shape({4}, {64}), values, flags);
    return memory.observed();
}

std::vector<observed_buffer> rounding(device& target) {
    script_memory memory(target);
    const auto out = memory.output("rounding", 64);
    launch(target, "rounding", memory.shape({1}, {64}), device_ptr<float>{out.address});
    return memory.observed();
}

}  // namespace

std::vector<smx_case> smx_cases() {
    std::vector<smx_case> cases;
    for (const char* kernel :
         {"nested_branches", "loop_trips", "direct_calls", "tail_calls", "recursion",
          "indirect_calls", "early_exits", "arithmetic", "exchanges"}) {
        cases.push_back(elements(kernel, 200));
    }
    cases.push_back({"shared_counts", [](device& target) {
                         script_memory memory(target);
                         const auto in = memory.random_input("in", 1000);
                         const auto out = memory.output("shared_counts", 64);
                         launch(target, "shared_counts", memory.shape({5}, {200}), 1000u, in, out);
                         return memory.observed();
                     }});
    cases.push_back(in_out("reverse", {3}, {256}, 768, 768));
    cases.push_back(outputs("early_exit_barrier", {2}, {256}, 64));
    cases.push_back(outputs("half_warp_barrier", {2}, {128}, 128));
    cases.push_back(outputs("ids", {2, 3, 2}, {4, 5, 3}, 2 * 3 * 2 * 60));
    cases.push_back(outputs("uneven_barriers", {2}, {160}, 320));
    cases.push_back(outputs("private_arrays", {3}, {70}, 210));
    cases.push_back(in_out("mixed_windows", {2}, {96}, 192, 192));
    cases.push_back(outputs("same_place", {1}, {32}, 1));
    cases.push_back(outputs("reserved_increments", {2}, {64}, 1));
    cases.push_back(outputs("shared_layout", {4}, {64}, 4, 512));
    cases.push_back(outputs("globals", {1}, {70}, 70));
    cases.push_back({"widths", widths});
    cases.push_back({"byte_stores", byte_stores});
    cases.push_back({"atomic_order", atomic_order});
    cases.push_back({"broken_reservation", broken_reservation});
    cases.push_back({"fenced_messages", fenced_messages});
    cases.push_back({"rounding", rounding});
    return cases;
}

std::vector<smx_case> failing_smx_cases() {
    return {outputs("spin_lock", {1}, {32}, 1)};
}

host_script together(std::vector<smx_case> cases) {
    return [cases = std::move(cases)](device& target) {
        std::vector<observed_buffer> all;
        for (const smx_case& each : cases) {
            const std::vector<observed_buffer> part = each.script(target);
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    };
}

}  // namespace heddle
