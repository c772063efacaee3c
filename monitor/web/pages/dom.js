// Elements from data. Names come from the fabric and are untrusted, so no module parses markup: text is only set as text.

import { explain } from './terms.js';

/// The children without null and undefined; lists are flattened.
function present(children) {
  return children.flat().filter((child) => child !== null && child !== undefined);
}

/// Tells the controls of a page apart: the same control has the same key after the page is rendered again.
function keyOf(control) {
  const label = control.closest('[aria-label]')?.getAttribute('aria-label'), column = control.closest('th')?.dataset.title;
  const text = /^(BUTTON|SUMMARY)$/.test(control.tagName) ? control.textContent : control.getAttribute('name');
  return JSON.stringify([control.tagName, label, column ?? control.getAttribute('href'), text]);
}
/// Returns a function that gives the focus back to the control that has it now, if the element was rendered again in the meantime.
export function rememberFocus(element) {
  const focused = document.activeElement, key = element.contains(focused) && focused !== element ? keyOf(focused) : null;
  return () => {
    if (!key || focused.isConnected) return;
    [...element.querySelectorAll('a, button, input, select, summary, [tabindex]')].find((control) => keyOf(control) === key)?.focus({ preventScroll: true });
  };
}

/// Replaces the children of the element; `children` as in el(). The focus stays on the control that had it.
export function put(element, ...children) {
  const restore = rememberFocus(element);
  element.replaceChildren(...present(children));
  restore();
}

/// el('td', { class: 'number', onclick: f }, 'text', otherElement)
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...present(children));
  return element;
}

/// A button that saves the table as a CSV file. Names come from the fabric, so a field that a spreadsheet would take for a formula gets an
/// apostrophe.
function csvButton(caption) {
  const field = (cell) => {
    const text = (cell.tagName === 'TH' ? cell.dataset.title : cell.innerText).trim();
    return '"' + (/^[=+@-]./.test(text) ? "'" : '') + text.replaceAll('"', '""') + '"';
  };
  return el('button', { type: 'button', class: 'csv', 'aria-label': `${caption}: save as CSV`, onclick: (event) => {
    const rows = [...event.target.closest('table').querySelectorAll('tr')].map((row) => [...row.cells].map(field).join(','));
    const url = URL.createObjectURL(new Blob([rows.join('\r\n') + '\r\n'], { type: 'text/csv' }));
    el('a', { href: url, download: caption.replace(/[^A-Za-z0-9]+/g, '_') + '.csv' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } }, 'CSV');
}

/// The heading of a column. In a sorted table it is a link: the first click sorts by the column, the next one reverses the order.
function heading(column, { sorted, order, link }) {
  const sortable = column.sort && link, isSorted = sortable && sorted === column.sort, usual = column.ascending ? 'asc' : 'desc';
  const now = isSorted ? order ?? usual : null, next = now ? { asc: 'desc', desc: 'asc' }[now] : usual;
  const title = sortable
    ? el('a', { href: link(column.sort, next === usual ? null : next) }, column.title,
      isSorted ? el('span', { 'aria-hidden': 'true' }, now === 'asc' ? ' ▴' : ' ▾') : null)
    : column.title;
  return el('th', { scope: 'col', class: column.number ? 'number' : null, 'data-title': column.title,
    'aria-sort': now && { asc: 'ascending', desc: 'descending' }[now] }, title, column.term ? [' ', explain(column.term)] : []);
}

/// Columns: { title, cell(row) -> text or element, number?, word?: no line breaks, sort?: key of the server, ascending?: first order of the
/// column, term?: key of explain() }. `sorted`, `order`, `link(key, order)`: see sorting() in links.js.
export function table(caption, columns, rows, { empty = 'None.', ...order } = {}) {
  const head = columns.map((column) => heading(column, order));
  const body = rows.map((row) => el('tr', {}, columns.map((column) =>
    el('td', { class: column.number ? 'number' : column.word ? 'word' : null, 'data-title': column.title },
      column.cell(row)))));
  if (rows.length === 0) body.push(el('tr', {}, el('td', { colspan: columns.length, class: 'empty' }, empty)));
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', {}, el('caption', {}, caption, rows.length ? csvButton(caption) : null), el('thead', {}, el('tr', {}, head)),
      el('tbody', {}, body)));
}

const signs = { good: '●', watch: '▲', bad: '✖', unknown: '?' };
export function verdict(level) {
  return el('span', { class: 'verdict ' + level }, (signs[level] ?? '?') + ' ' + level);
}

const fitLevels = { yes: 'good', watch: 'watch', no: 'bad', unknown: 'unknown' };
/// Whether a node can run jobs, with the reasons as a tooltip. Switches have no answer.
export function fitness(node) {
  if (!node.fit) return '–';
  const level = fitLevels[node.fit] ?? 'unknown';
  return el('span', { class: 'verdict ' + level, title: node.fit_reasons.join('; ') || null }, `${signs[level]} ${node.fit}`);
}

/// Texts for the counters and states of verdicts.
const subjects = { cabling: 'not cabled as planned', state: 'link down', transmit_wait: 'waiting for credits (congestion)', readings: 'not responding' };
export const subject = (what) => subjects[what] ?? what.replaceAll('_', ' ');
/// Whether a counter, by its name, counts errors.
export const isErrorCounter = (name) => /error|downed|discard|drop|recover|overrun/.test(name);

/// Utilization from which pages color a link as busy and as saturated. The verdicts of the daemon have limits of their own.
export const busyShare = 0.6, hotShare = 0.8;

export function bar(share) {
  if (share === null || share === undefined) return '–';
  const meter = el('meter', { min: 0, max: 1, high: hotShare, low: busyShare, optimum: 0, value: share,
    'aria-hidden': 'true' });
  return el('span', { class: 'bar' }, meter, percent(share));
}

/// A credit wait. Without a value, the counter of the port is full, cannot be read or does not exist.
export const waitBar = (share) => share === null || share === undefined ? el('span', { class: 'unknown' }, 'unknown') : bar(share);

export function percent(share) {
  if (share === null || share === undefined) return '–';
  return share > 0 && share < 5e-4 ? '< 0.1 %' : (100 * share).toFixed(share < 0.0995 ? 1 : 0) + ' %';
}

/// 1234567 -> "1.23 M"
export function short(number, unit = '') {
  if (number === null || number === undefined || Number.isNaN(number)) return '–';
  const steps = ['', 'k', 'M', 'G', 'T', 'P'];
  let step = 0, value = number;
  while (Math.abs(value) >= 1000 && step < steps.length - 1) {
    value /= 1000;
    ++step;
  }
  const digits = step === 0 ? (Number.isInteger(value) ? 0 : 1) : value < 10 ? 2 : value < 100 ? 1 : 0;
  const prefix = steps[step];
  return value.toFixed(digits) + (prefix || unit ? ' ' : '') + prefix + unit;
}
/// "1,234,567"
export const grouped = (number) => number === null || number === undefined ? '–' : number.toLocaleString();
export const bytesPerSecond = (rate) => short(rate, 'B/s');
export const time = (ms) => ms ? new Date(ms).toLocaleString() : '–';

/// "1 fault", "1,204 faults"
export const count = (number, noun, plural = noun + 's') => `${grouped(number)} ${number === 1 ? noun : plural}`;

/// Since when a subnet manager is in its state. The monitor does not know what was before its start.
export const managerSince = (manager) => manager.since_start ? `before the monitor started (${time(manager.since)})` : time(manager.since);

/// "14 ms", "24.9 s"
export const duration = (ms) => ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;

/// "40 s", "12 min", "3 h 5 min", "4 days"
export function longDuration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000)), minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  if (minutes < 2) return `${seconds} s`;
  if (hours < 1) return `${minutes} min`;
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/// The first letter of a sentence of the API as a capital.
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export function nodeLink(item) {
  return el('a', { href: '#/node/' + item.guid }, item.name || item.guid);
}
export function portLink(item) {
  if (!item) return '–';
  if (!item.port) return nodeLink(item);
  return el('a', { href: `#/port/${item.guid}/${item.port}` }, portName(item));
}
/// The name of a port, or of a node if the item has no port number.
export const portName = (item) => (item.name || item.guid) + (item.port ? ` port ${item.port}` : '');
export function jobLink(job) {
  return job.id === null ? 'hosts without a job'
    : el('a', { href: '#/job/' + encodeURIComponent(job.id) }, job.name ? `${job.id} ${job.name}` : job.id);
}
/// `pairs`: name, value, and optionally a key of explain().
export function definitions(pairs) {
  return el('dl', {}, pairs.map(([name, value, term]) => el('div', {}, el('dt', {}, name, term ? [' ', explain(term)] : []), el('dd', {}, value))));
}
