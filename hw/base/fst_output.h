// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sys/types.h>

#include <ostream>
#include <streambuf>

#include "hw/base/trace_output.h"
#include "models/base/output_file.h"

namespace heddle {

/// An FST file: vcd2fst converts the VCD that is written to stream() to FST during the run.
///
/// vcd2fst runs in a process group of its own, so that Ctrl-C does not end it before the run has
/// written the end of the file. Equal VCD gives equal bytes: the date in an FST file's header is
/// that of the VCD.
class fst_output final : public trace_output {
public:
    explicit fst_output(const std::filesystem::path& file);
    ~fst_output() override;
    fst_output(const fst_output&) = delete;
    fst_output& operator=(const fst_output&) = delete;

    std::ostream& stream() noexcept override { return stream_; }
    const std::filesystem::path& destination() const noexcept override {
        return file_.destination();
    }
    void commit() override;

private:
    /// The text goes to a socket: unlike a pipe, a socket raises no signal when its reader is gone.
    class sender final : public std::streambuf {
    public:
        void open(int socket) noexcept { socket_ = socket; }
        void close() noexcept;

    protected:
        std::streamsize xsputn(const char* text, std::streamsize count) override;
        int_type overflow(int_type c) override;

    private:
        int socket_ = -1;
    };

    void start_converter();
    /// Ends the converter's input and waits for it; true if it has succeeded.
    bool finish_converter() noexcept;
    void remove_leftovers() noexcept;

    output_file file_;
    sender sender_;
    std::ostream stream_;
    ::pid_t converter_ = -1;
};

}  // namespace heddle
