/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Heddle authors */
#ifndef HEDDLE_CUDA_HELPER_STRING_H
#define HEDDLE_CUDA_HELPER_STRING_H

/* Options as `-name` or `--name=value`, as programs in the manner of CUDA's samples read them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <fstream>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) ((file) = fopen(name, mode))
#define FOPEN_FAIL(result) ((result) == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

/* What follows an option's dashes, and its value behind '='; null: it is another option. */
inline const char* heddle_cuda_option(const char* word, const char* name) {
    if (*word != '-') return 0;
    while (*word == '-') ++word;
    const size_t length = strlen(name);
    if (strncasecmp(word, name, length) != 0) return 0;
    if (word[length] != 0 && word[length] != '=') return 0;
    return word + length;
}

inline const char* heddle_cuda_find_option(int argc, const char** argv, const char* name) {
    for (int i = 1; i < argc; ++i) {
        const char* const found = heddle_cuda_option(argv[i], name);
        if (found != 0) return found;
    }
    return 0;
}

inline int stringRemoveDelimiter(char delimiter, const char* string) {
    int start = 0;
    while (string[start] == delimiter) ++start;
    return start >= (int)strlen(string) - 1 ? 0 : start;
}

inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
    return heddle_cuda_find_option(argc, argv, name) != 0;
}

template <class T>
inline bool getCmdLineArgumentValue(int argc, const char** argv, const char* name, T* value) {
    const char* const found = heddle_cuda_find_option(argc, argv, name);
    if (found == 0) return false;
    *value = *found == '=' ? (T)atoi(found + 1) : (T)0;
    return true;
}

inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
    const char* const found = heddle_cuda_find_option(argc, argv, name);
    return found != 0 && *found == '=' ? atoi(found + 1) : 0;
}

inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
    const char* const found = heddle_cuda_find_option(argc, argv, name);
    return found != 0 && *found == '=' ? (float)atof(found + 1) : 0.f;
}

inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
    const char* const found = heddle_cuda_find_option(argc, argv, name);
    if (found == 0 || *found != '=') {
        *value = 0;
        return false;
    }
    *value = const_cast<char*>(found + 1);
    return true;
}

inline int getFileExtension(char* filename, char** extension) {
    char* const dot = strrchr(filename, '.');
    *extension = dot == 0 ? 0 : dot + 1;
    return dot == 0 ? 0 : (int)(dot + 1 - filename);
}

/* A data file, here or in the folder `data`, of the program's own folder, too. malloc()ed; null:
 * there is none. */
inline char* sdkFindFilePath(const char* filename, const char* executable) {
    std::string folder = executable == 0 ? "" : executable;
    folder = folder.find('/') == std::string::npos ? "" : folder.substr(0, folder.rfind('/') + 1);
    const std::string places[] = {"./",   "./data/",        "../data/",
                                  folder, folder + "data/", folder + "../data/"};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        const std::string name = places[i] + filename;
        if (std::ifstream(name.c_str()).good()) return strdup(name.c_str());
    }
    return 0;
}

#endif
