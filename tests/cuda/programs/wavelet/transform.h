// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#ifndef TRANSFORM_H
#define TRANSFORM_H

namespace wavelet {

inline __host__ __device__ int rounded_up(const int& n, const int& d) {
    return n / d + ((n % d) ? 1 : 0);
}

template <int SIZE_X, int SIZE_Y>
class buffer {
    enum { STRIDE = SIZE_X + 1 };
    int data[SIZE_Y * STRIDE];

public:
    __device__ int& at(int x, int y) { return data[y * STRIDE + x]; }

    template <typename FUNCTOR>
    __device__ void for_each_odd(const FUNCTOR& functor, int width) {
        for (int i = threadIdx.x; i < SIZE_X / 2 * SIZE_Y; i += blockDim.x) {
            const int x = 2 * (i % (SIZE_X / 2)) + 1, y = i / (SIZE_X / 2);
            if (x < width) functor(at(x - 1, y), at(x, y), at(x + 1 < width ? x + 1 : x - 1, y));
        }
    }
};

template <int SIZE_X, int SIZE_Y>
class step {
    // A thread's column of the block.
    struct column {
        int x;
        bool inside;
        __device__ column() {}
        __device__ void place(int width) {
            x = blockIdx.x * SIZE_X + threadIdx.x;
            inside = x < width;
        }
    };
    struct subtract {
        __device__ void operator()(int left, int& middle, int right) const {
            middle -= (left + right) >> 1;
        }
    };
    struct add_again {
        __device__ void operator()(int left, int& middle, int right) const {
            middle += (left + right) >> 1;
        }
    };

    buffer<SIZE_X, SIZE_Y> pixels;

    template <bool CHECKED, typename FUNCTOR>
    __device__ void transform(const int* in, int* out, int width, int height) {
        column mine;
        mine.place(width);
        const int first = blockIdx.y * SIZE_Y;
        for (int y = 0; y < SIZE_Y; y++)
            if (!CHECKED || (mine.inside && first + y < height))
                pixels.at(threadIdx.x, y) = in[(first + y) * width + mine.x];
        __syncthreads();
        pixels.for_each_odd(FUNCTOR(), min(SIZE_X, width - (int)blockIdx.x * SIZE_X));
        __syncthreads();
        for (int y = 0; y < SIZE_Y; y++)
            if (!CHECKED || (mine.inside && first + y < height))
                out[(first + y) * width + mine.x] = pixels.at(threadIdx.x, y);
    }

    template <typename FUNCTOR>
    static __device__ void run(const int* in, int* out, int width, int height) {
        __shared__ step<SIZE_X, SIZE_Y> all;
        if ((blockIdx.x + 1) * SIZE_X > width || (blockIdx.y + 1) * SIZE_Y > height)
            all.template transform<true, FUNCTOR>(in, out, width, height);
        else
            all.template transform<false, FUNCTOR>(in, out, width, height);
    }

public:
    static __device__ void forward(const int* in, int* out, int width, int height) {
        run<subtract>(in, out, width, height);
    }
    static __device__ void reverse(const int* in, int* out, int width, int height) {
        run<add_again>(in, out, width, height);
    }
};

template <int SIZE_X, int SIZE_Y>
__launch_bounds__(SIZE_X, 4) __global__
    void forward_kernel(const int* const in, int* const out, const int width, const int height) {
    step<SIZE_X, SIZE_Y>::forward(in, out, width, height);
}

template <int SIZE_X, int SIZE_Y>
__launch_bounds__(SIZE_X, 4) __global__
    void reverse_kernel(const int* const in, int* const out, const int width, const int height) {
    step<SIZE_X, SIZE_Y>::reverse(in, out, width, height);
}

template <int SIZE_X, int SIZE_Y>
void forward(const int* in, int* out, int width, int height) {
    dim3 grid(rounded_up(width, SIZE_X), rounded_up(height, SIZE_Y));
    forward_kernel<SIZE_X, SIZE_Y><<<grid, SIZE_X>>>(in, out, width, height);
}

template <int SIZE_X, int SIZE_Y>
void reverse(const int* in, int* out, int width, int height) {
    dim3 grid(rounded_up(width, SIZE_X), rounded_up(height, SIZE_Y));
    reverse_kernel<SIZE_X, SIZE_Y><<<grid, SIZE_X>>>(in, out, width, height);
}

}  // namespace wavelet

#endif
