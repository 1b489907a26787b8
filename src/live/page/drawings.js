// The pictures of the live page, on canvases.
"use strict";

let palette = {};
function readPalette() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "soft", "line", "grid", "explorer", "probe", "target", "gold", "sea", "ghost", "panel"])
    palette[name] = style.getPropertyValue("--" + name).trim();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readPalette);

/** The canvas's context, in pixels of the page, cleared. */
function context(canvas) {
  const scale = Math.min(2, devicePixelRatio || 1);
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const c = canvas.getContext("2d");
  c.setTransform(scale, 0, 0, scale, 0, 0);
  c.clearRect(0, 0, width, height);
  return [c, width, height];
}

const players = () => [palette.explorer, palette.probe, palette.target];

/** Cells with their visits in the colours of the three who act, the policy as arrows, and the last steps. */
function drawSea() {
  const [c, width] = context(document.getElementById("sea"));
  const n = Math.round(Math.sqrt(state.policy.length / 2)), cell = width / n;
  const colours = players();
  let most = 1;
  for (let x = 0; x < n * n; ++x)
    most = Math.max(most, state.visits[3 * x] + state.visits[3 * x + 1] + state.visits[3 * x + 2]);
  const gap = cell > 12 ? 1 : 0.5;
  for (let x = 0; x < n * n; ++x) {
    const left = (x % n) * cell, top = Math.floor(x / n) * cell;
    const [e, p, t] = [state.visits[3 * x], state.visits[3 * x + 1], state.visits[3 * x + 2]];
    c.fillStyle = palette.grid;
    c.globalAlpha = 1;
    c.fillRect(left + gap / 2, top + gap / 2, cell - gap, cell - gap);
    if (e + p + t === 0) continue;
    c.globalAlpha = 0.12 + 0.63 * Math.log1p(e + p + t) / Math.log1p(most);
    // The share of the explorer from the left, of the target policy from the right; roots make small ones visible.
    const share = Math.sqrt(e) / (Math.sqrt(e) + Math.sqrt(t) + 1e-9);
    c.fillStyle = colours[0];
    c.fillRect(left + gap / 2, top + gap / 2, (cell - gap) * share, cell - gap);
    c.fillStyle = colours[2];
    c.fillRect(left + gap / 2 + (cell - gap) * share, top + gap / 2, (cell - gap) * (1 - share), cell - gap);
    if (p > 0 && cell > 7) {
      c.fillStyle = colours[1];
      c.globalAlpha = 0.3 + 0.7 * Math.log1p(p) / Math.log1p(most);
      c.fillRect(left + cell * 0.42, top + cell * 0.06, cell * 0.16, cell * 0.1);
    }
  }
  c.globalAlpha = 1;
  drawArrows(c, n, cell);
  drawTreasure(c, width - cell / 2, width - cell / 2, Math.max(4, cell * 0.42));
  drawTrail(c, n, cell);
}

/** Down and to the side that the policy prefers; short where it has no preference. */
function drawArrows(c, n, cell) {
  if (!next) return;
  c.strokeStyle = palette.ink;
  c.lineWidth = Math.max(0.8, cell / 17);
  for (let x = 0; x < n * n; ++x) {
    const column = x % n;
    // Where both actions lead, so that swapped actions are drawn as what they do.
    const of = (action) => Math.sign(next[2 * x + action] % n - column) || (column === 0 ? -1 : 1);
    const side = state.policy[2 * x] * of(0) + state.policy[2 * x + 1] * of(1);
    const strength = Math.abs(side);
    c.globalAlpha = 0.18 + 0.67 * strength;
    const dx = side * cell * 0.27, dy = cell * 0.22;
    const midX = (column + 0.5) * cell, midY = (Math.floor(x / n) + 0.5) * cell;
    const angle = Math.atan2(2 * dy, 2 * dx), head = cell * 0.17;
    c.beginPath();
    c.moveTo(midX - dx, midY - dy);
    c.lineTo(midX + dx, midY + dy);
    if (cell > 9) {
      c.lineTo(midX + dx - head * Math.cos(angle - 0.55), midY + dy - head * Math.sin(angle - 0.55));
      c.moveTo(midX + dx, midY + dy);
      c.lineTo(midX + dx - head * Math.cos(angle + 0.55), midY + dy - head * Math.sin(angle + 0.55));
    }
    c.stroke();
  }
  c.globalAlpha = 1;
}

function drawTreasure(c, x, y, size) {
  c.fillStyle = palette.gold;
  c.strokeStyle = palette.panel;
  c.lineWidth = Math.max(1, size / 8);
  c.beginPath();
  c.moveTo(x, y - size);
  c.lineTo(x + size, y);
  c.lineTo(x, y + size);
  c.lineTo(x - size, y);
  c.closePath();
  c.fill();
  c.stroke();
}

/** The last steps of the replay, or of the newest phase. */
function drawTrail(c, n, cell) {
  const phase = replay || state.phase;
  const pairs = phase.pairs, end = replay ? Math.min(replay.at, pairs.length - 1) : pairs.length - 1;
  const colours = players();
  const middle = (pair) => {
    const x = pair >> 1;
    return [(x % n + 0.5) * cell, (Math.floor(x / n) + 0.5) * cell];
  };
  const length = 2 * n;
  c.lineWidth = Math.max(2, cell / 6);
  c.lineCap = "round";
  for (let t = Math.max(1, end - length); t <= end; ++t) {
    const [x0, y0] = middle(pairs[t - 1]), [x1, y1] = middle(pairs[t]);
    if (y1 < y0) continue;  // from the bottom to the top
    c.globalAlpha = 0.15 + 0.85 * (1 - (end - t) / length);
    c.strokeStyle = colours[phase.players[t - 1]];
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.stroke();
  }
  c.globalAlpha = 1;
  const [x, y] = middle(pairs[end]);
  c.fillStyle = colours[phase.players[end]];
  c.strokeStyle = palette.panel;
  c.lineWidth = 2.5;
  c.beginPath();
  c.arc(x, y, Math.max(5, cell * 0.3), 0, 7);
  c.fill();
  c.stroke();
}

/** Lines over steps. `lines`: {points, colour, label, dash, width}; `levels`: {value, colour, label}. */
function drawLines(canvas, lines, levels, end) {
  const [c, width, height] = context(canvas);
  const values = [...levels.map((each) => each.value), ...lines.flatMap((line) => line.points.map((point) => point[1]))]
    .filter(Number.isFinite);
  let low = Math.min(...values, 0), high = Math.max(...values, 0.05);
  const room = 0.06 * (high - low);
  low -= room;
  high += room;
  const left = 52, right = width - 8, top = 10, bottom = height - 24;
  const atX = (steps) => left + (right - left) * steps / end;
  const atY = (value) => bottom - (bottom - top) * (value - low) / (high - low);
  c.font = "12px system-ui, sans-serif";
  c.textBaseline = "middle";
  const ticks = niceTicks(low, high, 5);
  for (const tick of ticks) {
    c.strokeStyle = palette.grid;
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(left, atY(tick));
    c.lineTo(right, atY(tick));
    c.stroke();
    c.fillStyle = palette.soft;
    c.textAlign = "right";
    c.fillText(Math.abs(tick) >= 1e4 ? large2(tick) : String(+tick.toPrecision(6)).replace("-", "−"), left - 6, atY(tick));
  }
  c.textAlign = "center";
  c.fillText("0", left, height - 10);
  c.fillText(large(end / 2), (left + right) / 2, height - 10);
  c.textAlign = "right";
  c.fillText(large(end) + " steps", right, height - 10);
  for (const level of levels) {
    c.strokeStyle = level.colour;
    c.lineWidth = 1.5;
    c.setLineDash([6, 5]);
    c.beginPath();
    c.moveTo(left, atY(level.value));
    c.lineTo(right, atY(level.value));
    c.stroke();
    c.setLineDash([]);
  }
  for (const line of lines) {
    c.strokeStyle = line.colour;
    c.lineWidth = line.width || 2;
    c.beginPath();
    line.points.forEach(([steps, value], k) => {
      if (k === 0) c.moveTo(atX(steps), atY(value));
      else c.lineTo(atX(steps), atY(value));
    });
    c.stroke();
  }
  drawLabels(c, lines, levels, atX, atY, left, right, top, bottom);
}

/** Labels at the right, moved apart. */
function drawLabels(c, lines, levels, atX, atY, left, right, top, bottom) {
  const wanted = [];
  for (const level of levels) wanted.push({text: level.label, colour: level.colour, x: right - 4, y: atY(level.value) - 8});
  for (const line of lines) {
    if (!line.label || !line.points.length) continue;
    const [steps, value] = line.points[line.points.length - 1];
    wanted.push({text: line.label, colour: line.colour, x: Math.min(right - 4, Math.max(atX(steps), left + 150)), y: atY(value) - 9});
  }
  wanted.sort((a, b) => a.y - b.y);
  let before = top - 8;
  for (const each of wanted) {
    each.y = Math.max(each.y, before + 14, top + 4);
    before = each.y;
  }
  let limit = bottom - 4;
  for (const each of wanted.reverse()) {
    each.y = Math.min(each.y, limit);
    limit = each.y - 14;
  }
  c.font = "600 12px system-ui, sans-serif";
  c.textAlign = "right";
  for (const each of wanted) {
    c.lineWidth = 4;
    c.strokeStyle = palette.panel;
    c.strokeText(each.text, each.x, each.y);
    c.fillStyle = each.colour;
    c.fillText(each.text, each.x, each.y);
  }
}

function niceTicks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high; ++k) ticks.push(k * step);
  return ticks;
}

function drawCost() {
  const row = state.row;
  const levels = [{value: row.optimalGain, colour: palette.gold, label: "best possible"},
    {value: 0, colour: palette.soft, label: "always left"}];
  if (settings.explorer === 2) levels.push({value: row.explorerGain, colour: palette.explorer, label: "explorer alone"});
  if (settings.explorer === 1) levels.push({value: row.uniformGain, colour: palette.explorer, label: "explorer alone"});
  const points = [...history, row];
  const lines = ghosts.map((ghost) => ({points: ghost, colour: palette.ghost, width: 1.5}));
  lines.push({points: points.map((each) => [each.steps, each.gain]), colour: palette.target, width: 1.2, label: "this policy alone"});
  lines.push({points: points.map((each) => [each.steps, each.average]), colour: palette.ink, width: 2.5, label: "average so far"});
  drawLines(document.getElementById("cost"), lines, levels, Math.max(settings.steps, 1));
}

function drawRegret() {
  const points = [...history, state.row];
  const of = (value) => points.map((each) => [each.steps, value(each)]);
  drawLines(document.getElementById("regret"), [
    {points: of((each) => each.V + each.W + each.VExplore + each.WExplore), colour: palette.probe, label: "rest V + W", width: 1.5},
    {points: of((each) => each.E), colour: palette.explorer, label: "exploration E"},
    {points: of((each) => each.PR), colour: palette.target, label: "pseudo-regret PR"},
    {points: of((each) => each.regret), colour: palette.ink, label: "regret", width: 2.5},
  ], [], settings.steps);
}

/** Column over time, coloured by who acts. */
function drawStrip() {
  const [c, width, height] = context(document.getElementById("strip"));
  const {pairs, players: who} = replay || state.phase;
  const n = Math.round(Math.sqrt(state.policy.length / 2)), colours = players();
  const count = Math.min(pairs.length, 4 * Math.max(60, Math.floor(width / 2)));
  const shown = Math.min(count, 420), step = width / shown;
  for (let t = 0; t < shown; ++t) {
    const column = (pairs[t] >> 1) % n;
    c.fillStyle = colours[who[t]];
    c.globalAlpha = replay && t > replay.at ? 0.22 : 1;
    const tall = (height - 8) * (column + 1) / n;
    c.fillRect(t * step, height - tall, Math.max(1, step - (step > 4 ? 1 : 0)), tall);
    if (who[t] === 1) c.fillRect(t * step - 1, 0, 3, height);
  }
  c.globalAlpha = 1;
}

let turn = 3.75;  // the treasure is at the back
/** The sum of the estimates for the better action, as columns seen from above. */
function drawSurface() {
  const [c, width, height] = context(document.getElementById("surface"));
  const n = Math.round(Math.sqrt(state.values.length / 2));
  const best = new Float64Array(n * n);
  let low = Infinity, high = -Infinity;
  for (let x = 0; x < n * n; ++x) {
    best[x] = -Math.min(state.values[2 * x], state.values[2 * x + 1]);
    low = Math.min(low, best[x]);
    high = Math.max(high, best[x]);
  }
  const span = high - low || 1, size = Math.min(width * 0.55, height * 0.98), tall = height * 0.34;
  const cos = Math.cos(turn), sin = Math.sin(turn);
  const place = (column, row, value) => {
    const u = (column / (n - 1) - 0.5) * size, v = (row / (n - 1) - 0.5) * size;
    return [width / 2 + u * cos - v * sin, height * 0.64 + (u * sin + v * cos) * 0.42 - tall * (value - low) / span];
  };
  const cells = [];
  for (let row = 0; row + 1 < n; ++row)
    for (let column = 0; column + 1 < n; ++column)
      cells.push([(column + 0.5) * sin + (row + 0.5) * cos, row, column]);
  cells.sort((a, b) => a[0] - b[0]);
  for (const [, row, column] of cells) {
    const corners = [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column]];
    const mean = corners.reduce((sum, [r, q]) => sum + best[r * n + q], 0) / 4;
    const share = (mean - low) / span;
    c.fillStyle = `color-mix(in srgb, ${palette.gold} ${Math.round(100 * share)}%, ${palette.target})`;
    c.strokeStyle = palette.panel;
    c.lineWidth = 0.7;
    c.beginPath();
    corners.forEach(([r, q], k) => {
      const [x, y] = place(q, r, best[r * n + q]);
      if (k === 0) c.moveTo(x, y);
      else c.lineTo(x, y);
    });
    c.closePath();
    c.fill();
    c.stroke();
  }
  c.font = "600 13px system-ui, sans-serif";
  c.textAlign = "center";
  const corner = (text, column, row, colour) => {
    const [x, y] = place(column, row, best[row * n + column]);
    const behind = place(column, row, low)[1] < height * 0.64;
    c.lineWidth = 4;
    c.strokeStyle = palette.panel;
    c.fillStyle = colour;
    const at = [Math.min(width - 40, Math.max(40, x)), Math.min(height - 8, Math.max(10, y + (behind ? -11 : 15)))];
    c.strokeText(text, ...at);
    c.fillText(text, ...at);
  };
  corner("start", 0, 0, palette.soft);
  corner("treasure", n - 1, n - 1, palette.gold);
}

function turnByHand() {
  const canvas = document.getElementById("surface");
  let last = null;
  canvas.addEventListener("pointerdown", (event) => { last = event.clientX; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (last === null) return;
    turn += (event.clientX - last) / 150;
    last = event.clientX;
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { last = null; });
}

const isSeen = new Map();
const seen = new IntersectionObserver((entries) => {
  for (const each of entries) isSeen.set(each.target.id, each.isIntersecting);
}, {rootMargin: "80px"});

const pictures = {sea: drawSea, cost: drawCost, strip: drawStrip, surface: drawSurface, regret: drawRegret};
let numbersAt = 0;
/** Draws what is on the screen. */
function draw(now) {
  if (now - numbersAt > 90) {
    numbersAt = now;
    showNumbers();
  }
  for (const [id, picture] of Object.entries(pictures)) if (isSeen.get(id)) picture();
}

readPalette();
for (const id of Object.keys(pictures)) seen.observe(document.getElementById(id));
turnByHand();
start();
