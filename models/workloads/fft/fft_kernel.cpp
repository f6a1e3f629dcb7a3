// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Complex Fourier transform in six steps, as SPLASH-2's: transpose, transform the rows and multiply
// by the twiddle factors, transpose, transform the rows, transpose. An array has side x side
// points. A thread has one row. A complex number is two floats, each of which may have a place of
// eight bytes.

namespace {

struct complex {
    float real, imaginary;
};

/// Its place in memory with places of eight bytes.
struct wide_complex {
    float real, unused, imaginary, unused_too;

    wide_complex& operator=(complex value) {
        real = value.real;
        imaginary = value.imaginary;
        return *this;
    }
    operator complex() const { return {real, imaginary}; }
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

/// to = from, transposed, for each array. `rows` is the number of rows of all arrays.
template <class point>
__forceinline__ void transpose(unsigned rows, unsigned side, const point* from, point* to) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= rows) return;
    const unsigned row = thread % side, first = (thread - row) * side;
    for (unsigned column = 0; column < side; ++column) {
        const complex value = from[first + column * side + row];
        to[first + row * side + column] = value;
    }
}

/// Transforms each row in place. `roots` has the side / 2 first powers of the root of unity.
template <class point>
__forceinline__ void transform_rows(unsigned rows, unsigned side, unsigned bits, const point* roots,
                                    point* values) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= rows) return;
    point* const row = values + thread * side;
    for (unsigned i = 0; i < side; ++i) {
        const unsigned partner = reversed(i, bits);
        if (partner > i) {
            const complex kept = row[i];
            const complex other = row[partner];
            row[i] = other;
            row[partner] = kept;
        }
    }
    for (unsigned half = 1; half < side; half *= 2) {
        const unsigned stride = side / (2 * half);
        for (unsigned first = 0; first < side; first += 2 * half) {
            for (unsigned j = 0; j < half; ++j) {
                const complex even = row[first + j];
                const complex odd = product(roots[j * stride], row[first + half + j]);
                row[first + j] = complex{even.real + odd.real, even.imaginary + odd.imaginary};
                row[first + half + j] =
                    complex{even.real - odd.real, even.imaginary - odd.imaginary};
            }
        }
    }
}

/// Multiplies point (row, column) by factors[row * side + column].
template <class point>
__forceinline__ void twiddle(unsigned rows, unsigned side, const point* factors, point* values) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= rows) return;
    const point* const factor = factors + thread % side * side;
    point* const row = values + thread * side;
    for (unsigned column = 0; column < side; ++column) {
        row[column] = product(row[column], factor[column]);
    }
}

}  // namespace

__global__ void fft_transpose(unsigned rows, unsigned side, const complex* from, complex* to) {
    transpose(rows, side, from, to);
}

__global__ void fft_rows(unsigned rows, unsigned side, unsigned bits, const complex* roots,
                         complex* values) {
    transform_rows(rows, side, bits, roots, values);
}

__global__ void fft_twiddle(unsigned rows, unsigned side, const complex* factors, complex* values) {
    twiddle(rows, side, factors, values);
}

__global__ void fft_transpose_wide(unsigned rows, unsigned side, const wide_complex* from,
                                   wide_complex* to) {
    transpose(rows, side, from, to);
}

__global__ void fft_rows_wide(unsigned rows, unsigned side, unsigned bits,
                              const wide_complex* roots, wide_complex* values) {
    transform_rows(rows, side, bits, roots, values);
}

__global__ void fft_twiddle_wide(unsigned rows, unsigned side, const wide_complex* factors,
                                 wide_complex* values) {
    twiddle(rows, side, factors, values);
}
