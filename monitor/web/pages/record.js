// What pattern did a run make on the links, and how does it differ from that of another?

import { get, post } from './api.js';
import { bar, bytesPerSecond, definitions, el, portLink, put, short, table, time } from './dom.js';
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

/// To begin one, or to end the one that runs; `again` shows what came of it.
function control(answer, again) {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const ask = async (path, parameters) => {
    try {
      await post(path, parameters);
      await again();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  };
  const { running } = answer, name = el('input', { type: 'text', placeholder: 'its time', oninput: () => {
    // The limit is one of bytes, and an input counts characters.
    const bytes = new TextEncoder().encode(name.value).length;
    name.setCustomValidity(bytes > answer.longest_name ? `${bytes} bytes; ${answer.longest_name} are allowed` : '');
  } });
  const form = (action, ...parts) => el('form', { class: 'filters control', onsubmit: (event) => {
    event.preventDefault();
    action();
  } }, parts);
  return [running
    ? form(() => ask('recordings/end'), el('span', { role: 'status' }, `Recording ${running.name} since ${time(running.start)}.`),
      el('button', {}, 'End and keep it'))
    : form(() => ask('recordings', { name: name.value }), el('label', {}, 'Name ', name), el('button', {}, 'Begin a recording')),
  problem];
}

const whoMay = 'To start recordings here, the monitor needs a token (--token-file). Record a command with ' +
  'pssp monitor record --database FILE --name NAME -- COMMAND, or send the daemon SIGUSR2 to begin one, and again to end it.';
const whatItIs = 'A recording is a name for a time of the history. To record a command: ' +
  'pssp monitor record --database FILE --name NAME -- COMMAND.';

function allOf(view, answer, again) {
  const list = answer.recordings;
  return [...(answer.may_record ? control(answer, again) : []), table('Recordings', [
    { title: 'Name', cell: (r) => el('a', { href: view.link({ id: r.id }) }, named(r)) },
    { title: 'Command', cell: (r) => r.command || '–' },
    { title: 'Began', cell: (r) => time(r.start) },
    { title: 'Lasted', number: true, cell: seconds },
  ], list, { empty: 'None yet.' }),
  el('p', { class: 'note' }, answer.may_record ? whatItIs : whoMay)];
}

export async function show(view) {
  view.root.append(el('h1', {}, 'Record'));
  let all;
  try {
    all = await get('recordings', { limit: 1000 });
  } catch (error) {
    // Without a database there is nothing to show, and the reason is the answer.
    if (error.status !== 404) throw error;
    view.root.append(el('p', { class: 'note' }, error.message + '.'));
    return undefined;
  }
  const id = view.query.get('id'), other = view.query.get('with');
  const list = all.recordings;
  if (!id) {
    const place = el('div');
    const again = async () => put(place, ...allOf(view, await get('recordings', { limit: 1000 }), again));
    put(place, ...allOf(view, all, again));
    view.root.append(place);
    // Somebody else may have begun or ended one; whoever types is not disturbed.
    return () => place.contains(document.activeElement) ? undefined : again();
  }
  const found = await get('recordings/' + encodeURIComponent(id), {
    with: other, sort: view.query.get('sort'), after: view.query.get('after'), limit: 50 });
  const columns = [
    { title: 'From', cell: portLink },
    { title: 'To', cell: (l) => portLink(l.peer) },
    { title: 'Throughput', number: true, sort: 'bytes', cell: (l) => l.use ? bytesPerSecond(l.use.bytes_per_s) : '–' },
    { title: 'Utilisation', number: true, cell: (l) => bar(l.use?.utilisation) },
    { title: 'Credit wait', number: true, cell: (l) => bar(l.use?.waiting_share) },
  ];
  if (other) {
    columns.push(
      { title: 'Other throughput', number: true, cell: (l) => l.use_with ? bytesPerSecond(l.use_with.bytes_per_s) : '–' },
      { title: 'Other utilisation', number: true, cell: (l) => bar(l.use_with?.utilisation) },
      { title: 'Difference', number: true, sort: 'difference', cell: (l) => signed(l.use, l.use_with) });
  }
  const facts = (title, r) => definitions([[title, named(r)], ['Command', r.command || '–'], ['Began', time(r.start)], ['Lasted', seconds(r)]]);
  view.root.append(el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    selection(view, 'Recording', 'id', list, 'all of them'), selection(view, 'Compare with', 'with', list, 'none')),
  facts('Recording', found.item), found.with ? facts('Compared with', found.with) : '',
  table('Links that were used, by direction', columns, found.links, {
    sorted: view.query.get('sort') ?? 'bytes', link: (sort) => view.link({ sort, after: null }),
    empty: 'None: the history has no sweeps of that time any more, or nothing was sent.',
  }), more(view, found));
  return undefined;
}
