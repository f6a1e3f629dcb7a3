// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/device/device.h"

namespace heddle {

/// A program that a device holds.
struct held_program {
    /// One of its kernels in what is counted and recorded.
    struct counted_kernel {
        std::uint32_t number = 0;  ///< position in program_table::kernel_labels()
        std::string_view label;    ///< of that table, which outlives the program
    };

    program_id id;
    std::shared_ptr<const program::image> image;
    std::vector<counted_kernel> kernels;  ///< parallel to image->kernels()

    /// Precondition: the kernel is one of the image.
    [[nodiscard]] const counted_kernel& counted(const program::kernel& kernel) const noexcept;
};

/// The programs that a device holds. Who fetches from them looks them up here.
///
/// Code of different programs lies at different addresses, so that a PC tells its program. Kernels
/// are counted by a label. It is the kernel's name. Where different programs had a kernel of that
/// name, the second one is called "name@2", the third one "name@3". A program that is loaded again
/// to the same place has the labels that it had.
class program_table {
public:
    /// Enters a program, whose place is free. Ids count up from 0 and are not given again.
    const held_program& add(std::shared_ptr<const program::image> image);
    /// Takes a program out; pointers to it stay valid as long as what is returned.
    [[nodiscard]] std::unique_ptr<const held_program> remove(program_id id);

    /// By id, ascending.
    [[nodiscard]] const std::map<program_id, std::unique_ptr<const held_program>>& held()
        const noexcept {
        return held_;
    }
    /// How many have been added, with those that are gone; the next id.
    [[nodiscard]] std::uint32_t loads() const noexcept { return loads_; }
    /// Throws configuration_error if there is none.
    [[nodiscard]] const held_program& get(program_id id) const;
    /// The program, of which there is one. Throws configuration_error if there is none, or several.
    [[nodiscard]] const held_program& only() const;
    /// The program that the kernel belongs to; null: none of these.
    [[nodiscard]] const held_program* owner(const program::kernel& kernel) const noexcept;
    /// The program whose code holds an address; null: none.
    [[nodiscard]] const held_program* at(std::uint32_t pc) const noexcept;
    /// The kernel of that name, whichever program has it; "FILE:KERNEL" is that of the program
    /// whose image has that name, with or without its folder. Throws configuration_error if none
    /// has one, or several have.
    [[nodiscard]] const program::kernel& find_kernel(std::string_view name) const;
    /// Labels of all kernels that there were, in the order of their numbers.
    [[nodiscard]] const std::deque<std::string>& kernel_labels() const noexcept { return labels_; }
    /// "'a.elf', 'b.elf'"
    [[nodiscard]] std::string names() const;

private:
    [[nodiscard]] held_program::counted_kernel label(const std::string& kernel,
                                                     std::uint64_t program);

    std::map<program_id, std::unique_ptr<const held_program>> held_;
    std::uint32_t loads_ = 0;
    std::deque<std::string> labels_;  ///< views of it stay valid
    /// By name of a kernel: its programs, by what they are made of, and its number there.
    struct namesake {
        std::uint64_t program;
        std::uint32_t number;
    };
    std::map<std::string, std::vector<namesake>> namesakes_;
};

}  // namespace heddle
