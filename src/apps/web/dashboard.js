// The live dashboard: the table of runs and their curves, updated by server-sent events.
'use strict';
(function () {
  const view = window.politexView, element = view.element;
  const connection = document.getElementById('connection');
  const place = document.getElementById('curves');
  const kinds = { done: 'good', running: '', stopped: 'mixed', failed: 'bad' };
  let chart = null;

  // The answer first: the best setting of each environment among finished runs, with the command that runs it. It is made
  // again only where it changes, so that a command can be selected and copied.
  const best = element('div', { className: 'best' });
  place.before(best);
  let named = '[]';
  function nameBest(all) {
    if (JSON.stringify(all) === named) return;
    named = JSON.stringify(all);
    const open = Array.from(best.querySelectorAll('details')).some(function (one) { return one.open; });
    best.replaceChildren.apply(best, all.map(function (one) {
      const words = element('p', {}, [element('strong', { textContent: 'Best setting: ' }), one.text + '. ']);
      if (one.tied) words.append(element('small', { textContent: 'The intervals do not separate it from the next.' }));
      return element('div', {}, [words, element('details', { open: open }, [element('summary', { textContent: 'the command that runs it' }),
        element('pre', {}, [element('code', { textContent: one.command })])])]);
    }));
  }

  // What the row of a run shows. A number is what the column is sorted by.
  const columns = [
    { name: 'run', text: function (run) { return run.name; } },
    { name: 'state', text: function (run) { return run.state; } },
    { name: 'steps', text: function (run) { return (run.steps === null ? 0 : run.steps).toLocaleString('en') + ' of ' + Number(run.of).toLocaleString('en'); },
      number: function (run) { return run.steps === null ? 0 : run.steps; } },
    { name: 'average cost', text: function (run) { return run.average_cost === null ? '–' : run.average_cost.toFixed(4); },
      number: function (run) { return run.average_cost === null ? NaN : run.average_cost; } },
    { name: 'environment', text: function (run) { return run.environment; } },
    { name: 'algorithm', text: function (run) { return run.algorithm; } },
    { name: 'seed', text: function (run) { return run.seed; }, number: function (run) { return Number(run.seed); } }
  ];

  function fill(tr, run) {
    const link = tr.querySelector('a'), badge = tr.querySelector('.badge');
    if (link.textContent !== run.name) link.replaceChildren.apply(link, view.breakable(run.name));
    if (badge.textContent !== run.state) {
      badge.textContent = run.state;
      badge.className = 'badge ' + kinds[run.state];
    }
    badge.title = run.why;
    columns.slice(2).forEach(function (column, i) {
      const cell = tr.cells[i + 2], words = column.text(run);
      if (cell.textContent !== words) cell.textContent = words;
    });
  }

  document.getElementById('runs-table').classList.add('cards');
  const table = view.makeTable(document.getElementById('runs-table'), {
    columns: columns, placeholder: 'find runs: eta=0.1 cost<-1.2 !failed',
    key: function (run) { return run.name; },
    fields: function (run) {
      return Object.assign({ 'environment.name': run.environment, 'algorithm.name': run.algorithm, steps: String(run.steps),
        average_cost: run.average_cost === null ? '' : String(run.average_cost) },
      run.settings);
    },
    groups: {
      sweep: function (run) { return run.name.replace(/(^|\/)(runs\/)?[^/]*$/, '') || 'single runs'; },
      environment: function (run) { return run.environment; },
      algorithm: function (run) { return run.algorithm; },
      state: function (run) { return run.state; }
    },
    row: function (run) {
      const link = element('a', { href: '/report/' + run.name.split('/').map(encodeURIComponent).join('/') });
      const tr = element('tr', {}, [element('th', {}, [link]), element('td', {}, [element('span')])]);
      tr.querySelector('span').className = 'badge';
      columns.slice(2).forEach(function () { tr.append(document.createElement('td')); });
      fill(tr, run);
      return tr;
    },
    update: fill,
    curves: function (names) { if (chart) chart.only(names); }
  });

  // seed=2 before seed=10
  const order = new Intl.Collator('en', { numeric: true });
  function inOrder(a, b) { return order.compare(a.name, b.name); }

  function listen() {
    const events = new EventSource('/events');
    events.addEventListener('open', function () { connection.textContent = 'live'; });
    events.addEventListener('error', function () {
      connection.textContent = 'connection lost; reconnecting …';
      // The browser reconnects by itself unless the server sent an error, e.g. for too many streams.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
    });
    events.addEventListener('runs', function (event) {
      const runs = JSON.parse(event.data);
      const running = runs.filter(function (run) { return run.state === 'running'; }).length;
      connection.textContent = 'live: ' + runs.length + ' runs, ' + running + ' running';
      table.show(runs.sort(inOrder));
    });
    events.addEventListener('curves', function (event) {
      const data = JSON.parse(event.data);
      nameBest(data.best || []);
      if (!data.steps.length) return;
      if (chart) chart.update(data); else chart = window.politexMakeChart(place, data);
    });
  }
  listen();
})();
