'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const AGO = 0, TOOK = 1, AGENT = 2, DIR = 3, LABEL = 4, CODE = 5, LINE = 6, CAUSE = 7;
  const runs = data.runs || [];
  const chosen = { agent: '', dir: '', label: '', result: '', days: '', text: '' };
  let listed = 100;

  // make returns an element. Texts are only ever text nodes.
  function make(name, attributes, ...children) {
    const svg = ['svg', 'g', 'circle', 'rect', 'line', 'text', 'title'].includes(name);
    const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key === 'on') { for (const [event, f] of Object.entries(value)) e.addEventListener(event, f); } else if (value !== undefined) e.setAttribute(key, value);
    }
    e.append(...children.flat().filter(c => c !== undefined && c !== null).map(c => c instanceof Node ? c : document.createTextNode(String(c))));
    return e;
  }
  const number = n => Math.round(n).toLocaleString('en');
  function spent(ms) {
    if (ms < 1000) return Math.round(ms) + ' ms';
    if (ms < 60e3) return (ms / 1000).toFixed(1) + ' s';
    if (ms < 3600e3) return Math.floor(ms / 60e3) + ' min ' + Math.round(ms % 60e3 / 1000) + ' s';
    return Math.floor(ms / 3600e3) + ' h ' + Math.round(ms % 3600e3 / 60e3) + ' min';
  }
  function size(n) {
    for (const unit of ['B', 'KiB', 'MiB', 'GiB']) { if (n < 1024 || unit === 'GiB') return (unit === 'B' ? n : n.toFixed(1)) + ' ' + unit; n /= 1024; }
  }
  const at = seconds => new Date((data.made - seconds) * 1000);
  const stamp = d => d.toISOString().slice(0, 16).replace('T', ' ');
  const command = r => r[LINE] >= 0 ? data.lines[r[LINE]] : data.labels[r[LABEL]] + ' …';
  const failed = r => r[CAUSE] >= 0;
  const section = (title, ...children) => make('section', {}, make('h2', {}, title), ...children);
  const none = text => make('p', { class: 'dim' }, text);
  const table = (heads, rows) => make('div', { class: 'table' }, make('table', {},
    make('thead', {}, make('tr', {}, heads.map(h => make('th', { scope: 'col', class: h.class }, h.text)))), make('tbody', {}, rows)));

  function matches(r) {
    if (chosen.agent && data.agents[r[AGENT]] !== chosen.agent) return false;
    if (chosen.dir && data.dirs[r[DIR]] !== chosen.dir) return false;
    if (chosen.label && data.labels[r[LABEL]] !== chosen.label) return false;
    if (chosen.result === 'failed' && !failed(r) || chosen.result === 'ok' && failed(r)) return false;
    if (chosen.days && r[AGO] > chosen.days * 86400) return false;
    if (!chosen.text) return true;
    const cause = failed(r) ? data.causes[r[CAUSE]].message : '';
    return [command(r), data.dirs[r[DIR]], data.codes[r[CODE]], cause].join('\n').toLowerCase().includes(chosen.text);
  }

  function cards() {
    const t = data.total;
    const card = (value, text, css) => make('div', { class: 'card' }, make('b', { class: css }, value), make('span', { class: 'dim' }, text));
    const counted = t.counted_runs > 0 || t.tokens.read_later > 0;
    return make('div', { class: 'cards' },
      card(number(t.runs), 'runs'), card(number(t.failures), 'failed', t.failures ? 'bad' : 'ok'), card(spent(t.duration_ms), 'time'),
      card(size(t.output_bytes), 'output'), card(number(t.masked), 'secrets masked'),
      card(counted ? number(t.tokens.saved) : '–', 'tokens saved', counted && t.tokens.saved < 0 ? 'bad' : undefined));
  }

  function choice(name, title, values) {
    const options = values.map(v => make('option', { value: v[0] }, v[1]));
    return make('label', {}, title, make('select', { id: name, on: { change: e => { chosen[name] = e.target.value; writeAddress(); draw(); } } }, make('option', { value: '' }, 'all'), options));
  }
  function filters() {
    const names = (list, column) => {
      const counts = new Map();
      for (const r of runs) counts.set(list[r[column]], (counts.get(list[r[column]]) || 0) + 1);
      return [...counts].sort((a, b) => b[1] - a[1]).map(([name, n]) => [name, name + ' (' + number(n) + ')']);
    };
    const search = make('input', { id: 'text', type: 'search', placeholder: 'press / to search', on: { input: e => { chosen.text = e.target.value.toLowerCase(); writeAddress(); draw(); } } });
    document.addEventListener('keydown', e => {
      if (e.key === '/' && !['INPUT', 'SELECT'].includes(document.activeElement.tagName)) { e.preventDefault(); search.focus(); }
      if (e.key === 'Escape' && document.activeElement === search) { search.value = chosen.text = ''; writeAddress(); draw(); }
    });
    return make('div', { class: 'filters', role: 'search' }, make('label', {}, 'text', search),
      choice('agent', 'agent', names(data.agents, AGENT)), choice('dir', 'directory', names(data.dirs, DIR)), choice('label', 'command', names(data.labels, LABEL)),
      choice('result', 'result', [['failed', 'failed'], ['ok', 'ok']]), choice('days', 'time', [['1', 'last day'], ['7', 'last 7 days'], ['30', 'last 30 days']]));
  }

  // span returns the ages of the oldest run and of the newest, at least a minute apart. The
  // order of the record is not always that of the ends: clocks are set back.
  function span(list) {
    const ages = list.map(r => r[AGO]), newest = ages.reduce((a, b) => Math.min(a, b));
    return [ages.reduce((a, b) => Math.max(a, b), newest + 60), newest];
  }

  // timeline draws a lane for each agent and directory, with a mark for each run.
  function timeline(list) {
    if (!list.length) return none('no run');
    const lanes = new Map();
    for (const r of list) {
      const key = r[AGENT] + ' ' + r[DIR];
      if (!lanes.has(key)) lanes.set(key, []);
      lanes.get(key).push(r);
    }
    const shown = [...lanes.values()].sort((a, b) => b.length - a.length).slice(0, 12);
    const wide = Math.max(300, Math.min(1180, page.clientWidth || 1000)), rowHeight = 36, high = shown.length * rowHeight + 22;
    const [oldest, newest] = span(shown.flat());
    const x = ago => 6 + (oldest - ago) / (oldest - newest) * (wide - 12);
    const svg = make('svg', { viewBox: '0 0 ' + wide + ' ' + high, role: 'img', 'aria-label': 'runs over time' });
    shown.forEach((lane, i) => {
      const y = i * rowHeight, r0 = lane[0];
      svg.append(make('text', { x: 6, y: y + 13 }, short(data.agents[r0[AGENT]] + '  ' + data.dirs[r0[DIR]] + '  (' + number(lane.length) + ')', Math.floor(wide / 7))));
      svg.append(make('line', { class: 'axis', x1: 0, x2: wide, y1: y + 26, y2: y + 26 }));
      const seen = new Set(); // one mark a pixel and result
      for (const r of lane) {
        const px = Math.round(x(r[AGO])), key = px + (failed(r) ? 'f' : '');
        if (seen.has(key)) continue;
        seen.add(key);
        svg.append(make('rect', { class: failed(r) ? 'run failed' : 'run', x: px - 1.5, width: 3, y: failed(r) ? y + 18 : y + 21, height: failed(r) ? 16 : 10 },
          make('title', {}, stamp(at(r[AGO])) + ' ' + command(r) + ' ' + data.codes[r[CODE]] + ' ' + spent(r[TOOK]))));
      }
    });
    svg.append(make('text', { x: 6, y: high - 4 }, stamp(at(oldest))), make('text', { x: wide - 6, y: high - 4, 'text-anchor': 'end' }, stamp(at(newest))));
    const more = lanes.size - shown.length;
    return [svg, more > 0 ? none(number(more) + ' more pairs of agent and directory; choose one above') : undefined];
  }
  const short = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;

  function failures(list) {
    const groups = new Map();
    for (const r of list) {
      if (!failed(r)) continue;
      const g = groups.get(r[CAUSE]) || { n: 0, last: r[AGO], cause: data.causes[r[CAUSE]], dirs: new Set() };
      g.n++; g.dirs.add(data.dirs[r[DIR]]); groups.set(r[CAUSE], g);
    }
    if (!groups.size) return none('no failure');
    return [...groups.values()].sort((a, b) => b.n - a.n || a.last - b.last).slice(0, 20).map(g => make('details', {},
      make('summary', {}, make('b', { class: 'tag bad' }, number(g.n)), make('b', {}, g.cause.label), ' ', make('span', { class: 'mono' }, g.cause.code), ' ', g.cause.message),
      make('p', { class: 'dim' }, 'last at ' + stamp(at(g.last)) + ' in ' + [...g.dirs].slice(0, 3).join(', ')),
      g.cause.excerpt ? make('pre', {}, g.cause.excerpt) : none('it printed nothing')));
  }

  // slowest lists the commands that took most time, with a mark for each run: when it ended
  // from left to right, and how long it took from the command's shortest run to its longest,
  // on a logarithmic scale.
  function slowest(list) {
    const groups = new Map();
    for (const r of list) {
      if (!groups.has(r[LABEL])) groups.set(r[LABEL], []);
      groups.get(r[LABEL]).push(r);
    }
    const rows = [...groups].map(([label, of]) => {
      const times = of.map(r => r[TOOK]).sort((a, b) => a - b);
      return { label: data.labels[label], of, sum: times.reduce((a, b) => a + b, 0), min: times[0], median: times[times.length >> 1], p90: times[Math.floor((times.length - 1) * .9)], max: times[times.length - 1] };
    }).sort((a, b) => b.sum - a.sum).slice(0, 15);
    if (!rows.length) return none('no run');
    const [oldest, newest] = span(list), log = ms => Math.log(Math.max(1, ms));
    return table([{ text: 'command' }, { text: 'runs', class: 'n' }, { text: 'together', class: 'n' }, { text: 'median', class: 'n' }, { text: '90 %', class: 'n wide' }, { text: 'longest', class: 'n wide' }, { text: 'over time', class: 'wide' }],
      rows.map(g => {
        const svg = make('svg', { viewBox: '0 0 144 28', class: 'spark', role: 'img', 'aria-label': 'times of ' + g.label });
        const step = Math.max(1, Math.floor(g.of.length / 200)), low = log(g.min), high = Math.max(low + .1, log(g.max));
        g.of.forEach((r, i) => {
          if (i % step) return;
          svg.append(make('circle', { class: failed(r) ? 'run failed' : 'run', r: 2, cx: 3 + 138 * (oldest - r[AGO]) / (oldest - newest), cy: 25 - 22 * (log(r[TOOK]) - low) / (high - low) }));
        });
        return make('tr', {}, make('td', { class: 'mono' }, g.label), make('td', { class: 'n' }, number(g.of.length)), make('td', { class: 'n' }, spent(g.sum)),
          make('td', { class: 'n' }, spent(g.median)), make('td', { class: 'n wide' }, spent(g.p90)), make('td', { class: 'n wide' }, spent(g.max)), make('td', { class: 'wide' }, svg));
      }));
  }

  function tokens() {
    const rows = (data.byAgent || []).filter(a => a.counted || a.tokens.read_later);
    if (!rows.length) return none('Not counted: no answer was read by an agent whose limits are known.');
    return [table([{ text: 'agent' }, { text: 'runs', class: 'n wide' }, { text: 'without envwrap', class: 'n' }, { text: 'read', class: 'n' }, { text: 'read later', class: 'n' }, { text: 'saved', class: 'n' }],
      rows.map(a => make('tr', {}, make('td', {}, a.agent), make('td', { class: 'n wide' }, number(a.counted)), make('td', { class: 'n' }, number(a.tokens.without)),
        make('td', { class: 'n' }, number(a.tokens.read)), make('td', { class: 'n' }, number(a.tokens.read_later)), make('td', { class: a.tokens.saved < 0 ? 'n bad' : 'n' }, number(a.tokens.saved))))),
    none('A token is 4 bytes. Without envwrap the agent would have shown its model the output, cut as that agent cuts it. What it read from the store later is subtracted. Only runs whose answer the agent read itself count; filters do not apply.')];
  }
  function masked() {
    const list = data.masked || [];
    return list.length ? table([{ text: 'rule' }, { text: 'secrets', class: 'n' }], list.map(m => make('tr', {}, make('td', { class: 'mono' }, m.name), make('td', { class: 'n' }, number(m.n))))) : none('nothing was masked');
  }
  function running() {
    const list = data.running || [];
    return list.length ? table([{ text: 'since (UTC)' }, { text: 'state' }, { text: 'job' }, { text: 'agent', class: 'wide' }, { text: 'directory', class: 'wide' }, { text: 'command' }], list.map(r => make('tr', {},
      make('td', { class: 'when' }, stamp(new Date(r.since * 1000))), make('td', {}, r.state), make('td', { class: 'mono' }, r.job || '–'),
      make('td', { class: 'wide' }, r.agent), make('td', { class: 'mono wide' }, r.dir), make('td', { class: 'mono' }, r.line)))) : none('nothing');
  }

  function recent(list) {
    const rows = list.slice(0, listed).map(r => make('tr', {}, make('td', { class: 'when' }, stamp(at(r[AGO]))), make('td', { class: failed(r) ? 'mono whole bad' : 'mono whole ok' }, data.codes[r[CODE]]),
      make('td', { class: 'n wide' }, spent(r[TOOK])), make('td', { class: 'wide' }, data.agents[r[AGENT]]), make('td', { class: 'mono' }, command(r))));
    const more = list.length > listed ? make('button', { type: 'button', on: { click: () => { const row = listed; listed += 400; showFrom(row); } } }, 'show more of ' + number(list.length)) : undefined;
    return [table([{ text: 'end (UTC)' }, { text: 'code' }, { text: 'time', class: 'n wide' }, { text: 'agent', class: 'wide' }, { text: 'command' }], rows), more];
  }

  // showFrom draws the list with more rows, and leaves the keyboard at the first new one.
  function showFrom(row) {
    draw();
    const first = body.querySelectorAll('section:last-child tbody tr')[row];
    first.tabIndex = -1;
    first.focus();
  }

  // The choices are also in the address, after #, so that a view can be kept as a bookmark.
  function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of Object.keys(chosen)) {
      const value = given.get(name) || '';
      chosen[name] = name === 'text' ? value.toLowerCase() : value;
      document.getElementById(name).value = value;
    }
  }
  function writeAddress() {
    const given = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value));
    history.replaceState(null, '', '#' + given);
  }

  const body = make('div', { id: 'body', 'aria-live': 'off' });
  const found = make('p', { class: 'dim', role: 'status', id: 'found' });
  function draw() {
    const list = runs.filter(matches);
    found.textContent = list.length === runs.length ? number(runs.length) + ' runs' : number(list.length) + ' of ' + number(runs.length) + ' runs';
    body.replaceChildren(section('Timeline', timeline(list)), section('Failures by cause', failures(list)), section('Where the time goes', slowest(list)),
      section('Tokens', tokens()), section('Secrets masked', masked()), section('Still running', running()), section('Runs', recent(list)));
  }
  const period = data.since ? 'since ' + stamp(new Date(data.since * 1000)) : 'all on record';
  const rest = data.total.runs - data.total.unfinished > runs.length ? '; the newest ' + number(runs.length) + ' are listed' : '';
  page.replaceChildren(make('h1', {}, 'What ran'), make('p', { class: 'dim' }, period + ', until ' + stamp(new Date(data.made * 1000)) + ' UTC' + rest), cards(), filters(), found, body);
  readAddress();
  draw();
  addEventListener('hashchange', () => { readAddress(); draw(); });
  let width = innerWidth; // a change of the height alone, as of a phone's address bar, draws nothing again
  addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; draw(); } });
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(d => { d.open = true; }));
})();
