// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/base/machine_configuration.h"
#include "models/device/allocation_table.h"
#include "models/device/device.h"
#include "models/device/device_runtime.h"
#include "models/device/kernel_output.h"
#include "models/device/launch_table.h"
#include "models/device/program_table.h"
#include "models/program/program_place.h"

namespace heddle {

/// What all devices share: the address space with its allocations, the loaded programs, parameter
/// buffers, streams and events, and the checks of every call. A device adds where the bytes are
/// kept and how launches run.
class basic_device : public device {
public:
    basic_device(const machine_configuration& machine, std::string name);

    [[nodiscard]] const device_properties& properties() const noexcept override {
        return properties_;
    }
    program_id load(std::shared_ptr<const program::image> image) override;
    void unload(program_id program) override;
    [[nodiscard]] program::program_place free_place(
        const program::program_extent& of) const override;
    [[nodiscard]] const program_table& programs() const noexcept override { return programs_; }
    /// Has no times.
    [[nodiscard]] launch_times times(launch_number launch) const override;
    device_address allocate(std::uint64_t bytes, std::string_view name) override;
    void release(device_address address) override;
    void write(device_address to, const void* from, std::size_t bytes) override;
    void read(void* to, device_address from, std::size_t bytes) override;
    void fill(device_address to, std::uint8_t value, std::size_t bytes) override;
    stream_id create_stream() override;
    event_id record(stream_id stream) override;
    void wait(event_id event) override;
    [[nodiscard]] bool finished(event_id event) override;
    std::uint64_t wait_until(std::uint64_t cycle) override;
    void print_to(std::function<void(std::string_view)> sink) override {
        output_.print_to(std::move(sink));
    }
    /// Prints what kernels have printed so far; for launches that do not end.
    void show_output() { output_.show(); }

    /// Bytes of device memory as they are now, while launches run; nothing is checked.
    void peek(void* to, device_address from, std::size_t bytes) { get(to, from, bytes); }
    void poke(device_address to, const void* from, std::size_t bytes) { put(to, from, bytes); }

    /// All that a kernel may touch.
    [[nodiscard]] const allocation_table& ranges() const noexcept { return ranges_; }
    /// The launches that have not ended, and who hears of new ones. A launch by the host has ended
    /// when the host has waited for it.
    [[nodiscard]] launch_table& launches() noexcept { return launches_; }
    /// What stands behind the launch instructions of kernels.
    [[nodiscard]] device_runtime& runtime() noexcept { return runtime_; }
    [[nodiscard]] const device_runtime& runtime() const noexcept { return runtime_; }

protected:
    /// Bytes to and from device memory as it is now; nothing is checked or waited for.
    virtual void put(device_address to, const void* from, std::size_t bytes) = 0;
    virtual void get(void* to, device_address from, std::size_t bytes) = 0;
    /// Whether launches wait or run, so that memory must not be given back yet.
    [[nodiscard]] virtual bool busy() const noexcept = 0;
    void check_stream(stream_id stream) const;

    [[nodiscard]] const machine_configuration& machine() const noexcept { return machine_; }
    /// The number of a launch by the host.
    [[nodiscard]] static launch_number number_of(launch_id launch) noexcept {
        return launch_number(launch.count() - 1);
    }
    /// Checks a launch, gives it the host's next id, and writes its parameter buffer. It is not in
    /// the table yet.
    prepared_launch prepare(const program::kernel& kernel, const launch_shape& shape,
                            const std::vector<std::byte>& parameters);
    /// Lets launches run until the condition holds, which changes when a launch ends, or until none
    /// is left. This one waits for everything.
    virtual void run_until(const std::function<bool()>& condition);
    /// A launch by the host has ended; calls after the first one do nothing.
    void launch_ended(const prepared_launch& launch) noexcept;
    /// A launch of the table has ended, well or not.
    void retire(const prepared_launch& launch) noexcept;
    /// No launch is left: memory whose release had to wait is given back.
    void give_back_released() noexcept;

private:
    void check_place(const program::image& image) const;
    [[nodiscard]] bool under_way(const prepared_launch& launch) const noexcept;
    void check_host_access(device_address address, std::size_t bytes, const char* verb) const;
    void put_value(device_address to, std::uint8_t value, std::uint64_t bytes);

    /// Launches of a stream run in order: its last one says all.
    struct stream_state {
        launch_id launched;
        launch_id ended;
    };
    struct recorded {
        stream_id stream;
        launch_id launched;
    };

    machine_configuration machine_;
    device_properties properties_;
    allocation_table ranges_;
    allocation_table reserve_;  ///< addresses of parameter buffers
    program_table programs_;
    /// Unloaded; launches that have ended may still be told about.
    std::vector<std::unique_ptr<const held_program>> unloaded_;
    std::vector<device_address> released_;
    std::vector<stream_state> streams_{1};
    std::vector<recorded> events_;
    launch_table launches_;
    device_runtime runtime_;
    kernel_output output_;
    launch_id last_launch_;  ///< of the host
};

}  // namespace heddle
