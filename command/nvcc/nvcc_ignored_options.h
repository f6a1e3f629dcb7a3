// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string_view>

namespace heddle::command {

// clang-format off
/// Options of nvcc that have a value and no meaning for this machine.
inline constexpr std::string_view nvcc_ignored_values[] = {
    "-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code",
    "-ccbin", "--compiler-bindir", "-cudart", "--cudart",
    "-cudadevrt", "--cudadevrt", "-ftz", "--ftz", "-prec-div", "--prec-div", "-prec-sqrt",
    "--prec-sqrt", "-t", "--threads", "-default-stream", "--default-stream", "-Xnvlink",
    "--nvlink-options", "-Xfatbin", "--fatbin-options", "-Xarchive", "--archive-options",
    "-diag-suppress", "--diag-suppress", "-diag-warn", "--diag-warn", "-diag-error",
    "--diag-error", "-keep-dir", "--keep-dir", "-dopt", "--dopt", "-Xcudafe", "--cudafe-options",
    "-Xopencc", "--opencc-options",
    "-host-compilation", "--host-compilation", "-target-dir", "--target-directory", "-split-compile", "--split-compile"
};
/// Likewise, without a value.
inline constexpr std::string_view nvcc_ignored_flags[] = {
    "-deviceemu", "--device-emulation", "-emu", "-lineinfo", "--generate-line-info", "-expt-relaxed-constexpr", "--expt-relaxed-constexpr",
    "-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", "-noeh", "--no-exceptions",
    "-restrict", "--restrict", "-forward-unknown-to-host-compiler",
    "--forward-unknown-to-host-compiler", "-forward-unknown-to-host-linker",
    "--forward-unknown-to-host-linker", "-forward-unknown-opts", "--forward-unknown-opts",
    "-extra-device-vectorization", "--extra-device-vectorization", "-src-in-ptx",
    "--source-in-ptx", "-Wreorder", "--Wreorder", "-allow-unsupported-compiler",
    "--allow-unsupported-compiler", "-dlto", "--dlink-time-opt", "-no-compress", "--no-compress",
    "-err-no", "-time", "-clean", "-Wdefault-stream-launch", "--Wdefault-stream-launch",
    "-Wmissing-launch-bounds", "--Wmissing-launch-bounds", "-Wno-deprecated-declarations"
};
// clang-format on

}  // namespace heddle::command
