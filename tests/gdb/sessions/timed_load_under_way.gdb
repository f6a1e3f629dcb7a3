# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# A warp that returns loads s0, from which gdb finds its locals.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= waits for memory...in sum (in=<unavailable>, out=<unavailable>, n=<unavailable>) at
break debugged.cpp:{partial} if $block == 0
continue
info threads
