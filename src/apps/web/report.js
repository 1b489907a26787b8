// The chart of a report: curves of one metric, of groups (mean over seeds with its interval) or of single runs.
// The state of the view is in the address (#metric=regret&mode=runs&off=a%2Fseed_2&logx&logy&reward), so it can be shared;
// curves are known by their names, because their positions change when a run appears.
'use strict';
(function () {
  const colours = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#7F7F7F'];
  const dashes = [null, [7, 4], [2, 3], [9, 3, 2, 3]];

  function element(name, properties, children) {
    const made = Object.assign(document.createElement(name), properties || {});
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }

  function readState() {
    const words = new URLSearchParams(location.hash.slice(1));
    return {
      metric: words.get('metric'), mode: words.get('mode'), logx: words.has('logx'), logy: words.has('logy'),
      reward: words.has('reward'), off: new Set(words.getAll('off'))
    };
  }

  function writeState(state) {
    const parts = ['metric=' + encodeURIComponent(state.metric), 'mode=' + state.mode];
    ['logx', 'logy', 'reward'].forEach(function (name) { if (state[name]) parts.push(name); });
    state.off.forEach(function (name) { parts.push('off=' + encodeURIComponent(name)); });
    history.replaceState(null, '', '#' + parts.join('&'));
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
      element('option', { value: 'groups', textContent: 'mean over seeds, 95% interval (fewer than 6 seeds: their range)' }),
      element('option', { value: 'runs', textContent: 'each run' })]);
    const boxes = {};
    const switches = [['logx', 'log steps'], ['logy', 'log values'], ['reward', 'as reward']].map(function (pair) {
      boxes[pair[0]] = element('input', { type: 'checkbox', checked: state[pair[0]], id: 'box-' + pair[0] });
      return element('label', {}, [boxes[pair[0]], ' ' + pair[1]]);
    });
    const whole = element('button', { type: 'button', textContent: 'whole range' });
    const search = element('input', { type: 'search', placeholder: 'find curves', ariaLabel: 'find curves' });
    const all = element('button', { type: 'button', textContent: 'all', title: 'show every curve that is listed' });
    const none = element('button', { type: 'button', textContent: 'none', title: 'hide every curve that is listed' });
    const canvas = element('div', { className: 'chart' });
    const hover = element('div', { className: 'chart-hover' });
    const keys = element('div', { className: 'chart-keys' });
    const missing = element('div', { className: 'chart-hover chart-missing' });
    place.replaceChildren(element('div', { className: 'chart-bar' }, [metric, mode].concat(switches, [whole])),
      canvas, hover, element('div', { className: 'chart-bar' }, [search, all, none]), keys, missing);

    function names() {
      return state.mode === 'groups' ? data.groups.map(function (group) { return group.label; }) : data.runs;
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
          if (cell[1] === null || state.off.has(curves[i])) return;
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

    // A curve keeps its colour while the page is open, whatever else appears.
    const places = new Map();
    function look(name) {
      if (!places.has(name)) places.set(name, 1 + Math.max.apply(null, [-1].concat(Array.from(places.values()))));
      const i = places.get(name);
      return { color: colours[i % colours.length], dash: dashes[Math.floor(i / colours.length) % dashes.length] };
    }

    // A new run can change the labels of groups: a group is known by its runs, and keeps its colour and whether it is shown.
    function follow(older, newer) {
      const before = new Map(), colour = [], hidden = [];
      older.groups.forEach(function (group) {
        group.runs.forEach(function (run) { before.set(older.runs[run], group.label); });
      });
      newer.groups.forEach(function (group) {
        const known = group.runs.map(function (run) { return before.get(newer.runs[run]); }).find(Boolean);
        if (!known || known === group.label) return;
        if (places.has(known)) colour.push([group.label, places.get(known)]);
        if (state.off.has(known)) hidden.push([known, group.label]);
      });
      colour.forEach(function (pair) { places.set(pair[0], pair[1]); });
      hidden.forEach(function (pair) { state.off.delete(pair[0]); });
      hidden.forEach(function (pair) { state.off.add(pair[1]); });
    }

    function draw() {
      const curves = names();
      const labels = ['steps'].concat(curves.map(function (name, i) { return i + ' ' + name; }));
      const series = {};
      curves.forEach(function (name, i) {
        series[labels[i + 1]] = { color: look(name).color, strokePattern: look(name).dash };
      });
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      if (graph) graph.destroy();
      const table = rows();
      graph = new Dygraph(canvas, table, {
        valueRange: range(table),
        labels: labels, series: series, customBars: true, strokeWidth: 1.8, fillAlpha: 0.15, legend: 'never',
        visibility: curves.map(function (name) { return !state.off.has(name); }),
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

    function drawKeys() {
      keys.replaceChildren.apply(keys, names().map(function (name, i) {
        const box = element('input', { type: 'checkbox', checked: !state.off.has(name) });
        box.addEventListener('change', function () {
          if (box.checked) state.off.delete(name); else state.off.add(name);
          graph.updateOptions({ valueRange: range(rows()) }, true);
          graph.setVisibility(i, box.checked);
          writeState(state);
        });
        const swatch = element('span', { className: 'swatch' });
        swatch.style.borderTopColor = look(name).color;
        swatch.style.borderTopStyle = look(name).dash ? 'dashed' : 'solid';
        const only = element('button', { type: 'button', className: 'only', ariaLabel: 'only ' + name, title: 'hide the others' });
        only.addEventListener('click', function (event) {
          event.preventDefault();
          state.off = new Set(names().filter(function (other) { return other !== name; }));
          shownChanged();
        });
        return element('label', { className: 'key', title: name, hidden: !listed(name) }, [box, swatch, name, only]);
      }));
    }

    function listed(name) {
      return search.value.toLowerCase().split(/\s+/).every(function (word) { return name.toLowerCase().indexOf(word) >= 0; });
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

    metric.addEventListener('change', function () { state.metric = metric.value; writeState(state); draw(); });
    mode.addEventListener('change', function () {
      state.mode = mode.value;
      state.off.clear();
      writeState(state);
      draw();
      drawKeys();
    });
    Object.keys(boxes).forEach(function (name) {
      boxes[name].addEventListener('change', function () { state[name] = boxes[name].checked; writeState(state); draw(); });
    });
    search.addEventListener('input', drawKeys);
    all.addEventListener('click', function () {
      names().filter(listed).forEach(function (name) { state.off.delete(name); });
      shownChanged();
    });
    none.addEventListener('click', function () {
      names().filter(listed).forEach(function (name) { state.off.add(name); });
      shownChanged();
    });
    whole.addEventListener('click', function () { graph.resetZoom(); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    fill();
    draw();
    drawKeys();
    return {
      update: function (newer) {
        const same = JSON.stringify([data.metrics, data.runs, data.groups]) ===
          JSON.stringify([newer.metrics, newer.runs, newer.groups]);
        follow(data, newer);
        data = newer;
        if (same) {
          const table = rows();
          graph.updateOptions({ file: table, valueRange: range(table) });
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
    if (data.steps.length) makeChart(document.getElementById('curves'), data);
  }
})();

// The tables of a report: a click on a heading sorts, long tables get a search box, and on a phone each row is a card.
(function () {
  function number(text) {
    const found = text.replace('\u2212', '-').match(/-?\d+(\.\d+)?(e[-+]?\d+)?/i);
    return found && /^[-\u2212\d]/.test(text.trim()) ? Number(found[0]) : NaN;
  }

  function text(row, column) { return row.cells[column] ? row.cells[column].textContent : ''; }

  function sort(table, column, descending) {
    const rows = Array.from(table.tBodies[0].rows);
    const numeric = rows.some(function (row) { return !isNaN(number(text(row, column))); });
    rows.sort(function (a, b) {
      const one = text(a, column), other = text(b, column);
      if (!numeric) return (descending ? -1 : 1) * one.localeCompare(other, undefined, { numeric: true });
      const x = number(one), y = number(other);
      if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);  // what is unknown stays below
      return descending ? y - x : x - y;
    });
    table.tBodies[0].append.apply(table.tBodies[0], rows);
  }

  // "eta=0.1 mean<-1.2 !politex": words that a row has or (!) has not, and columns compared with numbers.
  function matches(row, names, query) {
    const all = row.textContent.toLowerCase();
    return query.toLowerCase().split(/\s+/).filter(Boolean).every(function (word) {
      const parts = word.match(/^(.+?)(<=|>=|<|>)(-?[\d.]+(?:e[-+]?\d+)?)$/);
      const column = parts ? names.findIndex(function (name) { return name.indexOf(parts[1]) === 0; }) : -1;
      if (column >= 0) {
        const value = number(text(row, column)), limit = Number(parts[3]);
        return { '<': value < limit, '>': value > limit, '<=': value <= limit, '>=': value >= limit }[parts[2]];
      }
      return word[0] === '!' ? word.length === 1 || all.indexOf(word.slice(1)) < 0 : all.indexOf(word) >= 0;
    });
  }

  document.querySelectorAll('.scroll > table').forEach(function (table) {
    if (!table.tHead || !table.tBodies.length) return;
    const headings = Array.from(table.tHead.rows[0].cells), rows = Array.from(table.tBodies[0].rows);
    const names = headings.map(function (cell) { return cell.textContent.trim().toLowerCase().replace(/\s+/g, '_'); });
    rows.forEach(function (row) {
      Array.from(row.cells).forEach(function (cell, i) { cell.dataset.label = headings[i] ? headings[i].textContent : ''; });
    });
    table.classList.add('cards');
    table.classList.toggle('wide', headings.length > 6);  // intervals below their means
    if (rows.length < 2) return;
    headings.forEach(function (cell, column) {
      cell.tabIndex = 0;
      cell.setAttribute('role', 'button');
      function click() {
        const descending = cell.getAttribute('aria-sort') === 'ascending';
        headings.forEach(function (other) { other.removeAttribute('aria-sort'); });
        cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
        sort(table, column, descending);
      }
      cell.addEventListener('click', click);
      cell.addEventListener('keydown', function (event) { if (event.key === 'Enter') click(); });
    });
    if (rows.length < 8) return;
    const search = document.createElement('input');
    search.type = 'search';
    search.className = 'find-rows';
    search.placeholder = 'find rows: eta=0.1 mean<-1.2 !politex';
    search.setAttribute('aria-label', 'find rows');
    search.addEventListener('input', function () {
      rows.forEach(function (row) { row.hidden = !matches(row, names, search.value); });
    });
    table.parentElement.before(search);
  });
})();
