// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/device_info.h"

#include "runtime/opencl/device_session.h"
#include "runtime/opencl/memory_flags.h"
#include "runtime/opencl/the_platform.h"

namespace heddle::opencl {
namespace {

constexpr cl_device_fp_config single_precision =
    CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA |
    CL_FP_DENORM | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
constexpr cl_device_fp_config double_precision_in_software =
    CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA |
    CL_FP_DENORM | CL_FP_SOFT_FLOAT;

/// Images have two dimensions: sizes of all others are 0.
bool put_image_info(cl_device_info name, const info_place& place) {
    switch (name) {
        case CL_DEVICE_IMAGE_SUPPORT:
            place.put(cl_bool{CL_TRUE});
            return true;
        case CL_DEVICE_MAX_READ_IMAGE_ARGS:
            place.put(cl_uint{128});
            return true;
        case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
            place.put(cl_uint{8});
            return true;
        case CL_DEVICE_MAX_SAMPLERS:
            place.put(cl_uint{16});
            return true;
        case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
        case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
            place.put(cl_uint{0});
            return true;
        case CL_DEVICE_IMAGE2D_MAX_WIDTH:
        case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
            place.put(max_image_extent);
            return true;
        case CL_DEVICE_IMAGE3D_MAX_WIDTH:
        case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
        case CL_DEVICE_IMAGE3D_MAX_DEPTH:
        case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
        case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
            place.put(std::size_t{0});
            return true;
        default:
            return false;
    }
}

/// What is the same on every machine.
bool put_fixed_info(cl_device_info name, const info_place& place) {
    switch (name) {
        case CL_DEVICE_TYPE:
            place.put(cl_device_type{CL_DEVICE_TYPE_GPU});
            return true;
        case CL_DEVICE_VENDOR_ID:
            place.put(cl_uint{0x48454444});
            return true;
        case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
            place.put(cl_uint{3});
            return true;
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
            place.put(cl_uint{1});
            return true;
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
            place.put(cl_uint{0});
            return true;
        case CL_DEVICE_ADDRESS_BITS:
            place.put(cl_uint{32});
            return true;
        case CL_DEVICE_MAX_PARAMETER_SIZE:
            place.put(std::size_t{4096});
            return true;
        case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
            place.put(cl_uint{2048});  // bits: long16 and allocations have 128 bytes at least
            return true;
        case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
            place.put(cl_uint{128});
            return true;
        case CL_DEVICE_SINGLE_FP_CONFIG:
            place.put(single_precision);
            return true;
        case CL_DEVICE_HALF_FP_CONFIG:
            place.put(cl_device_fp_config{0});
            return true;
        case CL_DEVICE_MAX_CONSTANT_ARGS:
            place.put(cl_uint{8});
            return true;
        case CL_DEVICE_LOCAL_MEM_TYPE:
            place.put(cl_device_local_mem_type{CL_LOCAL});
            return true;
        case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
        case CL_DEVICE_HOST_UNIFIED_MEMORY:
            place.put(cl_bool{CL_FALSE});
            return true;
        case CL_DEVICE_ENDIAN_LITTLE:
        case CL_DEVICE_AVAILABLE:
        case CL_DEVICE_COMPILER_AVAILABLE:
        case CL_DEVICE_LINKER_AVAILABLE:
        case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
            place.put(cl_bool{CL_TRUE});
            return true;
        case CL_DEVICE_EXECUTION_CAPABILITIES:
            place.put(cl_device_exec_capabilities{CL_EXEC_KERNEL});
            return true;
        case CL_DEVICE_QUEUE_PROPERTIES:
            place.put(cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
            return true;
        case CL_DEVICE_BUILT_IN_KERNELS:
            place.put_text("");
            return true;
        case CL_DEVICE_PRINTF_BUFFER_SIZE:
            place.put(std::size_t{1} << 20);
            return true;
        case CL_DEVICE_PLATFORM:
            place.put(the_platform());
            return true;
        case CL_DEVICE_PARENT_DEVICE:
            place.put(cl_device_id{nullptr});
            return true;
        case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
            place.put(cl_uint{0});
            return true;
        case CL_DEVICE_PARTITION_PROPERTIES:
            place.put(cl_device_partition_property{0});
            return true;
        case CL_DEVICE_PARTITION_TYPE:
            place.put_raw(nullptr, 0);
            return true;
        case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
            place.put(cl_device_affinity_domain{0});
            return true;
        case CL_DEVICE_REFERENCE_COUNT:
            place.put(cl_uint{1});
            return true;
        case CL_DEVICE_VENDOR:
            place.put_text("The Heddle authors");
            return true;
        case CL_DEVICE_PROFILE:
            place.put_text("FULL_PROFILE");
            return true;
        case CL_DEVICE_VERSION:
            place.put_text("OpenCL 1.2 Heddle");
            return true;
        case CL_DEVICE_OPENCL_C_VERSION:
            place.put_text("OpenCL C 1.2 Heddle");
            return true;
        default:
            return false;
    }
}

void put_machine_info(cl_device_info name, const info_place& place) {
    const auto device = device_in_use();
    const runtime::device_description& machine = device->description();
    switch (name) {
        case CL_DEVICE_NAME:
            return place.put_text("Heddle " + machine.name +
                                  (machine.timed ? "" : " (functional)"));
        case CL_DRIVER_VERSION:
            return place.put_text(machine.heddle);
        case CL_DEVICE_EXTENSIONS:
            return place.put_text(device_extensions(machine.double_precision));
        case CL_DEVICE_MAX_COMPUTE_UNITS:
            return place.put(cl_uint{machine.units});
        case CL_DEVICE_MAX_WORK_ITEM_SIZES:
            return place.put_list(std::vector<std::size_t>(3, machine.max_threads));
        case CL_DEVICE_MAX_WORK_GROUP_SIZE:
            return place.put(std::size_t{machine.max_threads});
        case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
            return place.put(cl_uint{machine.double_precision ? 1u : 0u});
        case CL_DEVICE_DOUBLE_FP_CONFIG:
            return place.put(machine.double_precision ? double_precision_in_software
                                                      : cl_device_fp_config{0});
        case CL_DEVICE_MAX_CLOCK_FREQUENCY:
            return place.put(cl_uint{(machine.core_khz + 500) / 1000});
        case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
            return place.put(cl_ulong{machine.memory_bytes / 2});
        case CL_DEVICE_GLOBAL_MEM_SIZE:
            return place.put(cl_ulong{machine.memory_bytes});
        case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
            return place.put(cl_device_mem_cache_type{
                static_cast<cl_uint>(machine.cache_bytes == 0 ? CL_NONE : CL_READ_WRITE_CACHE)});
        case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
            return place.put(cl_ulong{machine.cache_bytes});
        case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
            return place.put(cl_uint{machine.cache_line});
        case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
            return place.put(cl_ulong{machine.memory_bytes / 2});
        case CL_DEVICE_LOCAL_MEM_SIZE:
            return place.put(cl_ulong{machine.shared_bytes});
        case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
            return place.put(std::size_t{
                std::max<std::size_t>(1, (1'000'000 + machine.core_khz - 1) / machine.core_khz)});
        default:
            throw error(CL_INVALID_VALUE);
    }
}

}  // namespace

std::string device_extensions(bool double_precision) {
    return std::string(
               "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
               "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
               "cl_khr_local_int32_extended_atomics") +
           (double_precision ? " cl_khr_fp64" : "");
}

void put_device_info(cl_device_info name, const info_place& place) {
    if (put_image_info(name, place) || put_fixed_info(name, place)) return;
    put_machine_info(name, place);
}

}  // namespace heddle::opencl
