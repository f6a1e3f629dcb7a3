// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* All pairs of bodies by tiles in dynamic shared memory, in float and in double. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include "bodysystem.cuh"

#define CHECK(c) do { cudaError_t e_ = (c); if (e_) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorName(e_)); exit(2); } } while (0)

template <typename T> struct shared_bodies
{
    __device__ inline operator typename vec4<T>::Type *()
    {
        extern __shared__ int __smem[];
        return (typename vec4<T>::Type *)__smem;
    }
};

template <typename T>
__device__ typename vec3<T>::Type interact(typename vec3<T>::Type a, typename vec4<T>::Type me, typename vec4<T>::Type other)
{
    T x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
    T square = x * x + y * y + z * z + getSofteningSquared<T>();
    T inverse = rsqrt_T(square);
    T s = other.w * inverse * inverse * inverse;
    a.x += x * s; a.y += y * s; a.z += z * s;
    return a;
}

template <typename T>
__global__ void integrate(typename vec4<T>::Type *__restrict__ newPos, typename vec4<T>::Type *__restrict__ oldPos,
                          typename vec4<T>::Type *vel, unsigned int count, float dt, int tiles)
{
    typename vec4<T>::Type *sharedPos = shared_bodies<T>();
    unsigned int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count) return;
    typename vec4<T>::Type position = oldPos[index];
    typename vec3<T>::Type accel = {0, 0, 0};
    for (int tile = 0; tile < tiles; tile++)
    {
        sharedPos[threadIdx.x] = oldPos[tile * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (unsigned int counter = 0; counter < blockDim.x; counter++)
            accel = interact<T>(accel, position, sharedPos[counter]);
        __syncthreads();
    }
    typename vec4<T>::Type velocity = vel[index];
    velocity.x += accel.x * dt; velocity.y += accel.y * dt; velocity.z += accel.z * dt;
    position.x += velocity.x * dt; position.y += velocity.y * dt; position.z += velocity.z * dt;
    newPos[index] = position;
    vel[index] = velocity;
}

template <typename T> bool run(int n, int block, double tolerance)
{
    typedef typename vec4<T>::Type V;
    V *pos = new V[n], *vel = new V[n], *got = new V[n], *dPos[2], *dVel;
    for (int i = 0; i < n; i++)
    {
        pos[i].x = rand() / (T)RAND_MAX; pos[i].y = rand() / (T)RAND_MAX; pos[i].z = rand() / (T)RAND_MAX; pos[i].w = 1 + i % 3;
        vel[i].x = vel[i].y = vel[i].z = 0; vel[i].w = 1;
    }
    for (int k = 0; k < 2; k++) CHECK(cudaMalloc((void **)&dPos[k], n * sizeof(V)));
    CHECK(cudaMalloc((void **)&dVel, n * sizeof(V)));
    CHECK(cudaMemcpy(dPos[0], pos, n * sizeof(V), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dVel, vel, n * sizeof(V), cudaMemcpyHostToDevice));
    int steps = 2, current = 0;
    for (int s = 0; s < steps; s++, current ^= 1)
        integrate<T><<<n / block, block, block * sizeof(V)>>>(dPos[1 - current], dPos[current], dVel, n, 0.001f, n / block);
    CHECK(cudaPeekAtLastError());
    CHECK(cudaMemcpy(got, dPos[current], n * sizeof(V), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (int s = 0; s < steps; s++)
    {
        double *acc = new double[3 * n]();
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
            {
                double x = pos[j].x - pos[i].x, y = pos[j].y - pos[i].y, z = pos[j].z - pos[i].z;
                double inv = 1 / sqrt(x * x + y * y + z * z + 0.01), f = pos[j].w * inv * inv * inv;
                acc[3 * i] += x * f; acc[3 * i + 1] += y * f; acc[3 * i + 2] += z * f;
            }
        for (int i = 0; i < n; i++)
        {
            vel[i].x += acc[3 * i] * 0.001f; vel[i].y += acc[3 * i + 1] * 0.001f; vel[i].z += acc[3 * i + 2] * 0.001f;
            pos[i].x += vel[i].x * 0.001f; pos[i].y += vel[i].y * 0.001f; pos[i].z += vel[i].z * 0.001f;
        }
        delete[] acc;
    }
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fmax(fabs(got[i].x - pos[i].x), fmax(fabs(got[i].y - pos[i].y), fabs(got[i].z - pos[i].z))));
    for (int i = 0; i < n; i++) if (got[i].w != pos[i].w) worst = 1;
    printf("%d bodies, %u bytes each: worst difference %g\n", n, (unsigned)sizeof(V), worst);
    for (int k = 0; k < 2; k++) CHECK(cudaFree(dPos[k]));
    CHECK(cudaFree(dVel));
    delete[] pos; delete[] vel; delete[] got;
    return worst <= tolerance;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 128;
    float soft = 0.01f;
    double soft64 = 0.01;
    CHECK(cudaMemcpyToSymbol(softeningSquared, &soft, sizeof(float), 0, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(softeningSquared_fp64, &soft64, sizeof(double), 0, cudaMemcpyHostToDevice));
    timeval t1, t2;
    gettimeofday(&t1, NULL);
    bool right = run<float>(n, 64, 1e-6) & run<double>(n / 4, 32, 1e-14);
    gettimeofday(&t2, NULL);
    if (t2.tv_sec < t1.tv_sec) right = false;
    puts(right ? "PASSED" : "FAILED");
    return !right;
}
