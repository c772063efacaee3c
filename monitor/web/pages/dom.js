// Elements from data. Names come from the fabric and may be anything, so text is only ever set as
// text: nothing here, nor in any other module, parses markup.

import { explain } from './terms.js';

/// Lists taken apart; null and undefined are no children.
function present(children) {
  return children.flat().filter((child) => child !== null && child !== undefined);
}

/// These and nothing else in the element: as el() takes them.
export function put(element, ...children) {
  element.replaceChildren(...present(children));
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
    // A heading may end with the "?" of explain().
    const text = (cell.tagName === 'TH' ? cell.innerText.replace(/\s*\?$/, '') : cell.innerText).trim();
    return '"' + (/^[=+@-]./.test(text) ? "'" : '') + text.replaceAll('"', '""') + '"';
  };
  return el('button', { type: 'button', class: 'csv', 'aria-label': `${caption}: as CSV`, onclick: (event) => {
    const rows = [...event.target.closest('table').querySelectorAll('tr')].map((row) => [...row.cells].map(field).join(','));
    const url = URL.createObjectURL(new Blob([rows.join('\r\n') + '\r\n'], { type: 'text/csv' }));
    el('a', { href: url, download: caption.replace(/[^A-Za-z0-9]+/g, '_') + '.csv' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } }, 'CSV');
}

/// Columns: { title, cell(row) -> text or element, number?, word?: never broken, sort?: key, term?: key of explain() }. `sorted`: the key in
/// force; `link(key)`: address of the list in that order.
export function table(caption, columns, rows, { sorted, link, empty = 'Nothing.' } = {}) {
  const head = columns.map((column) => {
    const title = column.sort && link
      ? el('a', { href: link(column.sort) }, column.title + (sorted === column.sort ? ' ▾' : ''))
      : column.title;
    return el('th', {
      scope: 'col', class: column.number ? 'number' : null,
      'aria-sort': column.sort && sorted === column.sort ? 'descending' : null,
    }, title, column.term ? [' ', explain(column.term)] : []);
  });
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
/// May a node get jobs? Its reasons are there for whoever points at the word; switches get none.
export function fitness(node) {
  if (!node.fit) return '–';
  const level = fitLevels[node.fit] ?? 'unknown';
  return el('span', { class: 'verdict ' + level, title: node.fit_reasons.join('; ') || null }, `${signs[level]} ${node.fit}`);
}

/// What a verdict is of, in words.
const subjects = { cabling: 'not cabled as planned', state: 'link is down', transmit_wait: 'waiting for credits (congestion)', readings: 'not responding' };
export const subject = (what) => subjects[what] ?? what.replaceAll('_', ' ');
/// Whether a counter, by its name, counts errors.
export const isErrorCounter = (name) => /error|downed|discard|drop|recover|overrun/.test(name);

/// Shares of a link from which pages call it busy, and hot. Nothing in the daemon hangs on them: its verdicts have limits of their own.
export const busyShare = 0.6, hotShare = 0.8;

export function bar(share) {
  if (share === null || share === undefined) return '–';
  const meter = el('meter', { min: 0, max: 1, high: hotShare, low: busyShare, optimum: 0, value: share,
    'aria-hidden': 'true' });
  return el('span', { class: 'bar' }, meter, percent(share));
}

export function percent(share) {
  return share === null || share === undefined ? '–' : (100 * share).toFixed(share < 0.0995 ? 1 : 0) + ' %';
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
/// All figures of a number, in groups: "1,234,567".
export const grouped = (number) => number === null || number === undefined ? '–' : number.toLocaleString();
export const bytesPerSecond = (rate) => short(rate, 'B/s');
export const time = (ms) => ms ? new Date(ms).toLocaleString() : '–';

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
/// `pairs`: name, value, and optionally a key of explain().
export function definitions(pairs) {
  return el('dl', {}, pairs.map(([name, value, term]) => el('div', {}, el('dt', {}, name, term ? [' ', explain(term)] : []), el('dd', {}, value))));
}
