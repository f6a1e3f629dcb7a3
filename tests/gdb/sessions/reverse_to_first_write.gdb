# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel writes --block 32 --arg out:u32[32] --arg 4
#= Breakpoint 1.1, writes
#= Old value = 30
#= New value = 20
#= $1 = 3
break debugged.cpp:{result}
continue
watch written
reverse-continue
print $lane
