# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1...sum (...) at ...debugged.cpp:{partial}
#= $1 = 11
#= $2 = 33
break debugged.cpp:{partial} if mine == 33 && in[i] == 11
continue
print i
print mine
