/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * The functions of OpenMP for host code, which gcc's library has in 32 bits. */
#ifndef HEDDLE_OMP_H
#define HEDDLE_OMP_H

#if defined(__cplusplus)
extern "C" {
#endif
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_get_dynamic(void);
int omp_get_nested(void);
void omp_set_num_threads(int count);
void omp_set_dynamic(int yes);
void omp_set_nested(int yes);
#if defined(__cplusplus)
}
#endif

#endif
