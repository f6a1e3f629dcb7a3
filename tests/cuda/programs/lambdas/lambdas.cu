// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// C++17 in kernels: extended lambdas, folds, if constexpr, constexpr functions of the standard library, owning pointers.
#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

template <class F>
__global__ void for_each(int n, F function)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) function(i);
}

struct device_delete
{
    void operator()(void *memory) const { cudaFree(memory); }
};
template <class T>
using device_array = std::unique_ptr<T[], device_delete>;

template <class T>
device_array<T> make_device_array(std::size_t n)
{
    void *memory;
    if (cudaMalloc(&memory, n * sizeof(T)) != cudaSuccess) throw std::runtime_error("cudaMalloc");
    return device_array<T>(static_cast<T *>(memory));
}

template <class T>
std::vector<T> on_host(const device_array<T> &from, std::size_t n)
{
    std::vector<T> all(n);
    cudaMemcpy(all.data(), from.get(), n * sizeof(T), cudaMemcpyDefault);
    return all;
}

template <typename... A>
__host__ __device__ constexpr auto sum(A... a)
{
    return (a + ... + 0);
}

template <typename T>
__host__ __device__ constexpr T power(T base, int exponent)
{
    if constexpr (std::is_integral_v<T>)
    {
        T result = 1;
        for (int i = 0; i < exponent; i++) result *= base;
        return result;
    }
    else
        return exponent == 0 ? T(1) : base * power(base, exponent - 1);
}

constexpr int table_size = 4;
constexpr int table[table_size] = {1, 10, 100, 1000};

int main()
{
    const int n = 70;
    int wrong = 0;
    try
    {
        auto integers = make_device_array<int>(n);
        auto floats = make_device_array<float>(n);
        int *p = integers.get();
        float *q = floats.get();
        const std::array<int, 3> offsets{5, 6, 7};
        struct
        {
            int a = 2;
            float b = 0.5f;
        } both;
        auto fill = [=] __device__(int i) {
            p[i] = sum(i, offsets[i % 3], both.a, power(2, 3), (int)offsets.size()) + table[i % table_size];
            auto [low, high] = std::pair{i, i + 1};
            const auto three = std::make_tuple(low, high, both.b);
            q[i] = std::get<2>(three) * std::max(std::get<0>(three), 10) + power(1.5f, 2) +
                   (std::numeric_limits<float>::max() > 1e38f ? std::min(high, 3) : 0) + std::abs(-2.0f);
        };
        for_each<<<2, 32>>>(n, fill);
        // Host and device, by one lambda.
        auto twice = [] __host__ __device__(int i) { return 2 * i; };
        for_each<<<1, 64>>>(n, [p, twice] __device__(int i) { p[i] = twice(p[i]); });

        const auto i_found = on_host(integers, n);
        const auto f_found = on_host(floats, n);
        for (int i = 0; i < n; i++)
        {
            wrong += i_found[i] != twice(i + offsets[i % 3] + 2 + 8 + 3 + table[i % table_size]);
            wrong += f_found[i] != 0.5f * std::max(i, 10) + 2.25f + std::min(i + 1, 3) + 2;
        }
        std::mt19937 generator(7);
        std::vector<int> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), generator);
        wrong += std::accumulate(order.begin(), order.end(), 0) != n * (n - 1) / 2;
        make_device_array<char>(std::size_t{3} << 30);
        wrong++;
    }
    catch (const std::exception &error)
    {
        printf("%s: %s\n", error.what(), cudaGetErrorName(cudaGetLastError()));
    }
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
