# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel fault --block 64 --arg out:u32[64] --arg 1
#= heddle: illegal write of 4 bytes at 0x00000000: null pointer
#= received signal SIGSEGV
#= debugged.cpp:{fault}
#= $1 = 5
#= $2 = 37
#= $3 = (unsigned int *) 0x0
#= PARTIAL
continue
print $lane
print i
print where
continue
