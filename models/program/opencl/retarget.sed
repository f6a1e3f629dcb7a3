# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# Makes libclc, disassembled, a library of this target. Its pointers have the address spaces of
# -ffake-address-space-map, but for those to constants, also in the names. Functions stay although
# nothing calls them yet; those that opencl/special_functions.cl calls for large arguments get a name
# of their own.
s/^target datalayout.*/target datalayout = "e-m:e-p:32:32-i64:64-n32-S128"/
s/^target triple.*/target triple = "riscv32-unknown-unknown-elf"/
s/ "target-features"="[^"]*"//
s/ "frame-pointer"="all"//
s/addrspace(4)/addrspace(2)/g
s/PU3AS4K/PU3AS2K/g
s/^define linkonce_odr /define /
s/= linkonce_odr /= /
s/@_Z3\(sin\|cos\|tan\)f(/@_Z11reduced_\1f(/g
