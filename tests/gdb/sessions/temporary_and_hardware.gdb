# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= Temporary breakpoint 1, weigh
#= hit Breakpoint 2...sum ...at ...:{partial}
tbreak weigh
continue
hbreak debugged.cpp:{partial}
continue
