# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# The first store writes the value that was there.
#! --kernel writes --block 32 --arg out:u32[32] --arg 3
#= $1 = 2
#= $2 = 1
#= $3 = 0
#= $4 = 0
break debugged.cpp:{result}
continue
delete
awatch written
reverse-continue
print $lane
reverse-continue
print $lane
reverse-continue
print $lane
print k
