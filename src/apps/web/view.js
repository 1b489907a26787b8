// What report and dashboard share: the view in the address, expressions that choose rows and curves, and tables that are
// sorted, searched, grouped, pinned and compared.
'use strict';
(function () {
  function element(name, properties, children) {
    const made = Object.assign(document.createElement(name), properties || {});
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }

  // The view is in the address (#metric=regret&off=a%2Fseed_2&logx&find=eta%3D0.1), so that a link shows the same. Every
  // part of the page changes its own words only.
  const address = {
    words: function () { return new URLSearchParams(location.hash.slice(1)); },
    get: function (name) { return address.words().get(name); },
    all: function (name) { return address.words().getAll(name); },
    has: function (name) { return address.words().has(name); },
    // value: a text, a list of texts, true (the name alone), or null (nothing).
    set: function (changes) {
      const words = address.words();
      Object.keys(changes).forEach(function (name) {
        words.delete(name);
        const value = changes[name];
        if (value === null || value === false || value === '') return;
        (Array.isArray(value) ? value : [value]).forEach(function (one) { words.append(name, one === true ? '' : one); });
      });
      const parts = [];
      words.forEach(function (value, name) { parts.push(value === '' ? name : name + '=' + encodeURIComponent(value)); });
      history.replaceState(null, '', parts.length ? '#' + parts.join('&') : location.pathname + location.search);
    }
  };

  // A long name, which may be broken after these signs.
  function breakable(name) {
    const parts = [];
    name.split(/([,:=/])/).forEach(function (part) {
      parts.push(part);
      if (/^[,:=/]$/.test(part)) parts.push(element('wbr'));
    });
    return parts;
  }

  function number(text) {
    const found = text.replace('\u2212', '-').match(/^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[-+]?\d+)?/i);
    return found ? Number(found[0].replace(/,/g, '')) : NaN;
  }

  // An expression: words that a row has, key=value (also !=, <, <=, >, >=, and ~ for a part), "!" for not, "|" for or.
  //   eta=0.1,0.2 cost<-1.2 !failed        algorithm=politex | env~lake
  // fields: "algorithm.eta" -> "0.1". A key is a field's name, its last word, or how one of them begins.
  function fieldOf(fields, key) {
    const names = Object.keys(fields);
    return names.find(function (name) { return name.toLowerCase() === key; }) ||
      names.find(function (name) { return name.toLowerCase().split('.').pop() === key; }) ||
      names.find(function (name) { return name.toLowerCase().indexOf(key) === 0; }) ||
      names.find(function (name) { return name.toLowerCase().split(/[._]/).pop().indexOf(key) === 0; });
  }

  function compare(value, sign, wanted) {
    const text = value.toLowerCase();
    if (sign === '~') return text.indexOf(wanted) >= 0;
    const one = number(value.trim()), other = number(wanted);
    if (sign === '=' || sign === '!=') {
      const equal = wanted.split(',').some(function (each) {
        return text === each || (number(each) === one && !isNaN(one) && /^[-+.\de\u2212]+$/i.test(value.trim()));
      });
      return equal === (sign === '=');
    }
    return { '<': one < other, '>': one > other, '<=': one <= other, '>=': one >= other }[sign];
  }

  function condition(word) {
    const not = word[0] === '!' && word.length > 1;
    const body = not ? word.slice(1) : word;
    const parts = body.match(/^([^<>=!~]+)(<=|>=|!=|=|<|>|~)(.+)$/);
    return function (row) {
      let holds;
      const field = parts && fieldOf(row.fields, parts[1]);
      if (field !== undefined && field !== null) holds = compare(String(row.fields[field]), parts[2], parts[3]);
      else holds = row.text.toLowerCase().indexOf(body.replace(/"/g, '')) >= 0;
      return holds !== not;
    };
  }

  // A function of rows {text, fields}.
  function expression(query) {
    const either = query.toLowerCase().split('|').map(function (part) {
      return (part.match(/[^\s"]*"[^"]*"|\S+/g) || []).map(condition);
    });
    return function (row) {
      return either.some(function (all) { return all.every(function (holds) { return holds(row); }); });
    };
  }

  // "environment.size=10, eta = 0.1" in a name: fields to choose by.
  function fieldsIn(text) {
    const fields = {};
    const pattern = /([A-Za-z_][\w.]*) ?= ?("[^"]*"|[^\s,;\/()]+)/g;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) fields[found[1]] = found[2].replace(/"|:$/g, '');
    return fields;
  }

  // --- tables ---

  const most_rows = 120;  // of a long table that are in the page at once

  // A table with the bar above it. options:
  //   columns  [{name, text(row), number(row)}], in the order of the headings
  //   row(row)           makes or returns its <tr>
  //   key(row)           its name in the address and in pins
  //   groups             {word: function of a row}, what the rows can be grouped by
  //   curves(keys)       shows only these curves; optional
  //   word               of its part of the address
  // show(rows) shows other rows. Only the rows in sight are in the page, and a row that stays the same is not made again.
  function makeTable(table, options) {
    const body = table.tBodies[0], headings = Array.from(table.tHead.rows[0].cells);
    const prefix = options.word ? options.word + '.' : '';
    const state = {
      find: address.get(prefix + 'find') || '', group: address.get(prefix + 'group') || '',
      sort: address.get(prefix + 'sort') || '', pins: new Set(address.all(prefix + 'pin')), closed: new Set()
    };
    if (!options.groups[state.group]) state.group = '';
    let rows = [], listed = [];
    const scroll = table.parentElement;

    const find = element('input', { type: 'search', className: 'find-rows', value: state.find,
      placeholder: options.placeholder || 'find rows: eta=0.1 mean<-1.2 !politex', ariaLabel: 'find rows',
      title: 'words, key=value, key<number, ~ for a part, ! for not, | for or' });
    const group = element('select', { ariaLabel: 'group by', className: 'group-rows' },
      [element('option', { value: '', textContent: 'not grouped' })].concat(Object.keys(options.groups).map(function (word) {
        return element('option', { value: word, textContent: 'by ' + word });
      })));
    group.value = state.group;
    const count = element('span', { className: 'row-count', role: 'status' });
    const curves = element('button', { type: 'button', className: 'rows-curves', textContent: 'only these curves',
      title: 'show the curves of the listed rows and hide all others' });
    curves.hidden = !options.curves;
    const bar = element('div', { className: 'table-bar' }, [find, group, count, curves]);
    group.hidden = Object.keys(options.groups).length === 0;
    const compared = element('div', { className: 'compared', hidden: true });
    scroll.before(bar, compared);

    function save() {
      const changes = {};
      changes[prefix + 'find'] = state.find;
      changes[prefix + 'group'] = state.group;
      changes[prefix + 'sort'] = state.sort;
      changes[prefix + 'pin'] = Array.from(state.pins);
      address.set(changes);
    }

    function fieldsOf(row) {
      const fields = Object.assign({}, options.fields ? options.fields(row) : {});
      options.columns.forEach(function (column, i) {
        const name = column.name.trim().toLowerCase().replace(/\s+/g, '_');
        if (i > 0 && name && !(name in fields)) fields[name] = column.text(row);
      });
      return fields;
    }

    function sorted(all) {
      const parts = state.sort.match(/^(-?)(\d+)$/);
      const column = parts && options.columns[Number(parts[2])];
      if (!column) return all;
      const descending = parts[1] === '-';
      const keys = new Map(all.map(function (row) {
        return [row, [column.number ? column.number(row) : number(column.text(row).trim()), column.text(row)]];
      }));
      const numeric = all.some(function (row) { return !isNaN(keys.get(row)[0]); });
      return all.slice().sort(function (a, b) {
        const one = keys.get(a), other = keys.get(b);
        if (!numeric) return (descending ? -1 : 1) * one[1].localeCompare(other[1], undefined, { numeric: true });
        if (isNaN(one[0]) || isNaN(other[0])) return isNaN(one[0]) - isNaN(other[0]);  // what is unknown stays below
        return descending ? other[0] - one[0] : one[0] - other[0];
      });
    }

    // What is listed, top to bottom: pinned rows, then the others, under the heads of their groups.
    function arrange() {
      const holds = expression(state.find);
      const found = sorted(rows.filter(function (row) {
        return !state.find || holds({ text: options.columns.map(function (c) { return c.text(row); }).join(' '), fields: fieldsOf(row) });
      }));
      const pinned = sorted(rows.filter(function (row) { return state.pins.has(options.key(row)); }));
      const others = found.filter(function (row) { return !state.pins.has(options.key(row)); });
      listed = pinned.map(function (row) { return { row: row }; });
      const by = options.groups[state.group];
      if (by) {
        const parts = new Map();
        others.forEach(function (row) {
          const name = by(row) || 'none';
          if (!parts.has(name)) parts.set(name, []);
          parts.get(name).push(row);
        });
        parts.forEach(function (members, name) {
          listed.push({ head: name, count: members.length });
          if (!state.closed.has(name)) members.forEach(function (row) { listed.push({ row: row }); });
        });
      } else {
        others.forEach(function (row) { listed.push({ row: row }); });
      }
      const shown = pinned.length + others.length;
      count.textContent = shown === rows.length ? rows.length + ' rows' : shown + ' of ' + rows.length + ' rows';
      curves.disabled = shown === 0;
      headings.forEach(function (cell, i) {
        const own = state.sort === '' + i ? 'ascending' : state.sort === '-' + i ? 'descending' : null;
        if (own) cell.setAttribute('aria-sort', own); else cell.removeAttribute('aria-sort');
      });
      compareTwo(pinned);
    }

    function pinOf(row) {
      const on = state.pins.has(options.key(row));
      const button = element('button', { type: 'button', className: 'pin', title: on ? 'do not keep on top' : 'keep on top; two are compared',
        ariaLabel: (on ? 'unpin ' : 'pin ') + options.key(row), textContent: on ? '\u2605' : '\u2606' });
      button.setAttribute('aria-pressed', String(on));
      button.addEventListener('click', function (event) {
        event.preventDefault();
        const key = options.key(row);
        if (state.pins.has(key)) state.pins.delete(key); else state.pins.add(key);
        save();
        draw();
        const again = table.querySelector('.pin[aria-label$=' + JSON.stringify(' ' + key) + ']');
        if (again) again.focus();
      });
      return button;
    }

    // One <tr> per listed line. It is made once and then changed, so that selection and focus survive news.
    const made = new Map();
    function lineOf(line) {
      const key = line.head !== undefined ? 'group ' + line.head : 'row ' + options.key(line.row);
      let tr = made.get(key);
      if (line.head !== undefined) {
        if (!tr) {
          const toggle = element('button', { type: 'button', className: 'group-head' });
          toggle.addEventListener('click', function () {
            if (state.closed.has(line.head)) state.closed.delete(line.head); else state.closed.add(line.head);
            draw();
          });
          tr = element('tr', { className: 'group' }, [element('td', { colSpan: headings.length }, [toggle])]);
          made.set(key, tr);
        }
        const closed = state.closed.has(line.head), words = (closed ? '\u25b8 ' : '\u25be ') + state.group + ' ' + line.head + ' (' + line.count + ')';
        const toggle = tr.querySelector('button');
        if (toggle.textContent !== words) toggle.textContent = words;
        toggle.setAttribute('aria-expanded', String(!closed));
        return tr;
      }
      if (!tr) {
        tr = options.row(line.row);
        tr.cells[0].prepend(pinOf(line.row));
        Array.from(tr.cells).forEach(function (cell, i) { cell.dataset.label = headings[i] ? headings[i].textContent.trim() : ''; });
        made.set(key, tr);
      } else if (options.update) {
        options.update(tr, line.row);
      }
      const on = state.pins.has(options.key(line.row)), pin = tr.querySelector('.pin');
      if ((pin.getAttribute('aria-pressed') === 'true') !== on) pin.replaceWith(pinOf(line.row));
      tr.classList.toggle('pinned', on);
      return tr;
    }

    // Long tables have a window of their own, and only what is near it is in the page.
    let height = 34;  // of a row, as measured
    function draw() {
      arrange();
      const long = listed.length > most_rows;
      scroll.classList.toggle('long', long);
      place();
    }

    function space(lines) {
      if (lines <= 0) return [];
      const cell = element('td', { colSpan: headings.length });
      cell.style.height = lines * height + 'px';
      return [element('tr', { className: 'space', ariaHidden: 'true' }, [cell])];
    }

    function place(all) {
      let first = 0, last = listed.length;
      if (listed.length > most_rows && !all) {
        const top = Math.max(0, scroll.scrollTop);
        first = Math.max(0, Math.floor(top / height) - 30);
        last = Math.min(listed.length, Math.max(first + most_rows, Math.ceil((top + scroll.clientHeight) / height) + 30));
      }
      const wanted = space(first).concat(listed.slice(first, last).map(lineOf), space(listed.length - last));
      // Rows that stay are not moved: moving one would take focus and selection from it.
      let at = body.firstChild;
      wanted.forEach(function (tr) {
        if (tr === at) { at = at.nextSibling; return; }
        if (at && wanted.indexOf(at) < 0 && at.nextSibling === tr) { at.remove(); at = tr.nextSibling; return; }
        body.insertBefore(tr, at);
      });
      while (at) { const next = at.nextSibling; at.remove(); at = next; }
      if (listed.length > most_rows && !all) {
        const some = Array.from(body.rows).filter(function (tr) { return tr.className.indexOf('space') < 0; });
        if (some.length) {
          const measured = (some[some.length - 1].getBoundingClientRect().bottom - some[0].getBoundingClientRect().top) / some.length;
          if (measured > 4) height = measured;
        }
      }
    }

    // Two pinned rows side by side: what differs, and by how much.
    function compareTwo(pinned) {
      compared.hidden = pinned.length !== 2;
      if (pinned.length !== 2) return;
      const a = fieldsOf(pinned[0]), b = fieldsOf(pinned[1]);
      const names = Object.keys(a).concat(Object.keys(b).filter(function (name) { return !(name in a); }));
      const lines = names.filter(function (name) { return a[name] !== b[name]; }).map(function (name) {
        const one = a[name] === undefined ? '\u2013' : String(a[name]), other = b[name] === undefined ? '\u2013' : String(b[name]);
        const x = number(one.trim()), y = number(other.trim());
        const difference = isNaN(x) || isNaN(y) ? '' : (y > x ? '+' : '\u2212') + Math.abs(Number((y - x).toPrecision(4)));
        return element('tr', {}, [element('th', { textContent: name.replace(/_/g, ' ') }), element('td', { textContent: one }),
          element('td', { textContent: other }), element('td', { textContent: difference })]);
      });
      const only = element('button', { type: 'button', textContent: 'only these two curves' });
      only.hidden = !options.curves;
      only.addEventListener('click', function () { options.curves(pinned.map(options.key)); });
      const head = element('tr', {}, ['', options.key(pinned[0]), options.key(pinned[1]), 'second less first'].map(function (words) {
        return element('th', {}, breakable(words));
      }));
      compared.replaceChildren(element('div', { className: 'scroll' }, [element('table', {}, [element('thead', {}, [head]),
        element('tbody', {}, lines)])]), only);
    }

    headings.forEach(function (cell, column) {
      cell.tabIndex = 0;
      cell.setAttribute('role', 'button');
      function click() {
        state.sort = state.sort === '' + column ? '-' + column : '' + column;
        save();
        draw();
      }
      cell.addEventListener('click', click);
      cell.addEventListener('keydown', function (event) { if (event.key === 'Enter') click(); });
    });
    find.addEventListener('input', function () { state.find = find.value; save(); scroll.scrollTop = 0; draw(); });
    group.addEventListener('change', function () { state.group = group.value; state.closed.clear(); save(); draw(); });
    curves.addEventListener('click', function () {
      options.curves(listed.filter(function (line) { return line.row; }).map(function (line) { return options.key(line.row); }));
    });
    let waiting = false;
    scroll.addEventListener('scroll', function () {
      if (waiting || listed.length <= most_rows) return;
      waiting = true;
      requestAnimationFrame(function () { waiting = false; place(); });
    });
    window.addEventListener('beforeprint', function () { place(true); });
    window.addEventListener('afterprint', function () { place(); });
    return { show: function (newer) { rows = newer; draw(); } };
  }

  window.politexView = { makeTables: makeTables, address: address, expression: expression, fieldsIn: fieldsIn, element: element, breakable: breakable,
    makeTable: makeTable, number: number };

  // The tables of a report. On a phone each row is a card. `chart` (or null) has the curves that rows can show alone.
  function makeTables(chart) {
    let named = 0;
    document.querySelectorAll('.scroll > table').forEach(function (table) {
      if (!table.tHead || !table.tBodies.length || table.id) return;
      const headings = Array.from(table.tHead.rows[0].cells), rows = Array.from(table.tBodies[0].rows);
      rows.forEach(function (row) {
        Array.from(row.cells).forEach(function (cell, i) { cell.dataset.label = headings[i] ? headings[i].textContent : ''; });
      });
      table.classList.add('cards');
      table.classList.toggle('wide', headings.length > 6);  // intervals below their means
      if (rows.length < 2) return;
      named += 1;
      const texts = new Map(rows.map(function (row) {
        return [row, Array.from(row.cells).map(function (cell) { return cell.textContent; })];
      }));
      const columns = headings.map(function (cell, i) {
        return { name: cell.textContent, text: function (row) { return texts.get(row)[i] || ''; } };
      });
      const name = columns[0].text;
      const fields = new Map(rows.map(function (row) { return [row, fieldsIn(name(row))]; }));
      const groups = {};
      const varying = new Map();
      fields.forEach(function (own) {
        Object.keys(own).forEach(function (key) {
          if (!varying.has(key)) varying.set(key, new Set());
          varying.get(key).add(own[key]);
        });
      });
      varying.forEach(function (values, key) {
        if (values.size > 1 && values.size < rows.length) groups[key] = function (row) { return fields.get(row)[key] || ''; };
      });
      const first = new Set(rows.map(function (row) { return name(row).split(/[:,]/)[0]; }));
      if (first.size > 1 && first.size < rows.length) groups['first word'] = function (row) { return name(row).split(/[:,]/)[0]; };
      const shown = makeTable(table, {
        columns: columns, row: function (row) { return row; }, key: name, groups: groups, fixed: true,
        fields: function (row) { return fields.get(row); }, word: 't' + named,
        curves: chart && rows.some(function (row) { return chart.has(name(row)); }) ? chart.only : null
      });
      const bar = table.parentElement.previousElementSibling.previousElementSibling;
      if (rows.length < 8 && bar) bar.hidden = true;
      shown.show(rows);
    });
  }
})();
