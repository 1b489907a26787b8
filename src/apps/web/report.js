// The chart of a report: curves of one metric, of groups (mean over seeds with its interval) or of single runs.
// The state of the view is in the address (#metric=regret&mode=runs&off=a%2Fseed_2&logx&logy&reward), so it can be shared;
// curves are known by their names, because their positions change when a run appears. `on` lists the curves that are shown
// where that is shorter than `off`, those that are hidden.
'use strict';
(function () {
  const view = window.politexView, address = view.address, element = view.element;
  // The looks of page/plot.cpp in its order, so that a curve has its colour in print; black is the colour of the text.
  const looks = [['#0072B2'], ['#56B4E9'], ['#009E73'], ['#E69F00'], ['#D55E00'], ['#CC79A7'], ['#7F7F7F'],
    ['ink', [7, 4]], ['ink'], ['#009E73', [7, 4]], ['#E69F00', [7, 4]]];
  const further = ['#0072B2', '#D55E00', '#CC79A7', '#56B4E9', '#7F7F7F', '#009E73', '#E69F00'];
  const dashes = [[2, 3], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2]];
  const most_curves = 30, shown_of_many = 10;  // more curves than that hide each other: at first only the lowest are shown
  const most_keys = 200;

  function readState() {
    return {
      metric: address.get('metric'), mode: address.get('mode'), logx: address.has('logx'), logy: address.has('logy'),
      reward: address.has('reward'), off: new Set(address.all('off')),
      on: address.has('on') ? new Set(address.all('on')) : null, search: address.get('curves') || ''
    };
  }

  function writeState(state) {
    address.set({ metric: state.metric, mode: state.mode, logx: state.logx, logy: state.logy, reward: state.reward,
      off: state.on ? [] : Array.from(state.off), on: state.on ? Array.from(state.on) : [], curves: state.search });
  }

  // A point in the format of dygraphs: lower end of the interval, value, upper end.
  function point(value, low, high, sign) {
    if (value === null) return [null, null, null];
    const ends = [low, high].map(function (end) { return sign * (end === null || end === undefined ? value : end); });
    return [Math.min(ends[0], ends[1]), sign * value, Math.max(ends[0], ends[1])];
  }

  // Dygraphs writes labels as HTML; what comes from a run is text.
  function escaped(text) {
    return text.replace(/[&<>"']/g, function (c) { return '&#' + c.charCodeAt(0) + ';'; });
  }

  // The symmetric logarithm: linear near 0, within `unit`, and defined for negative values.
  function symmetric(unit) {
    return {
      to: function (value) { return value === null ? null : Math.sign(value) * Math.log10(1 + Math.abs(value) / unit); },
      from: function (place) { return Math.sign(place) * unit * (Math.pow(10, Math.abs(place)) - 1); },
      ticks: function (low, high) {
        const powers = [];
        for (let k = Math.ceil(Math.log10(unit)); k <= 15; k++) powers.push(Math.pow(10, k));
        const all = powers.map(function (p) { return -p; }).reverse().concat([0], powers);
        let shown = all.filter(function (v) { const at = this.to(v); return at >= low && at <= high; }, this);
        while (shown.length > 9) shown = shown.filter(function (v, i) { return v === 0 || i % 2 === 0; });
        return shown.map(function (v) { return { v: this.to(v), label: '' + +v.toPrecision(3) }; }, this);
      }
    };
  }

  // Makes a chart in `place` for data written by curves_json(); update(data) shows newer data.
  function makeChart(place, data) {
    const state = readState();
    if (!state.metric || data.metrics.indexOf(state.metric) < 0) state.metric = data.metrics[0];
    if (!data.group_values) state.mode = 'runs';  // every group has one run
    else if (state.mode !== 'runs') state.mode = 'groups';
    let graph = null;

    const metric = element('select', { ariaLabel: 'what is shown' });
    const mode = element('select', { ariaLabel: 'curves of' }, [
      element('option', { value: 'groups', textContent: 'mean, 95% interval (under 6 seeds: range)' }),
      element('option', { value: 'runs', textContent: 'each run' })]);
    const boxes = {};
    const switches = [['logx', 'log steps'], ['logy', 'log values'], ['reward', 'as reward']].map(function (pair) {
      boxes[pair[0]] = element('input', { type: 'checkbox', checked: state[pair[0]], id: 'box-' + pair[0] });
      return element('label', {}, [boxes[pair[0]], ' ' + pair[1]]);
    });
    const whole = element('button', { type: 'button', textContent: 'whole range' });
    const search = element('input', { type: 'search', placeholder: 'find curves: eta=0.1 !politex', ariaLabel: 'find curves',
      value: state.search, title: 'words, key=value, key<number, ! for not, | for or' });
    const all = element('button', { type: 'button', textContent: 'all', title: 'show every curve that is listed' });
    const none = element('button', { type: 'button', textContent: 'none', title: 'hide every curve that is listed' });
    const canvas = element('div', { className: 'chart' });
    const hover = element('div', { className: 'chart-hover' });
    const keys = element('div', { className: 'chart-keys' });
    const many = element('span', { className: 'row-count', role: 'status' });
    const missing = element('div', { className: 'chart-hover chart-missing' });
    place.replaceChildren(element('div', { className: 'chart-bar' }, [metric, mode].concat(switches, [whole])),
      canvas, hover, element('div', { className: 'chart-bar' }, [search, all, none, many]), keys, missing);

    function names() {
      return state.mode === 'groups' ? data.groups.map(function (group) { return group.label; }) : data.runs;
    }

    function isShown(name) { return state.on ? state.on.has(name) : !state.off.has(name); }
    function setShown(some, shown) {
      some.forEach(function (name) {
        if (state.on) { if (shown) state.on.add(name); else state.on.delete(name); return; }
        if (shown) state.off.delete(name); else state.off.add(name);
      });
      const every = names(), now = every.filter(isShown);
      if (now.length === every.length) { state.on = null; state.off.clear(); return; }
      const few = every.length > most_curves && now.length > 0 && 2 * now.length < every.length;
      state.on = few ? new Set(now) : null;
      state.off = few ? new Set() : new Set(every.filter(function (name) { return now.indexOf(name) < 0; }));
    }

    // Where nobody has chosen: all, or of very many those with the lowest last values.
    function choose() {
      const every = names();
      if (state.on || state.off.size || every.length <= most_curves) return;
      const shown = data.metrics.indexOf(state.metric);
      const last = every.map(function (name, i) {
        const curve = state.mode === 'groups' ? data.group_values[shown][i][0] : data.values[shown][i];
        for (let k = curve.length - 1; k >= 0; k--) if (curve[k] !== null) return [curve[k], name];
        return [Infinity, name];
      });
      last.sort(function (a, b) { return a[0] - b[0]; });
      state.on = new Set(last.slice(0, shown_of_many).map(function (pair) { return pair[1]; }));
    }

    // What "log values" does with values that are not positive: null where all are.
    function symmetry(table) {
      let least = Infinity, most = 0, negative = false;
      table.forEach(function (row) {
        row.slice(1).forEach(function (cell) {
          if (cell[1] === null) return;
          if (cell[0] <= 0) negative = true;
          if (cell[1] !== 0) least = Math.min(least, Math.abs(cell[1]));
          most = Math.max(most, Math.abs(cell[1]));
        });
      });
      if (!state.logy || !negative || !(most > 0)) return null;
      return symmetric(Math.pow(10, Math.floor(Math.log10(Math.max(least, most / 1e4)))));
    }
    let scale = null;  // of the picture: symmetry() of its rows

    function rows() {
      const table = plainRows();
      scale = symmetry(table);
      if (!scale) return table;
      return table.map(function (row) {
        return [row[0]].concat(row.slice(1).map(function (cell) { return cell.map(scale.to); }));
      });
    }

    function plainRows() {
      const shown = data.metrics.indexOf(state.metric);
      const sign = state.reward ? -1 : 1;
      if (state.mode === 'groups') {
        return data.group_steps.map(function (step, i) {
          return [step].concat(data.group_values[shown].map(function (curve) {
            return point(curve[0][i], curve[1][i], curve[2][i], sign);
          }));
        });
      }
      return data.steps.map(function (step, i) {
        return [step].concat(data.values[shown].map(function (curve) { return point(curve[i], null, null, sign); }));
      });
    }

    // With few seeds the intervals can be so wide that the curves look flat: then the intervals are clipped.
    function range(table) {
      const curves = names();
      let low = Infinity, high = -Infinity, least = Infinity, most = -Infinity;
      table.forEach(function (row) {
        row.slice(1).forEach(function (cell, i) {
          if (cell[1] === null || !isShown(curves[i])) return;
          low = Math.min(low, cell[1]);
          high = Math.max(high, cell[1]);
          least = Math.min(least, cell[0]);
          most = Math.max(most, cell[2]);
        });
      });
      const margin = Math.max(high - low, 1e-3 * Math.abs(high));
      if (state.logy || !(least < low - margin || most > high + margin)) return null;
      return [Math.max(least, low - margin), Math.min(most, high + margin)];
    }

    // The reader's zoom is kept while news comes in; of the values only until others are shown.
    let own = null;
    function valueRange(table) {
      const now = graph && graph.isZoomed('y') ? graph.yAxisRange() : null;
      if (now && !(own && now[0] === own[0] && now[1] === own[1])) return now;
      own = range(table);
      return own;
    }

    // A curve keeps its colour while the page is open, whatever else appears.
    const places = new Map();
    function look(name) {
      if (!places.has(name)) places.set(name, 1 + Math.max.apply(null, [-1].concat(Array.from(places.values()))));
      const i = places.get(name), k = i - looks.length;
      const own = k < 0 ? looks[i] : [further[k % further.length], dashes[Math.floor(k / further.length) % dashes.length]];
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      return { color: own[0] === 'ink' ? (dark ? '#e6e8eb' : '#000000') : own[0], dash: own[1] || null, wide: i === 8 };
    }

    // A new run can change the labels of groups: a group is known by its runs, and keeps its colour and whether it is shown.
    function follow(older, newer) {
      const before = new Map(), colour = [], hidden = [], renamed = [];
      older.groups.forEach(function (group) {
        group.runs.forEach(function (run) { before.set(older.runs[run], group.label); });
      });
      newer.groups.forEach(function (group) {
        const known = group.runs.map(function (run) { return before.get(newer.runs[run]); }).find(Boolean);
        if (!known || known === group.label) return;
        if (places.has(known)) colour.push([group.label, places.get(known)]);
        if (state.off.has(known)) hidden.push([known, group.label]);
        if (state.on && state.on.has(known)) renamed.push([known, group.label]);
      });
      colour.forEach(function (pair) { places.set(pair[0], pair[1]); });
      hidden.forEach(function (pair) { state.off.delete(pair[0]); });
      hidden.forEach(function (pair) { state.off.add(pair[1]); });
      renamed.forEach(function (pair) { state.on.delete(pair[0]); });
      renamed.forEach(function (pair) { state.on.add(pair[1]); });
    }

    // others: other values than before are shown, so that their range is another one.
    function draw(others) {
      const curves = names();
      const labels = ['steps'].concat(curves.map(function (name, i) { return i + ' ' + name; }));
      const series = {};
      curves.forEach(function (name, i) {
        const own = look(name);
        series[labels[i + 1]] = { color: own.color, strokePattern: own.dash, strokeWidth: own.wide ? 2.6 : 1.8 };
      });
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      const table = rows();
      const shown = graph && !others ? valueRange(table) : (own = range(table));
      const zoom = graph && graph.isZoomed('x') ? graph.xAxisRange() : null;
      if (graph) graph.destroy();
      graph = new Dygraph(canvas, table, {
        valueRange: shown, dateWindow: zoom,
        labels: labels, series: series, customBars: true, strokeWidth: 1.8, fillAlpha: 0.15, legend: 'never',
        visibility: curves.map(isShown),
        xlabel: 'environment steps', ylabel: escaped(state.metric.replace(/_/g, ' ')) + (state.reward ? ' (negated)' : ''),
        logscale: state.logy && !scale, connectSeparatedPoints: true, pointSize: 3, xRangePad: state.logx ? 0 : 6,
        axisLineColor: dark ? '#888' : '#666',
        gridLineColor: dark ? '#33383f' : '#e4e4e4', highlightCircleSize: 3,
        axes: { y: Object.assign({ axisLabelWidth: 64 },
          scale ? { ticker: function (low, high) { return scale.ticks(low, high); } } : {}), x: { logscale: state.logx, pixelsPerLabel: 60,
          axisLabelFormatter: function (x) { return x >= 1e6 ? +(x / 1e6).toPrecision(3) + 'M' : x >= 1e3 ? +(x / 1e3).toPrecision(3) + 'k' : '' + x; } } },
        highlightCallback: function (event, x, points) {
          const shown = points.filter(function (p) { return p.yval !== null && !isNaN(p.yval); }).slice(0, 12);
          hover.textContent = 'step ' + x + ':  ' + shown.map(function (p) {
            return p.name.replace(/^\d+ /, '') + ' ' + (scale ? scale.from(p.yval) : p.yval).toPrecision(4);
          }).join(';  ');
        },
        unhighlightCallback: function () { hover.textContent = ''; }
      });
      window.politexChart = graph;
    }

    // The line of a curve as it is drawn, so that dashes look different.
    function swatchOf(name) {
      const own = look(name);
      const swatch = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      Object.entries({ width: 30, height: 10, class: 'swatch', 'data-colour': own.color })
        .forEach(function (pair) { swatch.setAttribute(pair[0], pair[1]); });
      Object.entries({ x1: 0, x2: 30, y1: 5, y2: 5, stroke: own.color, 'stroke-width': own.wide ? 4 : 3,
        'stroke-dasharray': own.dash ? own.dash.join(' ') : 'none' })
        .forEach(function (pair) { line.setAttribute(pair[0], pair[1]); });
      swatch.append(line);
      return swatch;
    }

    function drawKeys() {
      const holds = listed();
      const every = names(), shown = every.filter(isShown).length;
      let count = 0;
      const labels = [];
      every.forEach(function (name, i) {
        if (every.length > most_keys && !holds(name)) return;
        if (++count > most_keys) return;
        const box = element('input', { type: 'checkbox', checked: isShown(name) });
        box.addEventListener('change', function () {
          setShown([name], box.checked);
          graph.updateOptions({ valueRange: valueRange(rows()) }, true);
          graph.setVisibility(i, box.checked);
          writeState(state);
          say();
        });
        const only = element('button', { type: 'button', className: 'only', ariaLabel: 'only ' + name, title: 'hide the others' });
        only.addEventListener('click', function (event) {
          event.preventDefault();
          state.off = new Set();
          state.on = new Set([name]);
          shownChanged();
        });
        labels.push(element('label', { className: 'key', title: name, hidden: !holds(name) }, [box, swatchOf(name), name, only]));
      });
      if (count > most_keys)
        labels.push(element('span', { className: 'row-count', textContent: 'and ' + (count - most_keys) + ' more: find them by words' }));
      const held = keys.contains(document.activeElement) ? document.activeElement : null, top = keys.scrollTop;
      const name = held && held.closest('.key').title, kind = held && held.tagName;
      keys.replaceChildren.apply(keys, labels);
      keys.scrollTop = top;
      const again = held && labels.find(function (label) { return label.title === name; });
      if (again) again.querySelector(kind).focus({ preventScroll: true });
      say();
    }

    function say() {
      const every = names(), shown = every.filter(isShown).length;
      many.textContent = shown === every.length ? '' : shown + ' of ' + every.length + ' curves';
    }

    function listed() {
      const holds = view.expression(search.value);
      return function (name) { return !search.value || holds({ text: name, fields: view.fieldsIn(name) }); };
    }

    function shownChanged() {
      writeState(state);
      draw();
      drawKeys();
    }

    function fill() {
      metric.replaceChildren.apply(metric, data.metrics.map(function (name) {
        return element('option', { value: name, textContent: name.replace(/_/g, ' '), selected: name === state.metric });
      }));
      mode.value = state.mode;
      mode.hidden = !data.group_values;
      const absent = data.left_out || [];
      missing.hidden = !absent.length;
      missing.textContent = 'Not included, to keep the page small: ' + absent.join(', ').replace(/_/g, ' ') +
        '. Report fewer runs at a time to see them.';
    }

    metric.addEventListener('change', function () { state.metric = metric.value; writeState(state); draw(true); });
    mode.addEventListener('change', function () {
      state.mode = mode.value;
      state.off.clear();
      state.on = null;
      choose();
      writeState(state);
      draw(true);
      drawKeys();
    });
    Object.keys(boxes).forEach(function (name) {
      boxes[name].addEventListener('change', function () { state[name] = boxes[name].checked; writeState(state); draw(true); });
    });
    search.addEventListener('input', function () { state.search = search.value; writeState(state); drawKeys(); });
    all.addEventListener('click', function () {
      setShown(names().filter(listed()), true);
      shownChanged();
    });
    none.addEventListener('click', function () {
      setShown(names().filter(listed()), false);
      shownChanged();
    });
    whole.addEventListener('click', function () { graph.resetZoom(); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    choose();
    fill();
    draw();
    drawKeys();
    function curveOf(list, key) {
      return list.find(function (name) { return name === key || name.indexOf(key + ' (') === 0; });
    }
    function groupNames() { return data.group_values ? data.groups.map(function (group) { return group.label; }) : []; }
    return {
      has: function (key) { return Boolean(curveOf(groupNames(), key) || curveOf(data.runs, key)); },
      // Shows the curves of these groups or runs and no others.
      only: function (some) {
        const groups = some.map(function (key) { return curveOf(groupNames(), key); }).filter(Boolean);
        state.mode = groups.length ? 'groups' : 'runs';
        state.off = new Set();
        state.on = new Set(groups.length ? groups : some.map(function (key) { return curveOf(data.runs, key); }).filter(Boolean));
        fill();
        shownChanged();
        place.scrollIntoView({ block: 'nearest' });
      },
      update: function (newer) {
        const same = JSON.stringify([data.metrics, data.runs, data.groups]) ===
          JSON.stringify([newer.metrics, newer.runs, newer.groups]);
        follow(data, newer);
        data = newer;
        if (same) {
          const table = rows();
          graph.updateOptions({ file: table, valueRange: valueRange(table) });
          return;
        }
        if (data.metrics.indexOf(state.metric) < 0) state.metric = data.metrics[0];
        if (!data.group_values) state.mode = 'runs';
        fill();
        draw();
        drawKeys();
      }
    };
  }

  window.politexMakeChart = makeChart;
  const embedded = document.getElementById('data');
  if (embedded) {
    const data = JSON.parse(embedded.textContent);
    view.makeTables(data.steps.length ? makeChart(document.getElementById('curves'), data) : null);
  }
})();
