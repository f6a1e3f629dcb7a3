// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Classes, functors, lambdas and structs by value as a kernel's template arguments and parameters.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdint>
#include <type_traits>
#include <utility>

#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%d: %s\n", __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <typename T, typename F> __global__ void transform(T *data, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = f(data[i], i);
}

template <typename T> struct axpy
{
    T a;
    const T *other;
    __host__ __device__ T operator()(T x, int i) const { return a * x + other[i]; }
};

// Layouts of all kinds in one argument.
struct alignas(16) Mixed
{
    char c;
    double d;
    short s;
    long long l;
    float3 v;
    bool b;
    unsigned char bytes[5];
    float4 w;
    int bits : 5, more : 20;
};

struct Inner { double d; char c; };
struct Outer { char c; Inner inner[2]; uint64_t u; };

__global__ void unpack(char before, Mixed m, short between, Outer o, double *out, int3 last)
{
    out[0] = before; out[1] = m.c; out[2] = m.d; out[3] = m.s; out[4] = (double)m.l;
    out[5] = m.v.x + 10 * m.v.y + 100 * m.v.z;
    out[6] = m.b; out[7] = m.bytes[4]; out[8] = m.w.w; out[9] = m.bits; out[10] = m.more;
    out[11] = between; out[12] = o.c; out[13] = o.inner[1].d; out[14] = o.inner[1].c; out[15] = (double)o.u;
    out[16] = last.x + 10 * last.y + 100 * last.z;
    out[17] = sizeof(Mixed); out[18] = sizeof(Outer); out[19] = alignof(Mixed);
}

class Shape
{
public:
    __device__ Shape(float s) : size_(s) {}
    __device__ virtual float area() const { return 0; }
    __device__ virtual ~Shape() {}

protected:
    float size_;
};
class Square : public Shape
{
public:
    __device__ Square(float s) : Shape(s) {}
    __device__ float area() const override { return size_ * size_; }
};
class Circle : public Shape
{
public:
    __device__ Circle(float s) : Shape(s) {}
    __device__ float area() const override { return 3 * size_ * size_; }
};

__global__ void areas(float *out)
{
    Square square(threadIdx.x);
    Circle circle(threadIdx.x);
    const Shape *shape = threadIdx.x % 2 ? static_cast<const Shape *>(&square) : &circle;
    out[threadIdx.x] = shape->area();
}

template <int... Is> __global__ void table(int *out)
{
    const int values[] = {Is * Is...};
    out[threadIdx.x] = values[threadIdx.x % sizeof...(Is)];
}

template <typename T> class Grid
{
    T *data_;
    int width_;

public:
    Grid(T *data, int width) : data_(data), width_(width) {}
    __device__ T &operator()(int y, int x) { return data_[y * width_ + x]; }
    __device__ int width() const { return width_; }
};

template <template <typename> class G, typename T> __global__ void mirror(G<T> g)
{
    int y = threadIdx.y, x = threadIdx.x;
    T mine = g(y, g.width() - 1 - x);
    __syncthreads();
    g(y, x) = mine;
}

int main()
{
    const int n = 100;
    int wrong = 0;
    float in[n], got[n], *d, *e;
    for (int i = 0; i < n; i++) in[i] = i;
    CHECK(cudaMalloc(&d, n * sizeof(double)));
    CHECK(cudaMalloc(&e, sizeof in));
    CHECK(cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(e, in, sizeof in, cudaMemcpyHostToDevice));
    transform<<<4, 32>>>(d, n, axpy<float>{2.0f, e});
    float offset = 0.5f;
    int scale = 3;
    transform<<<4, 32>>>(d, n, [=] __device__(float x, int i) { return x * scale + offset + i; });
    CHECK(cudaMemcpy(got, d, sizeof in, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) wrong += got[i] != (2.0f * i + i) * 3 + 0.5f + i;
    printf("functor and lambda: %d wrong\n", wrong);

    Mixed m = {};
    m.c = -5; m.d = 2.5; m.s = -300; m.l = -(1LL << 40); m.v = make_float3(1, 2, 3); m.b = true; m.bytes[4] = 200;
    m.w = make_float4(0, 0, 0, 9); m.bits = -7; m.more = 300000;
    Outer o = {};
    o.c = 'x'; o.inner[1].d = 0.125; o.inner[1].c = 'y'; o.u = 1ull << 50;
    unpack<<<1, 1>>>('b', m, -2, o, (double *)d, make_int3(7, 8, 9));
    double out[20], expected[20] = {'b', -5, 2.5, -300, -(double)(1LL << 40), 321, 1, 200, 9, -7, 300000, -2, 'x', 0.125, 'y', (double)(1ull << 50), 987,
                                    sizeof(Mixed), sizeof(Outer), alignof(Mixed)};
    CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 20; i++)
        if (out[i] != expected[i]) { printf("value %d: %g, not %g\n", i, out[i], expected[i]); wrong++; }

    areas<<<1, 32>>>(d);
    CHECK(cudaMemcpy(got, d, 32 * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) wrong += got[i] != (i % 2 ? 1 : 3) * i * i;
    printf("virtual functions: %d wrong so far\n", wrong);

    int squares[16];
    table<1, 3, 5, 7><<<1, 16>>>((int *)d);
    CHECK(cudaMemcpy(squares, d, sizeof squares, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++) wrong += squares[i] != (2 * (i % 4) + 1) * (2 * (i % 4) + 1);

    CHECK(cudaMemcpy(d, in, 96 * sizeof(float), cudaMemcpyHostToDevice));
    mirror<<<1, dim3(12, 8)>>>(Grid<float>(d, 12));
    CHECK(cudaMemcpy(got, d, 96 * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 96; i++) wrong += got[i] != i / 12 * 12 + 11 - i % 12;
    CHECK(cudaFree(d));
    CHECK(cudaFree(e));
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
