# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1, weigh (value=70, i=70)
#= hit Hardware watchpoint 2: -location weight
#= New value = 1
#= hit Hardware watchpoint 2: -location weight
#= Old value = 1
#= New value = 2
#= $1 = 6
break weigh if i == 70
continue
delete 1
set var weight = 99
watch -location weight
continue
continue
print $lane
