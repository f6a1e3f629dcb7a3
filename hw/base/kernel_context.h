// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <systemc>

namespace heddle {

/// A simulation kernel of SystemC for one netlist: while the object lives, modules that are made
/// belong to it, and sc_start() runs it. SystemC has one kernel for each process and no way to
/// start anew; with one of these around each, netlists can follow each other. Of those that live,
/// the one made last is the kernel; it goes first.
///
/// The process's own kernel stays, because objects without a netlist belong to it (`sc_event::none`
/// is one), and is the kernel again afterwards.
class kernel_context {
public:
    kernel_context();
    ~kernel_context();
    kernel_context(const kernel_context&) = delete;
    kernel_context& operator=(const kernel_context&) = delete;

private:
    sc_core::sc_simcontext* const outer_;
    const std::unique_ptr<sc_core::sc_simcontext> own_;
};

}  // namespace heddle
