// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Complex Fourier transform in six steps, as SPLASH-2's: transpose, transform the rows and multiply
// by the twiddle factors, transpose, transform the rows, transpose. An array has side x side
// points. A thread has one row. A complex number is two floats.

namespace {

struct complex {
    float real, imaginary;
};

__forceinline__ complex product(complex a, complex b) {
    return {a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real};
}

__device__ unsigned reversed(unsigned value, unsigned bits) {
    unsigned result = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
        result = result * 2 + value % 2;
        value /= 2;
    }
    return result;
}

}  // namespace

/// to = from, transposed, for each array. `rows` is the number of rows of all arrays.
__global__ void fft_transpose(unsigned rows, unsigned side, const complex* from, complex* to) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= rows) return;
    const unsigned row = thread % side, first = (thread - row) * side;
    for (unsigned column = 0; column < side; ++column) {
        to[first + row * side + column] = from[first + column * side + row];
    }
}

/// Transforms each row in place. `roots` has the side / 2 first powers of the root of unity.
__global__ void fft_rows(unsigned rows, unsigned side, unsigned bits, const complex* roots,
                         complex* values) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= rows) return;
    complex* const row = values + thread * side;
    for (unsigned i = 0; i < side; ++i) {
        const unsigned partner = reversed(i, bits);
        if (partner > i) {
            const complex kept = row[i];
            row[i] = row[partner];
            row[partner] = kept;
        }
    }
    for (unsigned half = 1; half < side; half *= 2) {
        const unsigned stride = side / (2 * half);
        for (unsigned first = 0; first < side; first += 2 * half) {
            for (unsigned j = 0; j < half; ++j) {
                const complex even = row[first + j];
                const complex odd = product(roots[j * stride], row[first + half + j]);
                row[first + j] = {even.real + odd.real, even.imaginary + odd.imaginary};
                row[first + half + j] = {even.real - odd.real, even.imaginary - odd.imaginary};
            }
        }
    }
}

/// Multiplies point (row, column) by factors[row * side + column].
__global__ void fft_twiddle(unsigned rows, unsigned side, const complex* factors, complex* values) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= rows) return;
    const complex* const factor = factors + thread % side * side;
    complex* const row = values + thread * side;
    for (unsigned column = 0; column < side; ++column) {
        row[column] = product(row[column], factor[column]);
    }
}
