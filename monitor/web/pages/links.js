// Links in both directions, sorted and filtered by the server; and the controls of all long lists.

import { get } from './api.js';
import { bar, bytesPerSecond, el, nodeLink, portLink, portName, put, table, verdict, waitBar } from './dom.js';
import { askedTime, nothingAt, ofTime, pastNote } from './timeline.js';

export const linkColumns = [
  { title: 'From', sort: 'name', ascending: true, cell: portLink },
  { title: 'To', sort: 'peer', ascending: true, cell: (l) => portLink(l.peer) },
  { title: 'Rate', word: true, sort: 'rate', cell: (l) => l.rate || '–' },
  { title: 'Throughput', number: true, sort: 'bytes', term: 'throughput', cell: (l) => bytesPerSecond(l.bytes_per_s) },
  { title: 'Utilization', number: true, sort: 'utilisation', term: 'utilization', cell: (l) => bar(l.utilisation) },
  { title: 'Credit wait', number: true, sort: 'waiting_share', term: 'credit wait', cell: (l) => waitBar(l.waiting_share) },
];

/// The address contains the order of a list (`sort` and `order`), its filters, and the first row of the page (`after`).
/// Options of table(); `usual`: the column that the list is sorted by if the address does not say.
export function sorting(view, usual) {
  return { sorted: view.query.get('sort') ?? usual, order: view.query.get('order'),
    link: (sort, order) => view.link({ sort: sort === usual ? null : sort, order, after: null }) };
}
export function choice(view, name, title, choices) {
  const chosen = view.query.get(name) ?? choices[0][0];
  return el('label', {}, title + ' ', el('select', { name,
    onchange: (event) => view.go({ [name]: event.target.value === choices[0][0] ? null : event.target.value, after: null }),
  }, choices.map(([value, text]) => el('option', { value, selected: value === chosen }, text))));
}
export function nameFilter(view) {
  return el('label', {}, 'Name contains ', el('input', {
    type: 'search', name: 'name', value: view.query.get('name') ?? '',
    onchange: (event) => view.go({ name: event.target.value, after: null }),
  }));
}
/// Which rows of a list the page shows, and the way to the other rows.
export function more(view, list, rows) {
  const first = Number(view.query.get('after') ?? 0), parts = [];
  if (first > 0) parts.push(el('a', { href: view.link({ after: null }) }, 'First page'));
  if (list.next) parts.push(el('a', { href: view.link({ after: list.next }) }, 'Next page'));
  const range = rows.length === 0 ? 'No rows' : `Rows ${(first + 1).toLocaleString()} to ${(first + rows.length).toLocaleString()}`;
  return el('p', { class: 'more' }, el('span', {}, `${range} of ${list.total.toLocaleString()}`), parts);
}

/// `at`: a time in the past.
export const linkToJobs = (l, at = null) => el('a', { href: `#/who/${l.guid}/${l.port}` + (at === null ? '' : `?at=${at}`),
  'aria-label': `jobs from ${portName(l)} to ${portName(l.peer)}` }, 'jobs');
const columns = (at) => [...linkColumns,
  { title: 'Faults', word: true, sort: 'verdict', term: 'verdict', cell: (l) => verdict(l.verdict) },
  { title: 'Details', cell: (l) => el('span', {},
    linkToJobs(l, at),
    ...(l.hot && l.kind === 'switch' ? [', ', el('a', { href: `#/advice?channel=${l.guid}:${l.port}`, 'aria-label': `advice for ${portName(l)}` }, 'advice')] : [])) }];

/// Says that the list has only the links of one node.
function nodeNote(view, links) {
  const guid = view.query.get('node');
  if (!guid) return null;
  const end = links.flatMap((l) => [l, l.peer]).find((each) => each.guid === guid);
  return el('p', { class: 'note' }, 'Only links of ', nodeLink(end ?? { guid }), '. ', el('a', { href: view.link({ node: null, after: null }) }, 'All links'));
}

export async function show(view) {
  const list = el('div'), at = askedTime(view);
  const fill = async () => {
    let links;
    try {
      links = await get('links', { limit: 50, ...Object.fromEntries(view.query) });
    } catch (error) {
      if (at === null || error.status !== 404) throw error;
      put(list, pastNote(view, nothingAt(at)));
      return;
    }
    put(list, at === null ? null : pastNote(view, ofTime(links) + '.'), nodeNote(view, links.links),
      table('Links, one row per direction', columns(at), links.links, sorting(view, 'utilisation')), more(view, links, links.links));
  };
  view.root.append(el('h1', {}, 'Links'), el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    choice(view, 'only', 'Show', [['all', 'all links'], ['hot', 'utilization above 80 %'],
      ['held_up', 'waiting for credits (congestion)'], ['bad', 'verdict bad'], ['watch', 'verdict watch']]),
    choice(view, 'kind', 'Between', [['any', 'all nodes'], ['switch', 'switches'], ['host', 'switch and host']]),
    nameFilter(view)), list);
  await fill();
  // Data of the past do not change.
  return at === null ? fill : undefined;
}
