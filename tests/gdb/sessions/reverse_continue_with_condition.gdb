# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1...sum ...:{partial}
#= hit Breakpoint 2, weigh (value=70, i=70)
#= $1 = 6
break debugged.cpp:{partial} if i == 70
continue
break weigh if i == 70
reverse-continue
print $lane
