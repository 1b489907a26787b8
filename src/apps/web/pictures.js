// Pictures of what a run learned: visits and policy on the grid of states, one phase at a time.
'use strict';
(function () {
  const place = document.getElementById('pictures');
  const embedded = document.getElementById('pictures-data');
  if (!place || !embedded) return;
  const runs = JSON.parse(embedded.textContent);

  // -k repeats the number before it k more times.
  function expand(list) {
    const all = [];
    list.forEach(function (number) {
      if (number >= 0) { all.push(number); return; }
      for (let k = 0, last = all[all.length - 1]; k < -number; k++) all.push(last);
    });
    return all;
  }
  runs.forEach(function (run) {
    run.pictures.forEach(function (picture) {
      picture.visits = expand(picture.visits);
      picture.policy = expand(picture.policy);
    });
  });

  const actionColours = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#7F7F7F'];
  const keysShown = 12;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let run = 0;
  let shown = runs[0].pictures.length - 1;
  let timer = null;

  function element(name, properties, children) {
    const made = Object.assign(document.createElement(name), properties || {});
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }

  const choose = element('select', { ariaLabel: 'run', hidden: runs.length < 2 }, runs.map(function (one, i) {
    return element('option', { value: i, textContent: one.run });
  }));
  const play = element('button', { type: 'button', textContent: 'play' });
  const slider = element('input', { type: 'range', min: 0, step: 1, id: 'phase-slider', ariaLabel: 'phase' });
  const words = element('span', { className: 'picture-words' });
  const canvases = ['visits', 'policy'].map(function (name) {
    return element('canvas', { id: 'picture-' + name, role: 'img' });
  });
  const hover = element('div', { className: 'chart-hover' });
  const key = element('div', { className: 'chart-keys' });
  const axes = element('div', { className: 'picture-words' });
  place.append(element('div', { className: 'chart-bar' }, [choose, play, slider, words]),
    element('div', { className: 'picture-pair' }, canvases.map(function (canvas, i) {
      return element('figure', {}, [canvas, element('figcaption', { textContent: i === 0 ? 'visits in the phase' : 'policy after it' })]);
    })), axes, key, hover);

  function frame() { return runs[run].frame; }
  // Many actions are numbers, such as the level to order up to: their colours go from blue to red in order.
  function colourOf(action) {
    const count = frame().actions;
    if (!frame().action_names || count <= actionColours.length) return actionColours[action % actionColours.length];
    return 'hsl(' + Math.round(240 - 240 * action / (count - 1)) + ', 75%, 50%)';
  }
  function nameOf(action) { return frame().action_names ? frame().action_names[action] : 'action ' + action; }
  function rows() { return Math.ceil(frame().states / frame().columns); }
  function ground() { return dark.matches ? '#1f2328' : '#f4f5f7'; }
  function lineColour() { return dark.matches ? '#363b43' : '#d9dce1'; }

  // From the background to a strong blue, so that unvisited states look empty; the square root makes rare visits visible.
  function heat(share) {
    const s = Math.sqrt(share);
    const from = dark.matches ? [31, 35, 40] : [244, 245, 247];
    const to = dark.matches ? [108, 182, 236] : [0, 68, 120];
    return 'rgb(' + from.map(function (low, i) { return Math.round(low + s * (to[i] - low)); }).join(',') + ')';
  }

  // The canvas has one pixel per screen pixel; cells are squares.
  function prepare(canvas) {
    const width = canvas.parentElement.clientWidth;
    const cell = Math.max(2, Math.min(Math.floor(width / frame().columns), 48));
    const scale = window.devicePixelRatio || 1;
    canvas.style.width = cell * frame().columns + 'px';
    canvas.style.height = cell * rows() + 'px';
    canvas.width = Math.round(cell * frame().columns * scale);
    canvas.height = Math.round(cell * rows() * scale);
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    pen.fillStyle = ground();
    pen.fillRect(0, 0, cell * frame().columns, cell * rows());
    return { pen: pen, cell: cell };
  }

  function eachState(draw) {
    for (let x = 0; x < frame().states; x++) draw(x, x % frame().columns, Math.floor(x / frame().columns));
  }

  function grid(pen, cell) {
    if (cell < 5) return;
    pen.strokeStyle = lineColour();
    pen.lineWidth = 0.5;
    eachState(function (x, column, row) { pen.strokeRect(column * cell, row * cell, cell, cell); });
  }

  // One number per state: 101 times its most probable action, plus the probability of that action in percent.
  function actionOf(picture, x) { return Math.floor(picture.policy[x] / 101); }
  function percentOf(picture, x) { return picture.policy[x] % 101; }

  function drawVisits(picture) {
    const made = prepare(canvases[0]);
    const most = Math.max(1, Math.max.apply(null, picture.visits));
    eachState(function (x, column, row) {
      made.pen.fillStyle = heat(picture.visits[x] / most);
      made.pen.fillRect(column * made.cell, row * made.cell, made.cell, made.cell);
    });
    grid(made.pen, made.cell);
    canvases[0].ariaLabel = 'visits, at most ' + most + ' to one state';
  }

  function arrow(pen, cx, cy, dx, dy, size) {
    const length = Math.hypot(dx, dy);
    if (length === 0) {
      pen.beginPath();
      pen.arc(cx, cy, size * 0.18, 0, 7);
      pen.fill();
      return;
    }
    const ux = dx / length, uy = dy / length, half = size * 0.38, head = size * 0.3;
    const tx = cx + ux * half, ty = cy + uy * half;
    pen.lineWidth = Math.max(1, size * 0.1);
    pen.beginPath();
    pen.moveTo(cx - ux * half, cy - uy * half);
    pen.lineTo(tx - ux * head * 0.6, ty - uy * head * 0.6);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(tx, ty);
    pen.lineTo(tx - ux * head - uy * head * 0.6, ty - uy * head + ux * head * 0.6);
    pen.lineTo(tx - ux * head + uy * head * 0.6, ty - uy * head - ux * head * 0.6);
    pen.fill();
  }

  function drawPolicy(picture) {
    const made = prepare(canvases[1]);
    const pen = made.pen, cell = made.cell, arrows = frame().arrows, even = 100 / frame().actions;
    eachState(function (x, column, row) {
      const action = actionOf(picture, x);
      // Uniform probability: faint; probability 1: full colour.
      pen.globalAlpha = 0.25 + 0.75 * Math.max(0, (percentOf(picture, x) - even) / Math.max(1, 100 - even));
      pen.fillStyle = pen.strokeStyle = colourOf(action);
      const cx = (column + 0.5) * cell, cy = (row + 0.5) * cell;
      if (arrows && cell >= 7) {
        const pair = x * frame().actions + action;
        arrow(pen, cx, cy, arrows[2 * pair], arrows[2 * pair + 1], cell);
      } else if (cell >= 14 && !frame().action_names) {
        pen.font = Math.round(cell * 0.6) + 'px system-ui, sans-serif';
        pen.textAlign = 'center';
        pen.textBaseline = 'middle';
        pen.fillText(String(action), cx, cy);
      } else {
        pen.fillRect(column * cell, row * cell, cell, cell);
      }
    });
    pen.globalAlpha = 1;
    grid(pen, cell);
    canvases[1].ariaLabel = 'the most probable action of every state';
  }

  function draw() {
    const picture = runs[run].pictures[shown];
    words.textContent = 'phase ' + picture.phase.toLocaleString('en') + ', step ' + picture.steps.toLocaleString('en') +
      ' (picture ' + (shown + 1) + ' of ' + runs[run].pictures.length + ')';
    drawVisits(picture);
    drawPolicy(picture);
  }

  function drawKey() {
    const count = Math.min(frame().actions, frame().action_names ? keysShown : actionColours.length);
    const step = frame().action_names ? (frame().actions - 1) / Math.max(1, count - 1) : 1;
    key.replaceChildren.apply(key, Array.from({ length: count }, function (_, k) {
      const action = Math.round(k * step);
      const swatch = element('span', { className: 'swatch' });
      swatch.style.borderTopColor = colourOf(action);
      return element('span', {}, [swatch, ' ' + nameOf(action)]);
    }));
    const down = frame().row ? ' Down: ' + frame().row + '.' : '';
    axes.textContent = frame().column ? 'Across: ' + frame().column + '.' + down + '' : '';
  }

  function show(index) {
    shown = Math.max(0, Math.min(index, runs[run].pictures.length - 1));
    slider.value = shown;
    draw();
  }

  function open(index) {
    run = index;
    slider.max = runs[run].pictures.length - 1;
    drawKey();
    show(runs[run].pictures.length - 1);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = 'play';
  }

  canvases.forEach(function (canvas) {
    canvas.addEventListener('pointermove', function (event) {
      const box = canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left) / box.width * frame().columns);
      const row = Math.floor((event.clientY - box.top) / box.height * rows());
      const x = row * frame().columns + column;
      const picture = runs[run].pictures[shown];
      hover.textContent = x < 0 || x >= frame().states ? '' : 'state ' + x + (rows() > 1 && (frame().arrows || frame().row) ? ' (row ' + row + ', column ' + column + ')' : '') +
        ': ' + picture.visits[x] + ' visits; ' + nameOf(actionOf(picture, x)) + ' with probability ' + (percentOf(picture, x) / 100).toFixed(2);
    });
    canvas.addEventListener('pointerleave', function () { hover.textContent = ''; });
  });
  choose.addEventListener('change', function () { stop(); open(Number(choose.value)); });
  slider.addEventListener('input', function () { stop(); show(Number(slider.value)); });
  play.addEventListener('click', function () {
    if (timer) { stop(); return; }
    if (shown === runs[run].pictures.length - 1) show(0);
    play.textContent = 'pause';
    timer = setInterval(function () {
      if (shown === runs[run].pictures.length - 1) stop(); else show(shown + 1);
    }, 150);
  });
  dark.addEventListener('change', draw);
  window.addEventListener('resize', draw);
  open(0);
})();
