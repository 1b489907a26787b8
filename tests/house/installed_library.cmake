# cmake -Dbuild=... -Dexample=... -Dscratch=... -Dcompiler=... -Dgenerator=... -P: uses the installed library like a user.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${scratch})
run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix)
run(${CMAKE_COMMAND} -S ${example} -B ${scratch}/example -G ${generator} -DCMAKE_CXX_COMPILER=${compiler}
    -DCMAKE_PREFIX_PATH=${scratch}/prefix)
run(${CMAKE_COMMAND} --build ${scratch}/example)
run(${scratch}/example/own_environment)
message("${output}")
