# Flags that decide bits (docs/map.md, "What keeps the bits equal") and flags that find mistakes.
# No contraction to fused operations. The other two change no value: they let loops with comparisons be vectorised.
set(POLITEX_NUMERIC_FLAGS -ffp-contract=off -fno-trapping-math -fno-math-errno)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT POLITEX_BASELINE_ISA)
  list(APPEND POLITEX_NUMERIC_FLAGS -march=x86-64-v3)
endif()

add_library(politex_warnings INTERFACE)
target_compile_options(politex_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                       -Woverloaded-virtual -Wdouble-promotion -Wformat=2 -Werror)

if(POLITEX_BASELINE_ISA)
  # Vectors wider than the baseline's registers are passed within this program only, which is compiled as one.
  target_compile_options(politex_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi>)
endif()

# Files compiled together see each other's names. That is why names in anonymous namespaces are unique within a room.
add_library(politex_unity INTERFACE)
target_compile_options(politex_unity INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
if(CMAKE_UNITY_BUILD)
  target_link_libraries(politex_warnings INTERFACE politex_unity)
endif()

# What the sanitizers, the second compiler and the fuzzers build: quick to compile, assertions on.
set(CMAKE_CXX_FLAGS_CHECKED "-O1 -D_GLIBCXX_ASSERTIONS")
if(POLITEX_SANITIZE)
  add_compile_options(-fsanitize=${POLITEX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  if(POLITEX_SANITIZE MATCHES undefined)
    # Half the time to compile: the address sanitizer sees what null and object-size would, nothing here casts down.
    add_compile_options(-fno-sanitize=null,object-size,alignment,vptr)
  endif()
  add_link_options(-fsanitize=${POLITEX_SANITIZE})
  # g++ 12 sees uninitialised values in libstdc++ where the sanitizers' code hides the initialisation.
  target_compile_options(politex_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
