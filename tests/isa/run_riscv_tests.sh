#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#
# Builds the published riscv-tests' user-level programs for this instruction set and runs them.
#   tests/isa/run_riscv_tests.sh RISCV_TESTS_DIR [BUILD_DIR]
# RISCV_TESTS_DIR is a checkout of github.com/riscv-software-src/riscv-tests; BUILD_DIR a Heddle
# build (default build/release). Prints a line per program and "N of M programs pass"; exit code 0
# if all passed, 1 if one failed, 2 if the tests could not be run.
set -euo pipefail

stop() {
    echo "$0: $1" >&2
    exit 2
}

# Why a published program is left out; nothing for one that this machine has to pass.
left_out() {
    case "$1" in
        rv32ui-ma_data) echo "misaligned accesses fault on this machine" ;;
        rv32ua-amocas_d) echo "of Zacas, only the 32-bit compare-and-swap exists" ;;
        rv32ua-amo*_[bh]) echo "needs Zabha" ;;
        rv32ua-zalasr) echo "needs Zalasr" ;;
    esac
}

[[ $# -eq 1 || $# -eq 2 ]] || stop "usage: $0 RISCV_TESTS_DIR [BUILD_DIR]"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
groups=(rv32ui rv32um rv32ua)
for group in "${groups[@]}"; do
    compgen -G "$1/isa/$group/*.S" >/dev/null ||
        stop "no programs in $1/isa/$group: RISCV_TESTS_DIR must be a checkout of riscv-tests"
done
suite=$(cd "$1/isa" && pwd)
build=${2:-$here/../../build/release}
[[ -x "$build/tests/isa/heddle_isa_run" ]] ||
    stop "$build/tests/isa/heddle_isa_run is missing: build the target heddle_isa_run"
runner=$(cd "$build/tests/isa" && pwd)/heddle_isa_run
command -v clang-19 >/dev/null || stop "clang-19 is missing"

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
programs=()
total=0
for group in "${groups[@]}"; do
    for source in "$suite/$group"/*.S; do
        name=$group-$(basename "$source" .S)
        reason=$(left_out "$name")
        if [[ -n "$reason" ]]; then
            echo "skip $name: $reason"
            continue
        fi
        total=$((total + 1))
        if clang-19 --target=riscv32-unknown-elf -menable-experimental-extensions \
            -march=rv32ima_zicsr_zifencei_zacas1p0 -mabi=ilp32 -mno-relax -nostdlib -static \
            -fuse-ld=lld -Wl,-Ttext=0x10000 -Wl,--omagic \
            -I "$here/riscv_tests_env" -I "$suite/macros/scalar" \
            -o "$objects/$name" "$source"; then
            programs+=("$name")
        else
            echo "FAIL $name: does not assemble"
        fi
    done
done

passed=0
if [[ ${#programs[@]} -gt 0 ]]; then
    cd "$objects"
    # The count of passes decides, not the runner's exit code: a runner that died has passed less.
    "$runner" "${programs[@]}" | tee results || true
    passed=$(grep -c '^pass ' results || true)
fi
echo "$passed of $total programs pass"
[[ "$total" -gt 0 && "$passed" -eq "$total" ]]
