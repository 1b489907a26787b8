// The live dashboard: the table of runs and their curves, updated by server-sent events.
'use strict';
(function () {
  const connection = document.getElementById('connection');
  const table = document.getElementById('runs');
  const place = document.getElementById('curves');
  const kinds = { done: 'good', running: '', stopped: 'mixed', failed: 'bad' };
  let chart = null;

  function cell(name, content) {
    const made = document.createElement(name);
    if (typeof content === 'string') made.textContent = content; else made.append(content);
    return made;
  }

  function row(run) {
    const link = cell('a', run.name);
    link.href = '/report/' + run.name.split('/').map(encodeURIComponent).join('/');
    const state = cell('span', run.state);
    state.className = 'badge ' + kinds[run.state];
    state.title = run.why;
    const made = document.createElement('tr');
    made.append(cell('th', link), cell('td', state),
      cell('td', (run.steps === null ? 0 : run.steps).toLocaleString('en') + ' of ' + Number(run.of).toLocaleString('en')),
      cell('td', run.average_cost === null ? '–' : run.average_cost.toFixed(4)),
      cell('td', run.environment), cell('td', run.algorithm), cell('td', run.seed));
    return made;
  }

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
      table.replaceChildren.apply(table, runs.map(row));
    });
    events.addEventListener('curves', function (event) {
      const data = JSON.parse(event.data);
      if (!data.steps.length) return;
      if (chart) chart.update(data); else chart = window.politexMakeChart(place, data);
    });
  }
  listen();
})();
