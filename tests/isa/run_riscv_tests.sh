#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#
# Builds the published riscv-tests' user-level programs for this instruction set and runs them.
#   tests/isa/run_riscv_tests.sh RISCV_TESTS_DIR [BUILD_DIR]
# RISCV_TESTS_DIR is a checkout of github.com/riscv-software-src/riscv-tests; BUILD_DIR a Heddle
# build (default build/release). rv32ui's ma_data needs misaligned accesses, which fault here.
set -euo pipefail

if [[ $# -lt 1 || ! -d "$1/isa" ]]; then
    echo "usage: $0 RISCV_TESTS_DIR [BUILD_DIR]: RISCV_TESTS_DIR/isa must exist" >&2
    exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
suite=$(cd "$1/isa" && pwd)
build=${2:-$here/../../build/release}
runner=$build/tests/isa/heddle_isa_run
if [[ ! -x "$runner" ]]; then
    echo "$0: $runner is missing: cmake --build --preset release --target heddle_isa_run" >&2
    exit 2
fi

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
programs=()
for group in rv32ui rv32um rv32ua; do
    for source in "$suite/$group"/*.S; do
        name=$(basename "$source" .S)
        [[ -e "$source" && "$name" != ma_data ]] || continue
        clang-19 --target=riscv32-unknown-elf -march=rv32ima_zicsr_zifencei -mabi=ilp32 \
            -mno-relax -nostdlib -static -fuse-ld=lld -Wl,-Ttext=0x10000 -Wl,--omagic \
            -I "$here/riscv_tests_env" -I "$suite/macros/scalar" \
            -o "$objects/$group-$name" "$source"
        programs+=("$objects/$group-$name")
    done
done
if [[ ${#programs[@]} -eq 0 ]]; then
    echo "$0: no programs in $suite/rv32ui, rv32um, rv32ua" >&2
    exit 2
fi
"$runner" "${programs[@]}"
echo "${#programs[@]} programs passed"
