# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# A word is stored, of which one byte in its middle is watched.
#! --kernel writes --block 32 --arg out:u32[32] --arg 40
#= Old value = 0 '\000'
#= New value = 1 '\001'
#= $1 = 26
watch ((unsigned char*)&written)[1]
continue
print/d $lane
