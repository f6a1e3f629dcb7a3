// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sys/types.h>

#include <csignal>
#include <string>
#include <vector>

namespace heddle::command::gdb {

/// gdb-multiarch, with the terminal, beside this process.
class gdb_process {
public:
    gdb_process() = default;
    /// Waits for its end. Then Ctrl-C is for this process, as before it.
    ~gdb_process();
    gdb_process(const gdb_process&) = delete;
    gdb_process& operator=(const gdb_process&) = delete;

    /// Throws configuration_error if there is no gdb-multiarch.
    static void check();
    /// Debugs the program of an ELF file that runs at a port of this computer. Throws
    /// configuration_error if it can't be started.
    void start(const std::string& elf_file, unsigned port,
               const std::vector<std::string>& arguments);
    /// It has ended, or has not been started.
    [[nodiscard]] bool has_ended();

private:
    pid_t process_ = -1;
    void (*on_interrupt_)(int) = SIG_ERR;  ///< before it has started; SIG_ERR: it has not
};

}  // namespace heddle::command::gdb
