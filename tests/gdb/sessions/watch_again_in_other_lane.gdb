# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# A watchpoint that is deleted and set again belongs to whom gdb looks at then.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Hardware read watchpoint 2: -location weight
#= $1 = 6
#= hit Breakpoint 3, weigh (value=66, i=66)
#= hit Hardware read watchpoint 4: -location weight
#= $2 = 2
break weigh if i == 70
continue
delete
rwatch -location weight
continue
print $lane
delete
break debugged.cpp:{weighed} if i == 66
continue
delete
rwatch -location weight
continue
print $lane
