// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
/* Price of European options; included by BlackScholes.cu. */
#define RSQRT2PI 0.39894228040143267793994605993438f

__device__ inline float cndGPU(float d)
{
    float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
    float poly = K * (0.319381530f + K * (-0.356563782f + K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
    float cnd = RSQRT2PI * __expf(-0.5f * d * d) * poly;
    return d > 0 ? 1.0f - cnd : cnd;
}

__launch_bounds__(128)
__global__ void priceOptions(float2 *__restrict call, float2 *__restrict put, const float2 *__restrict price,
                             const float2 *__restrict strike, const float2 *__restrict years, float rate, float volatility, int n)
{
    const int opt = blockDim.x * blockIdx.x + threadIdx.x;
    if (opt >= n / 2) return;
    float2 s = __ldg(&price[opt]), x = strike[opt], t = years[opt], c, p;
#define ONE(m)                                                                              \
    {                                                                                       \
        float root = __fsqrt_rn(t.m);                                                       \
        float d1 = __fdividef(__logf(s.m / x.m) + (rate + 0.5f * volatility * volatility) * t.m, volatility * root); \
        float d2 = d1 - volatility * root;                                                  \
        float n1 = cndGPU(d1), n2 = cndGPU(d2), discount = __expf(-rate * t.m);             \
        c.m = s.m * n1 - x.m * discount * n2;                                               \
        p.m = x.m * discount * (1.0f - n2) - s.m * (1.0f - n1);                             \
    }
    ONE(x)
    ONE(y)
#undef ONE
    call[opt] = c;
    put[opt] = p;
}
