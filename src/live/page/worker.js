// The learner, in a worker: so that the page answers while it learns. Also loaded by node, for the tests.
"use strict";

const numberNames = ["steps", "phases", "done", "explorerSteps", "explorerCost", "probeSteps", "probeCost",
  "targetSteps", "targetCost", "optimalGain", "gain", "explorerGain", "uniformGain", "regret", "E", "PR", "V", "W",
  "VExplore", "WExplore"];

/** The calls of the WebAssembly module `bytes`, in terms of JavaScript. */
async function openLearner(bytes) {
  // The C library imports calls of an operating system, which nothing here makes.
  const refuse = () => 52;
  const none = new Proxy({}, {get: () => refuse});
  const imports = new Proxy({}, {get: () => none});
  const module = await WebAssembly.compile(bytes);
  const given = {};
  for (const each of WebAssembly.Module.imports(module))
    (given[each.module] = given[each.module] || {})[each.name] = imports[each.module][each.name];
  const calls = (await WebAssembly.instantiate(module, given)).exports;
  if (calls._initialize) calls._initialize();
  const numbers = (address, count) => Float64Array.from(new Float64Array(calls.memory.buffer, address, count));
  let states = 0;
  return {
    /** Begins a run; returns the number of the setting that is refused, or -1. */
    start(settings) {
      new Float64Array(calls.memory.buffer, calls.live_settings(), settings.length).set(settings);
      const refused = calls.live_start();
      if (refused < 0) states = settings[0] * settings[0];
      return refused;
    },
    advance: (steps) => calls.live_advance(steps),
    numbers() {
      const all = numbers(calls.live_numbers(), numberNames.length);
      return Object.fromEntries(numberNames.map((name, k) => [name, all[k]]));
    },
    signature() {
      const text = new Uint8Array(calls.memory.buffer, calls.live_signature(), 16);
      return String.fromCharCode(...text);
    },
    visits: () => numbers(calls.live_visits(), 3 * states),
    policy: () => numbers(calls.live_policy(), 2 * states),
    values: () => numbers(calls.live_values(), 2 * states),
    next: () => Int32Array.from(new Int32Array(calls.memory.buffer, calls.live_next(), 2 * states)),
    phase() {
      const steps = calls.live_phase_steps();
      return {
        pairs: Int32Array.from(new Int32Array(calls.memory.buffer, calls.live_pairs(), steps)),
        players: Uint8Array.from(new Uint8Array(calls.memory.buffer, calls.live_players(), steps)),
      };
    },
  };
}

/** Answers the messages of the page. */
function serve(scope) {
  let learner = null;
  scope.onmessage = async ({data}) => {
    try {
      if (data.type === "open") {
        learner = await openLearner(data.bytes);
        scope.postMessage({type: "open"});
        return;
      }
      let next;
      if (data.type === "start") {
        const refused = learner.start(data.settings);
        if (refused >= 0) {
          scope.postMessage({type: "refused", run: data.run, setting: refused});
          return;
        }
        next = learner.next();
      }
      // `milliseconds`: as many steps as fit, with the numbers every `every` steps; else `steps` steps, in whole phases.
      const begin = performance.now();
      const between = [];
      let played = 0;
      if (data.milliseconds)
        for (let left = 1; left > 0 && performance.now() - begin < data.milliseconds;) {
          played += left = learner.advance(data.every);
          between.push(learner.numbers());
        }
      else played = learner.advance(data.steps);
      const seconds = (performance.now() - begin) / 1000;
      const numbers = learner.numbers();
      scope.postMessage({type: "state", run: data.run, numbers, between, next, played, seconds, phase: learner.phase(),
        visits: learner.visits(), policy: learner.policy(), values: learner.values(),
        signature: learner.signature()});
    } catch (error) {
      scope.postMessage({type: "failed", text: String(error && error.message || error)});
    }
  };
}

if (typeof module === "object") module.exports = {openLearner, numberNames};
else serve(self);
