# Flags that decide bits (docs/internals/equal-bits.md) and flags that find mistakes.
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

# g++ collects its garbage from 512 MB on, not from 128 MB: a tenth less time, for 60 MB more.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

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
