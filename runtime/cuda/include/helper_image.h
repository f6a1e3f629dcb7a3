/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_HELPER_IMAGE_H
#define HEDDLE_CUDA_HELPER_IMAGE_H

/* Comparison of results, and pictures in the formats PGM and PPM of 8 bits. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether at most the part `threshold` of the values differs by more than epsilon. */
template <class T, class S>
inline bool compareData(const T* reference, const T* data, const unsigned int len, const S epsilon,
                        const float threshold = 0.f) {
    unsigned int wrong = 0;
    for (unsigned int i = 0; i < len; ++i) {
        const double difference = fabs((double)reference[i] - (double)data[i]);
        if (!(difference <= (double)epsilon)) ++wrong;
    }
    if (threshold == 0.f) return wrong == 0;
    return (float)wrong <= threshold * (float)len;
}
template <class T, class S>
inline bool compareDataAsFloatThreshold(const T* reference, const T* data, const unsigned int len,
                                        const S epsilon, const float threshold) {
    return compareData(reference, data, len, epsilon, threshold);
}
/* By the length of the difference, relative to that of the reference. */
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int len,
                           const float epsilon) {
    double error = 0, length = 0;
    for (unsigned int i = 0; i < len; ++i) {
        const double difference = (double)reference[i] - (double)data[i];
        error += difference * difference;
        length += (double)reference[i] * (double)reference[i];
    }
    return length != 0 && sqrt(error / length) < (double)epsilon;
}

/* Channels of the picture in a file: 1 or 3; 0: it is none. Its pixels, malloc()ed where `*data` is
 * null, are `to` bytes each, the missing ones 255. */
inline int heddle_cuda_load_picture(const char* file, unsigned char** data, unsigned int* w,
                                    unsigned int* h, unsigned int to) {
    FILE* const in = fopen(file, "rb");
    if (in == 0) return 0;
    char kind[3] = "";
    unsigned int numbers[3] = {0, 0, 0};
    int found = fscanf(in, "%2s", kind);
    for (int i = 0; found == 1 && i < 3; ++i) {
        while (fscanf(in, " #%*[^\n]") > 0) {
        }
        int c = fgetc(in);
        while (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '#') {
            while (c == '#' && (c = fgetc(in)) != '\n' && c != EOF) c = '#';
            c = fgetc(in);
        }
        ungetc(c, in);
        found = fscanf(in, "%u", &numbers[i]);
    }
    fgetc(in);
    const unsigned int from = strcmp(kind, "P5") == 0 ? 1 : strcmp(kind, "P6") == 0 ? 3 : 0;
    if (found != 1 || from == 0 || numbers[2] != 255) {
        fclose(in);
        return 0;
    }
    *w = numbers[0];
    *h = numbers[1];
    const size_t pixels = (size_t)*w * *h;
    if (to == 0) to = from;
    if (*data == 0) *data = (unsigned char*)malloc(pixels * to);
    bool whole = *data != 0;
    for (size_t i = 0; i < pixels && whole; ++i) {
        unsigned char pixel[4] = {255, 255, 255, 255};
        whole = fread(pixel, 1, from, in) == from;
        memcpy(*data + i * to, pixel, to);
    }
    fclose(in);
    return whole ? (int)from : 0;
}

inline bool heddle_cuda_save_picture(const char* file, const unsigned char* data, unsigned int w,
                                     unsigned int h, unsigned int from, unsigned int to) {
    FILE* const out = fopen(file, "wb");
    if (out == 0) return false;
    fprintf(out, "P%d\n%u %u\n255\n", to == 1 ? 5 : 6, w, h);
    bool good = true;
    for (size_t i = 0; i < (size_t)w * h && good; ++i) {
        good = fwrite(data + i * from, 1, to, out) == to;
    }
    return fclose(out) == 0 && good;
}

template <class T>
inline bool sdkLoadPGM(const char* file, T** data, unsigned int* w, unsigned int* h) {
    unsigned char* bytes = 0;
    if (heddle_cuda_load_picture(file, &bytes, w, h, 1) != 1) return false;
    if (*data == 0) *data = (T*)malloc(sizeof(T) * *w * *h);
    // Pictures of other types have values from 0 to 1.
    for (size_t i = 0; i < (size_t)*w * *h; ++i) {
        (*data)[i] = sizeof(T) == 1 ? (T)bytes[i] : (T)((float)bytes[i] / 255.0f);
    }
    free(bytes);
    return true;
}
template <class T>
inline bool sdkSavePGM(const char* file, T* data, unsigned int w, unsigned int h) {
    unsigned char* const bytes = (unsigned char*)malloc((size_t)w * h);
    for (size_t i = 0; i < (size_t)w * h; ++i) {
        bytes[i] = (unsigned char)(sizeof(T) == 1 ? data[i] : (T)(data[i] * (T)255));
    }
    const bool good = heddle_cuda_save_picture(file, bytes, w, h, 1, 1);
    free(bytes);
    return good;
}
inline bool sdkLoadPPM4ub(const char* file, unsigned char** data, unsigned int* w,
                          unsigned int* h) {
    return heddle_cuda_load_picture(file, data, w, h, 4) == 3;
}
inline bool sdkSavePPM4ub(const char* file, unsigned char* data, unsigned int w, unsigned int h) {
    return heddle_cuda_save_picture(file, data, w, h, 4, 3);
}

#endif
