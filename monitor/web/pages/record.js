// What pattern did a run make on the links, and how does it differ from that of another?

import { get } from './api.js';
import { bar, bytesPerSecond, definitions, el, portLink, short, table, time } from './dom.js';
import { more } from './links.js';

const seconds = (r) => `${((r.end - r.start) / 1000).toFixed(1)} s`;
const named = (r) => r.name || r.command || r.id;

function signed(a, b) {
  if (!a || !b) return '–';
  const difference = b.bytes_per_s - a.bytes_per_s;
  return (difference < 0 ? '−' : '+') + short(Math.abs(difference), 'B/s');
}

function selection(view, title, name, list, first) {
  const chosen = view.query.get(name) ?? '';
  return el('label', {}, title + ' ', el('select', {
    onchange: (event) => view.go({ [name]: event.target.value, after: null }),
  }, [['', first], ...list.map((r) => [r.id, `${named(r)} (${seconds(r)})`])].map(([value, text]) =>
    el('option', { value, selected: value === chosen }, text))));
}

function allOf(view, list) {
  return [table('Recordings', [
    { title: 'Name', cell: (r) => el('a', { href: view.link({ id: r.id }) }, named(r)) },
    { title: 'Command', cell: (r) => r.command || '–' },
    { title: 'Began', cell: (r) => time(r.start) },
    { title: 'Lasted', number: true, cell: seconds },
  ], list, { empty: 'None yet.' }),
  el('p', { class: 'note' }, 'A page only shows and cannot begin a recording. Record a command with ' +
    'monitor_fabric record --database FILE --name NAME -- COMMAND, or send the daemon SIGUSR2 to begin one, and again to end it.')];
}

export async function show(view) {
  view.root.append(el('h1', {}, 'Record'));
  let list;
  try {
    list = (await get('recordings', { limit: 1000 })).recordings;
  } catch (error) {
    // Without a database there is nothing to show, and the reason is the answer.
    if (error.status !== 404) throw error;
    view.root.append(el('p', { class: 'note' }, error.message + '.'));
    return undefined;
  }
  const id = view.query.get('id'), other = view.query.get('with');
  if (!id) {
    view.root.append(...allOf(view, list));
    return undefined;
  }
  const found = await get('recordings/' + encodeURIComponent(id), {
    with: other, sort: view.query.get('sort'), after: view.query.get('after'), limit: 50 });
  const columns = [
    { title: 'From', cell: portLink },
    { title: 'To', cell: (l) => portLink(l.peer) },
    { title: 'Carried', number: true, sort: 'bytes', cell: (l) => l.use ? bytesPerSecond(l.use.bytes_per_s) : '–' },
    { title: 'Used', number: true, cell: (l) => bar(l.use?.utilisation) },
    { title: 'Waited', number: true, cell: (l) => bar(l.use?.waiting_share) },
  ];
  if (other) {
    columns.push(
      { title: 'Other carried', number: true, cell: (l) => l.use_with ? bytesPerSecond(l.use_with.bytes_per_s) : '–' },
      { title: 'Other used', number: true, cell: (l) => bar(l.use_with?.utilisation) },
      { title: 'Difference', number: true, sort: 'difference', cell: (l) => signed(l.use, l.use_with) });
  }
  const facts = (title, r) => definitions([[title, named(r)], ['Command', r.command || '–'], ['Began', time(r.start)], ['Lasted', seconds(r)]]);
  view.root.append(el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    selection(view, 'Recording', 'id', list, 'all of them'), selection(view, 'Compare with', 'with', list, 'none')),
  facts('Recording', found.item), found.with ? facts('Compared with', found.with) : '',
  table('Channels that were used', columns, found.links, {
    sorted: view.query.get('sort') ?? 'bytes', link: (sort) => view.link({ sort, after: null }),
    empty: 'None: the history has no sweeps of that time any more, or nothing was sent.',
  }), more(view, found));
  return undefined;
}
