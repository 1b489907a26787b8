# Writes the copy of a source that tests/interleaved compiles: cmake -DSOURCE= -DCOPY= -P copy.cmake
# It differs from the source in five things:
#   1. atomics, threads and their kind are those of interleaved/sync.hpp;
#   2. its names are in a namespace of their own, so that the library may be linked too;
#   3. sizes are small, so that all orders can be tried;
#   4. mistakes that the tests must find are built in, each switched on by its name.
#   5. it says what a thread that polls has to remember (Schedule::only_these_matter), so that there are fewer states.
# A change whose text is not found stops the build: it is to be adapted to the source.
file(READ "${SOURCE}" text)
get_filename_component(name "${SOURCE}" NAME)

function(change from to)
  string(FIND "${text}" "${from}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "tests/interleaved/copy.cmake: ${name} has no \"${from}\"")
  endif()
  string(REPLACE "${from}" "${to}" result "${text}")
  set(text "${result}" PARENT_SCOPE)
endfunction()

# Where MISTAKE is made, `wrong` is in place of `right`, both expressions or conditions.
function(mistake mistake right wrong)
  change("${right}" "(::politex::interleaved::makes(\"${mistake}\") ? ${wrong} : ${right})")
  set(text "${text}" PARENT_SCOPE)
endfunction()

# A statement that is left out.
function(omission mistake statement)
  change("${statement}" "if (!::politex::interleaved::makes(\"${mistake}\")) ${statement}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

if(name STREQUAL "replay.hpp")
  change("block_rows = 256" "block_rows = 2")
elseif(name STREQUAL "replay.cpp")
  change("at_once = 8" "at_once = 2")
  mistake(own_leaves_the_block_stale "block.compare_exchange_strong(seen, BlockState::done, std::memory_order_acquire)"
          "block.compare_exchange_strong(seen, BlockState::stale)")
  mistake(learner_does_not_wait_for_a_helper "seen == BlockState::done" "true")
  omission(learner_writes_without_owning "if (row % block_rows == 0) own(row);")
  mistake(wanted_block_is_not_taken
          "blocks_[block].compare_exchange_strong(stale, BlockState::taken, std::memory_order_acquire)"
          "blocks_[block].load() == BlockState::stale")
  mistake(block_is_taken_in_two_steps
          "blocks_[static_cast<std::size_t>(block)].compare_exchange_strong(stale, BlockState::taken,
                                                                         std::memory_order_acquire)"
          "(blocks_[static_cast<std::size_t>(block)].load() == stale && (blocks_[static_cast<std::size_t>(block)].store(BlockState::taken), true))")
  mistake(newest_block_is_handed_out "used > 0" "false")
  change("  std::uint32_t* words = &words_[at(row) + 2 * store_.words() + 2];
"
"  std::uint32_t* words = &words_[at(row) + 2 * store_.words() + 2];
  if (::politex::interleaved::makes(\"stamp_before_its_policy\")) poke(words[actions_], phase, std::memory_order_release);
")
elseif(name STREQUAL "actors.cpp")
  change("at_once = 8" "at_once = 1")
  change("lead = 16" "lead = 1")
  change("  if (chosen == nullptr || chosen" "  const auto found = chosen == nullptr ? -1 : chosen->range.begin;
  ::politex::interleaved::Schedule::current()->only_these_were_read(
      {static_cast<std::uint64_t>(found), static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(rounds)});
  if (chosen == nullptr || chosen")
  mistake(group_is_taken_by_a_store "chosen->busy.exchange(true, std::memory_order_acquire)"
          "(chosen->busy.store(true), false)")
  mistake(round_from_before_the_group_was_taken "chosen->rounds.load(std::memory_order_relaxed)" "least")
  change("    throw_if_failed();
    bool acted" "    ::politex::interleaved::Schedule::current()->only_these_matter({static_cast<std::uint64_t>(rounds)});
    if (!::politex::interleaved::makes(\"waits_for_a_failed_thread\")) throw_if_failed();
    bool acted")
elseif(name STREQUAL "actor_threads.cpp")
  change("if (work()) {" "::politex::interleaved::Schedule::current()->only_these_matter({seen});
        if (work()) {")
  change("  chunk_.notify_all();
}

void ActorThreads::run" "  if (!::politex::interleaved::makes(\"nobody_is_woken\")) chunk_.notify_all();
}

void ActorThreads::run")
  change("  chunk_.notify_all();
  for" "  if (!::politex::interleaved::makes(\"nobody_is_woken_at_the_end\")) chunk_.notify_all();
  for")
  change("  working_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
  chunk_.fetch_add(1, std::memory_order_release);"
"  if (!::politex::interleaved::makes(\"threads_begin_before_they_are_counted\"))
    working_.store(static_cast<int>(threads_.size()));
  chunk_.fetch_add(1, std::memory_order_release);
  if (::politex::interleaved::makes(\"threads_begin_before_they_are_counted\"))
    working_.store(static_cast<int>(threads_.size()));")
  omission(finish_does_not_wait "while (working_.load(std::memory_order_acquire) > 0) std::this_thread::yield();")
  omission(failure_is_not_shown "failed_ = true;")
elseif(name STREQUAL "policy_refresh.cpp")
  change("  Floats& states = workspace.states;" "  if (::politex::interleaved::makes(\"no_memory\")) throw std::bad_alloc();
  Floats& states = workspace.states;")
elseif(name STREQUAL "remote.cpp")
  change("block_rounds = 16" "block_rounds = 1")
  change("most_credits = 16" "most_credits = 2")
  change("    if (!may_send(epoch)) return false;"
"    ::politex::interleaved::Schedule::current()->only_these_matter(
        {epoch, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(credits_)});
    if (!may_send(epoch)) return false;")
  change("  while (!complete()) take(fleet_.receive(blocks_channel), actors);"
"  while (!complete()) {
    std::uint64_t here = epoch_;
    for (const std::int64_t complete_rounds : rounds_)
      here = ::politex::interleaved::mixed(here, static_cast<std::uint64_t>(complete_rounds));
    for (int rank = 1; rank < fleet_.size(); ++rank)
      here = ::politex::interleaved::mixed(here, static_cast<std::uint64_t>(
                                                     std::ranges::count(early_, rank, &Fleet::Message::from)));
    ::politex::interleaved::Schedule::current()->only_these_matter({here, static_cast<std::uint64_t>(count)});
    take(fleet_.receive(blocks_channel), actors);
  }")
  mistake(blocks_without_credits "credits_ > 0" "true")
  mistake(restored_run_stops_nobody "epoch_ > 0" "false")
  mistake(blocks_of_an_earlier_phase_are_taken "head.epoch != epoch_" "false")
  mistake(credits_of_an_earlier_phase_count "word.epoch != epoch && word.epoch != any_epoch" "false")
elseif(name STREQUAL "sweep_run.cpp")
  change("  if (fleet->rank() == 0)
    for (int counter = 0; counter < Fleet::counters; ++counter)
      fleet->fetch_add(counter, -fleet->fetch_add(counter, 0));  // reset after an earlier call
  ByteWriter mine;
  mine.put(missing);
  const Bytes all = fleet->broadcast(mine.bytes());
"
"  const auto reset = [&] {
    if (fleet->rank() == 0)
      for (int counter = 0; counter < Fleet::counters; ++counter)
        fleet->fetch_add(counter, -fleet->fetch_add(counter, 0));
  };
  if (!::politex::interleaved::makes(\"counter_is_reset_too_late\")) reset();
  ByteWriter mine;
  mine.put(missing);
  const Bytes all = fleet->broadcast(mine.bytes());
  if (::politex::interleaved::makes(\"counter_is_reset_too_late\")) reset();
")
  change("static_cast<std::size_t>(fleet->fetch_add(next_cell, 1))"
"::politex::interleaved::makes(\"cell_is_taken_in_two_steps\")
                        ? static_cast<std::size_t>([&] {
                            const std::int64_t cell = fleet->fetch_add(next_cell, 0);
                            fleet->fetch_add(next_cell, 1);
                            return cell;
                          }())
                        : static_cast<std::size_t>(fleet->fetch_add(next_cell, 1))")
endif()

foreach(type atomic_ref atomic jthread thread mutex this_thread)
  string(REPLACE "std::${type}" "::politex::interleaved::${type}" text "${text}")
endforeach()
string(REPLACE "namespace politex::neural::inline replay {" "namespace politex::neural::inline copies {" text "${text}")
string(REPLACE "namespace politex::neural {" "namespace politex::neural::inline copies {" text "${text}")
string(REPLACE "namespace politex::inline sweep {" "namespace politex::inline sweep::copies {" text "${text}")
set(once "")
if(name MATCHES "hpp$")
  set(once "#pragma once\n")  # its own comes after the first #include
endif()
file(WRITE "${COPY}" "${once}#include \"interleaved/sync.hpp\"\n#line 1 \"${SOURCE}\"\n${text}")
