# cmake -Dsource=... -Dscratch=... -Dgenerator=... -P: where two libraries are missing, configuring names both and the remedy.
file(REMOVE_RECURSE ${scratch})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${scratch} -G ${generator} -DPOLITEX_TESTS=OFF -DPOLITEX_MPI=OFF
                        -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "configured without fmt and CLI11:\n${output}")
endif()
foreach(words "libfmt-dev libcli11-dev" "scripts/setup run")
  string(FIND "${output}" "${words}" place)
  if(place LESS 0)
    message(FATAL_ERROR "\"${words}\" is missing in:\n${output}")
  endif()
endforeach()
