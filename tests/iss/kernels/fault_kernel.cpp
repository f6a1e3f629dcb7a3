// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Every kernel does one illegal thing. Tests look for the line numbers of the marked lines by the
// marks themselves.
#include <heddle.h>

extern "C" const unsigned fault_table[2] = {1, 2};

__global__ void read_past_the_end(const unsigned* in, unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];  // mark: read_past_the_end
}

__global__ void write_past_the_end(unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;  // mark: write_past_the_end
}

__global__ void null_pointer(unsigned* out) {
    out[threadIdx.x] = 1;  // mark: null_pointer
}

__global__ void misaligned(unsigned char* out) {
    unsigned char* const place = out + threadIdx.x * 3;
    *reinterpret_cast<volatile unsigned short*>(place) = 1;  // mark: misaligned
}

__global__ void write_read_only(unsigned offset) {
    const_cast<volatile unsigned*>(fault_table)[offset] = 3;  // mark: write_read_only
}

__global__ void shared_overrun(unsigned* out, unsigned offset) {
    __shared__ volatile unsigned values[8];
    values[threadIdx.x + offset] = 1;  // mark: shared_overrun
    out[0] = values[0];
}

namespace {
__device__ __noinline__ unsigned deeper(unsigned depth, volatile unsigned* out) {
    volatile unsigned frame[16];
    frame[depth % 16] = depth;  // mark: stack_overflow
    if (depth == 1u << 30) return 0;
    return deeper(depth + 1, out) + frame[*out % 16];
}
}  // namespace

__global__ void stack_overflow(unsigned* out) {
    out[0] = deeper(0, out);
}

__global__ void trap(unsigned* out) {
    if (threadIdx.x == 7) __trap();  // mark: trap
    out[threadIdx.x] = 1;
}

__global__ void builtin_trap(unsigned* out) {
    if (threadIdx.x == 7) __builtin_trap();  // mark: builtin_trap
    out[threadIdx.x] = 1;
}

__global__ void environment_call() {
    __asm__ __volatile__("ecall");  // mark: environment_call
}

__global__ void illegal_instruction() {
    __asm__ __volatile__(".word 0xffffffff");  // mark: illegal_instruction
}

__global__ void unknown_register() {
    unsigned value;
    __asm__ __volatile__("csrr %0, 0x7c0" : "=r"(value));  // mark: unknown_register
}

__global__ void jump_into_data(unsigned target) {
    reinterpret_cast<void (*)()>(target)();  // mark: jump_into_data
}

__global__ void cooperation() {
    __asm__ __volatile__(".insn r 0x0b, 6, 0, x0, x0, x0");  // mark: cooperation
}

__global__ void write_parameters() {
    *reinterpret_cast<volatile unsigned*>(0xc0000000u) = 1;  // mark: write_parameters
}

__global__ void atomic_past_the_end(unsigned* out) {
    atomicAdd(out + threadIdx.x, 1u);  // mark: atomic_past_the_end
}

__global__ void write_code() {
    *reinterpret_cast<volatile unsigned*>(0x00010000u) = 1;  // mark: write_code
}

__global__ void private_overrun() {
    *reinterpret_cast<volatile unsigned*>(0x20100000u) = 1;  // mark: private_overrun
}

__global__ void misaligned_atomic(unsigned char* out) {
    atomicAdd(reinterpret_cast<unsigned*>(out + threadIdx.x), 1u);  // mark: misaligned_atomic
}

__global__ void no_window() {
    *reinterpret_cast<volatile unsigned*>(0x30000000u) = 1;  // mark: no_window
}
