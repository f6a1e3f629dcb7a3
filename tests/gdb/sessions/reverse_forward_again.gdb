# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1, weigh (value=70, i=70)
#= hit Breakpoint 1, weigh (value=70, i=70)
#= $2 = 1
#= out u32[4]: 6783 20267 33942 48063
#timed= cycles ... 10661
break weigh if i == 70
continue
print $cycle
reverse-continue
continue
print/d $cycle == $
delete
continue
