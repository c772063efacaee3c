// Recordings: the links that a run used, and the differences between two runs.

import { get, post } from './api.js';
import { bar, bytesPerSecond, definitions, el, portLink, put, short, table, time, waitBar } from './dom.js';
import { more, sorting } from './links.js';

const seconds = (r) => `${((r.end - r.start) / 1000).toFixed(1)} s`;
const named = (r) => r.name || r.command || r.id;

function signed(a, b) {
  if (!a || !b) return '–';
  const difference = b.bytes_per_s - a.bytes_per_s;
  return (difference < 0 ? '−' : '+') + short(Math.abs(difference), 'B/s');
}

function selection(view, title, name, list, first) {
  const chosen = view.query.get(name) ?? '';
  return el('label', {}, title + ' ', el('select', { name,
    onchange: (event) => view.go({ [name]: event.target.value, after: null }),
  }, [['', first], ...list.map((r) => [r.id, `${named(r)} (${seconds(r)})`])].map(([value, text]) =>
    el('option', { value, selected: value === chosen }, text))));
}

/// The form that begins or ends a recording; `again` shows the result.
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
  const { running } = answer, name = el('input', { type: 'text', placeholder: 'current time', name: 'name', oninput: () => {
    // The server limits bytes, and an input counts characters.
    const bytes = new TextEncoder().encode(name.value).length;
    name.setCustomValidity(bytes > answer.longest_name ? `The name has ${bytes} bytes; at most ${answer.longest_name} are allowed.` : '');
  } });
  const form = (action, ...parts) => el('form', { class: 'filters control', onsubmit: (event) => {
    event.preventDefault();
    action();
  } }, parts);
  return [running
    ? form(() => ask('recordings/end'), el('span', { role: 'status' }, `The recording ${running.name} has been running since ${time(running.start)}.`),
      el('button', {}, 'End the recording'))
    : form(() => ask('recordings', { name: name.value }), el('label', {}, 'Name ', name), el('button', {}, 'Begin a recording')),
  problem];
}

const whoMay = 'A recording is a named period of the history. To begin recordings here, the monitor needs a token (--token-file). Other methods: run ' +
  'pssp monitor record --database FILE --name NAME -- COMMAND, or send SIGUSR2 to the daemon at the beginning and at the end.';
const whatItIs = 'A recording is a named period of the history. To record a command: ' +
  'pssp monitor record --database FILE --name NAME -- COMMAND.';

function allOf(view, answer, again) {
  const list = answer.recordings;
  return [...(answer.may_record ? control(answer, again) : []), table('Recordings', [
    { title: 'Name', cell: (r) => el('a', { href: view.link({ id: r.id }) }, named(r)) },
    { title: 'Command', cell: (r) => r.command || '–' },
    { title: 'Start', cell: (r) => time(r.start) },
    { title: 'Duration', number: true, cell: seconds },
  ], list, { empty: 'No recordings yet.' }),
  el('p', { class: 'note' }, answer.may_record ? whatItIs : whoMay)];
}

export async function show(view) {
  view.root.append(el('h1', {}, 'Record'));
  let all;
  try {
    all = await get('recordings', { limit: 1000 });
  } catch (error) {
    // Without a database, the page shows the reason.
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
    // Another user may have begun or ended a recording. A form in use is not replaced.
    return () => place.contains(document.activeElement) ? undefined : again();
  }
  const found = await get('recordings/' + encodeURIComponent(id), {
    with: other, sort: view.query.get('sort'), order: view.query.get('order'), after: view.query.get('after'), limit: 50 });
  const columns = [
    { title: 'From', cell: portLink },
    { title: 'To', cell: (l) => portLink(l.peer) },
    { title: 'Throughput', number: true, sort: 'bytes', cell: (l) => l.use ? bytesPerSecond(l.use.bytes_per_s) : '–' },
    { title: 'Utilization', number: true, term: 'utilization', cell: (l) => bar(l.use?.utilisation) },
    { title: 'Credit wait', number: true, term: 'credit wait', cell: (l) => l.use ? waitBar(l.use.waiting_share) : '–' },
  ];
  if (other) {
    columns.push(
      { title: 'Throughput, compared', number: true, cell: (l) => l.use_with ? bytesPerSecond(l.use_with.bytes_per_s) : '–' },
      { title: 'Utilization, compared', number: true, cell: (l) => bar(l.use_with?.utilisation) },
      { title: 'Difference', number: true, sort: 'difference', cell: (l) => signed(l.use, l.use_with) });
  }
  const facts = (title, r) => definitions([[title, named(r)], ['Command', r.command || '–'], ['Start', time(r.start)], ['Duration', seconds(r)]]);
  view.root.append(el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    selection(view, 'Recording', 'id', list, 'all recordings'), selection(view, 'Compare with', 'with', list, 'none')),
  facts('Recording', found.item), found.with ? facts('Compared with', found.with) : '',
  table('Used links, one row per direction', columns, found.links, { ...sorting(view, 'bytes'),
    empty: 'None: the history contains no sweeps of that time, or the links carried no traffic.' }), more(view, found, found.links));
  return undefined;
}
