// The live page: settings, pace, readouts and tasks. Pictures are in drawings.js, the learner is in worker.js.
"use strict";

const byId = (id) => document.getElementById(id);
const words = {
  swap: ["none", "all", "rows"],
  explorer: ["none", "uniform", "always", "learned"],
  estimator: ["every", "first", "one", "lspe"],
};
const labels = {
  explorer: ["none", "uniformly random", "always right (action 1)", "learned, never sees a cost"],
  estimator: ["Monte Carlo, every visit", "Monte Carlo, first visit", "Monte Carlo, the probe only", "LSPE (temporal differences)"],
  swap: ["none", "in every row", "in random rows"],
};
// In the order of politex::Setting. A range that is logarithmic has `power`: the slider is the exponent of 10.
const controls = [
  {name: "size", label: "N, size of the sea", low: 4, high: 50, usual: 20},
  {name: "swap", label: "Swap left and right", words: labels.swap, usual: 0},
  {name: "explorer", label: "Explorer", words: labels.explorer, usual: 2},
  {name: "estimator", label: "Estimator", words: labels.estimator, usual: 0},
  {name: "eta", label: "η, step size", low: -4, high: 1, step: 0.05, power: true, usual: 0.1},
  {name: "rollouts", label: "m, rollouts in a phase", low: 1, high: 20, usual: 5},
  {name: "explore", label: "s′, explorer's steps", low: 1, high: 100, usual: 19, lengths: true},
  {name: "follow", label: "s, target's steps", low: 1, high: 1000, usual: 80, lengths: true},
  {name: "horizon", label: "h, costs in a return", low: 0, high: 400, usual: 20, lengths: true},
  {name: "ridge", label: "ridge", low: -4, high: 4, step: 0.25, power: true, usual: 0.01},
  {name: "steps", label: "T, steps of the run", low: 4, high: 7.3, step: 0.1, power: true, usual: 5e5},
  {name: "seed", label: "Seed", low: 1, high: 9007199254740991, usual: 1, number: true},
];
const hiddenControls = new Set(["ridge"]);
const usual = Object.fromEntries(controls.map((each) => [each.name, each.usual]));
// Two digits are as fine as a slider goes.
const rounded = (value) => Number(value.toPrecision(2));

let settings = {...usual};
let run = 0;                 // the number of the present run; answers to older ones are dropped
let state = null;            // the newest answer
let next = null;             // the state after each pair
let history = [];            // one row per point of the plots
let ghosts = [];             // average costs of earlier runs
let pace = "slow", playing = true;
let waiting = false;         // for an answer
let replay = null;           // slow: the steps of a phase that are shown one by one
let chosenPace = false;      // by the reader
let task = null;             // the task whose outcome is awaited
let opened = false;
let rate = 0;                // steps per second
let shownAt = 0, slowCredit = 0;
let openedAfter = 0;         // milliseconds from the opening of the page to the first answer
let noticed = "";            // the last notice, for tests

const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;

// --- settings and the address -------------------------------------------------------------------------------------

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const each of controls) {
    if (!given.has(each.name)) continue;
    const text = given.get(each.name);
    const value = words[each.name] ? words[each.name].indexOf(text) : Number(text);
    const low = each.power ? 10 ** each.low : each.words ? 0 : each.low;
    const high = each.power ? 10 ** each.high : each.words ? each.words.length - 1 : each.high;
    if (text.trim() !== "" && value >= low / 1.0001 && value <= high * 1.0001) settings[each.name] =
      each.power && each.name !== "steps" ? value : Math.round(value);
    else notify(`The address has ${each.name}=${text}; accepted: ` +
      (each.words ? words[each.name].join(", ") : `${low} to ${high}`) + `. Its usual value is used.`);
  }
}

function asText(name) {
  return words[name] ? words[name][settings[name]] : String(settings[name]);
}

function address() {
  const changed = controls.filter((each) => settings[each.name] !== usual[each.name] || each.name === "seed");
  return "#" + changed.map((each) => `${each.name}=${asText(each.name)}`).join("&");
}

function command() {
  const s = settings;
  const parts = ["politex run deep_sea/figure.toml", `steps=${s.steps}`, `seed=${s.seed}`, `size=${s.size}`,
    `swap=${asText("swap")}`, `explorer.name=${asText("explorer")}`,
    s.estimator === 3 ? "estimator=lspe" : `estimator=lsmc visits=${asText("estimator")}`,
    `eta=${s.eta}`, `ridge=${s.ridge}`, `rollouts=${s.rollouts}`, `explore=${s.explore}`, `follow=${s.follow}`];
  if (s.estimator < 2) parts.push(`horizon=${s.horizon}`);
  return parts.join(" ");
}

function notify(text) {
  noticed = text || noticed;
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
}

function makeControls() {
  for (const each of controls) {
    if (hiddenControls.has(each.name)) continue;
    const label = document.createElement("label");
    label.append(each.label);
    let input;
    if (each.words) {
      input = document.createElement("select");
      each.words.forEach((word, k) => input.append(new Option(word, k)));
    } else {
      input = document.createElement("input");
      input.type = each.number ? "number" : "range";
      input.min = each.low;
      input.max = each.high;
      input.step = each.step || 1;
      if (!each.number) label.append(each.output = document.createElement("output"));
    }
    label.append(input);
    each.input = input;
    byId("settings").append(label);
    input.addEventListener(each.words || each.number ? "change" : "input", () => {
      let value = Number(input.value);
      if (each.power) value = rounded(10 ** value);
      if (each.number) value = Math.min(each.high, Math.max(each.low, Math.round(value) || 1));
      change({[each.name]: value});
    });
  }
  byId("settings").addEventListener("submit", (event) => event.preventDefault());
}

function showControls() {
  for (const each of controls) {
    if (!each.input) continue;
    const value = settings[each.name];
    each.input.value = each.power ? Math.log10(value) : value;
    if (each.output) each.output.textContent = each.name === "steps" ? large(value) : each.name === "horizon" && value === 0 ? "all" : value;
    if (!each.words && !each.number)
      each.input.setAttribute("aria-valuetext", `${each.label}: ${value}`);
  }
  const control = (name) => controls.find((each) => each.name === name).input;
  control("explore").disabled = settings.explorer === 0;
  control("horizon").disabled = settings.estimator >= 2;
  byId("command").textContent = command();
}

/** New settings, and a run with them. Lengths follow N, as in the program's files. */
function change(some) {
  if (some.size !== undefined && some.size !== settings.size) {
    const scale = some.size / settings.size;
    for (const name of ["follow", "horizon"])
      if (some[name] === undefined) some[name] = Math.round(settings[name] * scale);
    if (some.explore === undefined)
      some.explore = Math.max(1, settings.explore === settings.size - 1 ? some.size - 1 : Math.round(settings.explore * scale));
  }
  settings = {...settings, ...some};
  for (const each of controls)
    if (each.lengths) settings[each.name] = Math.min(each.high, Math.max(each.low, settings[each.name]));
  settings.horizon = Math.min(settings.horizon, settings.follow + 1);
  notify("");
  begin();
}

// --- the run ------------------------------------------------------------------------------------------------------

function begin() {
  if (history.length > 3) {
    ghosts.push(history.map((row) => [row.steps, row.average]));
    if (ghosts.length > 3) ghosts.shift();
  }
  ++run;
  history = [];
  replay = null;
  state = null;
  slowCredit = 0;
  byId("signature").textContent = "when the run is done";
  showControls();
  try {
    window.history.replaceState(null, "", address());
  } catch {
    // A page inside another one may not change its address; the link button still works.
  }
  if (opened) ask({type: "start", settings: controls.map((each) => settings[each.name]), steps: 1});
}

function ask(message) {
  waiting = true;
  worker.postMessage({...message, run});
}

function heard({data}) {
  if (data.type === "open") {
    opened = true;
    begin();
    return;
  }
  if (data.type === "failed") {
    notify("The learner stopped: " + data.text + ". Reload the page to start it again.");
    playing = false;
    return;
  }
  if (data.run !== run) return;  // of a run that was replaced
  waiting = false;
  if (data.type === "refused") {
    const each = controls[data.setting];
    notify(`${each.label}: ${settings[each.name]} does not fit the other settings. Nothing runs until it is changed.`);
    return;
  }
  if (data.next) next = data.next;
  if (!openedAfter) openedAfter = performance.now();
  state = data;
  if (data.seconds > 0.01 && data.played > 100000) rate = data.played / data.seconds;
  const n = data.numbers;
  for (const each of data.between) remember(each);
  const row = remember(n);
  state.row = row;
  if (pace === "slow" && playing || pace === "step") replay = {at: 0, pairs: data.phase.pairs, players: data.phase.players};
  if (n.done) finish();
}

/** One row of the plots, unless it is close to the last one. */
function remember(n) {
  const row = {...n, average: (n.explorerCost + n.probeCost + n.targetCost) / n.steps};
  const last = history.length > 0 ? history[history.length - 1].steps : -Infinity;
  if (n.steps > last && (n.done || n.steps - last >= settings.steps / 400)) history.push(row);
  return row;
}

function finish() {
  byId("signature").textContent = state.signature;
  byId("status").textContent = `The run is done: average cost ${state.row.average.toFixed(3)}, ` +
    `best possible ${state.row.optimalGain.toFixed(3)}.`;
  if (task) task.judge(state.row);
  task = null;
}

/** Once per frame: moves the replay, asks for more steps, and draws. */
function frame(now) {
  const passed = Math.min(0.1, (now - shownAt) / 1000 || 0);
  shownAt = now;
  if (opened && state && playing) {
    if (pace === "slow" && replay) {
      slowCredit += passed * 22;
      while (slowCredit >= 1) {
        slowCredit -= 1;
        replay.at += 1;
      }
      if (replay.at >= replay.pairs.length) replay = null;
    }
    if (!waiting && !state.numbers.done) {
      if (pace === "slow" && !replay) ask({type: "advance", steps: 1});
      if (pace === "fast") ask({type: "advance", steps: Math.max(1, settings.steps * passed / 14)});
      if (pace === "full") ask({type: "advance", milliseconds: 40, every: settings.steps / 400});
    }
  }
  if (state) draw(now);
  requestAnimationFrame(frame);
}

function setPace(which, byReader = true) {
  chosenPace = chosenPace || byReader;
  pace = which;
  if (which !== "slow" && which !== "step") replay = null;
  setPlaying(which !== "step");
  for (const button of document.querySelectorAll(".pace"))
    button.setAttribute("aria-pressed", String(button.dataset.pace === which));
}

function setPlaying(whether) {
  playing = whether;
  byId("play").innerHTML = whether ? '<span aria-hidden="true">❚❚</span> Pause' : '<span aria-hidden="true">▶</span> Play';
  byId("play").setAttribute("aria-pressed", String(whether));
}

function oneStep() {
  if (!state) return;
  if (pace !== "step") setPace("step");
  setPlaying(false);
  if (replay && replay.at < replay.pairs.length - 1) replay.at += 1;
  else if (!waiting && !state.numbers.done) ask({type: "advance", steps: 1});
}

function again() {
  if (pace === "step") setPace("fast");
  setPlaying(true);
  begin();
}

// --- readouts -----------------------------------------------------------------------------------------------------

function large(value) {
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(3)} M`;
  return value >= 1e4 ? `${+(value / 1e3).toPrecision(3)} k` : String(Math.round(value));
}

function list(place, rows) {
  while (place.children.length < rows.length) {
    const box = document.createElement("div");
    box.append(document.createElement("dt"), document.createElement("dd"));
    place.append(box);
  }
  rows.forEach(([name, value, kind], k) => {
    const [term, number] = place.children[k].children;
    if (term.textContent !== name) term.textContent = name;
    if (number.textContent !== value) number.textContent = value;
    number.className = kind || "";
  });
}

function showNumbers() {
  const row = state.row;
  const explored = (row.explorerSteps + row.probeSteps) / row.steps;
  list(byId("numbers"), [
    ["steps done", large(row.steps)],
    ["phases", large(row.phases)],
    ["average cost so far", row.average.toFixed(3)],
    ["this policy alone, exactly", row.gain.toFixed(3), "target"],
    ["best possible", row.optimalGain.toFixed(3), "gold"],
    rate && pace === "full" ? ["steps per second", large(rate)] : ["spent on exploring", `${(100 * explored).toFixed(1)} %`, "explorer"],
  ]);
  const noise = row.V + row.W + row.VExplore + row.WExplore;
  list(byId("terms"), [
    ["regret", large2(row.regret)],
    ["exploration E", large2(row.E), "explorer"],
    ["pseudo-regret PR", large2(row.PR), "target"],
    ["rest V + W", large2(noise), "probe"],
    ["regret per step", (row.regret / row.steps).toFixed(3)],
  ]);
}
const large2 = (value) => (value < 0 ? "−" : "") + large(Math.abs(value));

// --- tasks --------------------------------------------------------------------------------------------------------

/** What a run says of a setting: the share of the best possible that was earned. */
function verdict(row) {
  const share = row.average / row.optimalGain;
  return share > 0.6 ? ["held", "It held"] : share > 0.18 ? ["", "Between both"] : ["broken", "Broken"];
}
const tasks = [
  {title: "Send the explorer home", text: "Without an explorer the target policy has to find the treasure itself.",
    some: {size: 20, explorer: 0}},
  {title: "A deeper sea, a random explorer", text: "A uniformly random diver arrives from the left about once in 2³⁰ tries at N = 30.",
    some: {size: 30, explorer: 1}},
  {title: "Turn back too early", text: "s′ below N − 1: the explorer no longer reaches the last column from every start.",
    some: {size: 20, explorer: 2, explore: 3}},
  {title: "Swap left and right", text: "“Always right” now goes left. The explorer was a good guess about one sea, no more. " +
    "Then choose the learned explorer: it does not care.", some: {size: 20, explorer: 2, swap: 1}},
  {title: "Look three steps ahead", text: "h = 3: a return is the sum of three costs, and the treasure is up to N − 1 steps away.",
    some: {size: 20, explorer: 2, horizon: 3}},
];

function makeTasks() {
  for (const each of tasks) {
    const item = document.createElement("li");
    const title = document.createElement("h3");
    title.textContent = each.title;
    const text = document.createElement("p");
    text.textContent = each.text;
    const outcome = document.createElement("p");
    outcome.className = "outcome";
    const button = document.createElement("button");
    button.textContent = "Break it";
    const mend = document.createElement("button");
    mend.textContent = "Mend it: learned explorer";
    const start = (some) => {
      outcome.className = "outcome";
      outcome.textContent = "Running …";
      task = null;
      change({...usual, seed: settings.seed, ...some});
      setPace("fast");
      task = {judge: (row) => {
        const [kind, word] = verdict(row);
        if (kind) outcome.classList.add(kind);
        outcome.textContent = `${word}: average cost ${row.average.toFixed(3)}, best possible ` +
          `${row.optimalGain.toFixed(3)}; the last policy, left alone, costs ${row.gain.toFixed(3)}.`;
      }};
      byId("sea").scrollIntoView({block: "center", behavior: reduced ? "auto" : "smooth"});
    };
    button.onclick = () => start(each.some);
    mend.onclick = () => start({...each.some, explorer: 3, explore: 3 * each.some.size, horizon: each.some.size});
    item.append(title, text, button, mend, outcome);
    byId("tasks").append(item);
  }
}

// --- start --------------------------------------------------------------------------------------------------------

function copy(text, button) {
  const said = button.textContent;
  const done = (what) => {
    button.textContent = what;
    setTimeout(() => { button.textContent = said; }, 1500);
  };
  if (!navigator.clipboard) done("Select and copy it above");
  else navigator.clipboard.writeText(text).then(() => done("Copied"), () => done("The browser refused"));
}

let worker = null;

/** The bytes of the learner: they are compressed in the page. */
async function learnerBytes() {
  const packed = Uint8Array.from(atob(byId("learner").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start() {
  readAddress();
  makeControls();
  makeTasks();
  showControls();
  for (const button of document.querySelectorAll(".pace")) button.onclick = () => setPace(button.dataset.pace);
  byId("play").onclick = () => {
    chosenPace = true;
    if (pace === "step") setPace("slow");
    else setPlaying(!playing);
  };
  byId("step").onclick = oneStep;
  byId("again").onclick = again;
  byId("copy").onclick = (event) => copy(command(), event.target);
  byId("link").onclick = (event) => copy(location.href.replace(/#.*/, "") + address(), event.target);
  addEventListener("keydown", (event) => {
    if (/INPUT|SELECT|TEXTAREA|BUTTON/.test(event.target.tagName) && (event.key === " " || event.target.tagName !== "BUTTON"))
      return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const does = {" ": () => byId("play").click(), s: oneStep, 1: () => setPace("slow"), 2: () => setPace("fast"),
      3: () => setPace("full"), r: again}[event.key];
    if (does) {
      event.preventDefault();
      does();
    }
  });
  addEventListener("hashchange", () => {
    if (location.hash === address()) return;
    settings = {...usual};
    readAddress();
    begin();
  });
  setPace(reduced ? "fast" : "slow", false);
  // The first steps one by one, then faster, unless the reader has chosen.
  if (!reduced) setTimeout(() => { if (!chosenPace) setPace("fast", false); }, 7000);
  if (typeof WebAssembly !== "object" || typeof Worker !== "function" || typeof DecompressionStream !== "function") {
    notify("This browser has no WebAssembly or no workers, so the learner cannot run here. Browsers since 2023 have " +
      "them; the program runs the same with: " + command());
    return;
  }
  const bytes = await learnerBytes();
  if (!WebAssembly.validate(bytes)) {
    notify("This browser's WebAssembly lacks 128-bit vectors, so the learner cannot run here. Browsers since 2021 " +
      "(Safari since 2023) have them; the program runs the same with: " + command());
    return;
  }
  try {
    worker = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent], {type: "text/javascript"})));
  } catch (error) {
    notify("The browser refused to start the learner: " + error.message);
    return;
  }
  worker.onmessage = heard;
  worker.onerror = (event) => notify("The learner could not start: " + event.message);
  worker.postMessage({type: "open", bytes}, [bytes.buffer]);
  requestAnimationFrame(frame);
}
