// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/machine/session.h"

#include <utility>

#include "models/base/error.h"
#include "models/device/device.h"

namespace heddle::library {

session::session(maker make) {
    thread_ = std::thread([this, make = std::move(make)] { live(make); });
    try {
        desk_.send([](device*) {}, {});  // answered when the device is there, or can't be
    } catch (...) {
        thread_.join();
        throw;
    }
}

session::~session() {
    try {
        close();
    } catch (...) {
        // close() itself says it to who wants to know.
    }
    desk_.send_last([](device*) {}, {});
    thread_.join();
}

void session::live(const maker& make) {
    try {
        device_ = make();
    } catch (...) {
        desk_.refuse(std::current_exception());
        return;
    }
    device_->execute([this](device& machine) { desk_.serve(&machine); });
    std::exception_ptr failure;
    try {
        broke_off_ = device_->finish();
        if (broke_off_) failure = std::make_exception_ptr(*broke_off_);
    } catch (const run_error& error) {
        broke_off_ = error;
        failure = std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    over_ = true;
    desk_.settle(failure);
    desk_.serve(nullptr);
    device_.reset();
    desk_.settle(nullptr);
}

void session::use(const std::function<void(device&)>& work, const poll& asked) {
    if (broke_off_) throw run_error(*broke_off_);
    if (over_) {
        throw configuration_error(
            "the run has ended with heddle_finish(); legal: statistics, parameters, "
            "heddle_close()");
    }
    desk_.send(
        [&](device* machine) {
            work(*machine);
            device_->check();
        },
        asked);
}

std::uint64_t session::run_until(std::uint64_t cycle, const poll& asked) {
    std::uint64_t reached = 0;
    use([&](device& machine) { reached = device_->run_until(machine, cycle); }, asked);
    return reached;
}

void session::run_while(const std::function<bool()>& wanted, const poll& asked) {
    use([&](device& machine) { device_->run_while(machine, wanted); }, asked);
}

command::device_run session::measured() {
    command::device_run result;
    desk_.send([&](device*) { result = device_->measured(); }, {});
    return result;
}

void session::finish(const poll& asked) {
    if (broke_off_) throw run_error(*broke_off_);
    if (over_) return;
    desk_.send_last([](device* machine) { machine->synchronize(); }, asked);
}

void session::close() {
    if (over_) return;
    try {
        desk_.send_last([](device*) {}, {});
    } catch (const run_error& error) {
        // Of launches that are given up, not all that was under way arrives.
        if (error.kind() == error_kind::configuration) throw;
    }
}

}  // namespace heddle::library
