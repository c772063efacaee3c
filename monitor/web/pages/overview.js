// Is all well?

import { get } from './api.js';
import { smallChart } from './chart.js';
import { bar, bytesPerSecond, definitions, el, portLink, table, time, verdict } from './dom.js';

export const linkColumns = [
  { title: 'From', cell: (l) => portLink(l) },
  { title: 'To', cell: (l) => portLink(l.peer) },
  { title: 'Rate', word: true, cell: (l) => l.rate || '–' },
  { title: 'Carries', number: true, sort: 'bytes', cell: (l) => bytesPerSecond(l.bytes_per_s) },
  { title: 'Used', number: true, sort: 'utilisation', cell: (l) => bar(l.utilisation) },
  { title: 'Waits', number: true, sort: 'waiting_share', cell: (l) => bar(l.waiting_share) },
];

function tile(title, number, note, href, level) {
  return el('a', { class: 'tile ' + (level ?? ''), href }, el('span', { class: 'big' }, String(number)),
    el('span', {}, title), note ? el('small', {}, note) : null);
}

function tiles(status) {
  const s = status.summary, ports = s.ports_by_verdict;
  const bad = ports.bad, watch = ports.watch;
  return el('div', { class: 'tiles' },
    tile('switches', s.switches, null, '#/nodes?kind=switch'),
    tile('adapters', s.adapters, null, '#/nodes?kind=hca'),
    tile('cables', s.links, `${s.active_ports} active ports`, '#/map'),
    tile('bad ports', s.has_verdicts ? bad : '–', s.has_verdicts ? `${watch} to watch` : 'no verdicts',
      '#/health', bad > 0 ? 'bad' : watch > 0 ? 'watch' : 'good'),
    tile('hot channels', s.hot_channels, 'over 80 % used', '#/links?only=hot',
      s.hot_channels > 0 ? 'watch' : 'good'),
    tile('held up', s.held_up_channels, 'wait over 30 % of the time', '#/links?only=held_up',
      s.held_up_channels > 0 ? 'watch' : 'good'),
    tile('links down', s.lost_links, 'that were up within a day', '#/health', s.lost_links > 0 ? 'bad' : 'good'),
    tile('silent ports', s.silent_ports, null, '#/health', s.silent_ports > 0 ? 'bad' : 'good'));
}

function manager(status) {
  const m = status.manager;
  if (!m) return el('p', {}, status.manager_reason);
  return definitions([['Master', m.name || m.guid], ['LID', String(m.lid)],
    ['Priority', String(m.priority)], ['Since', time(m.since)]]);
}

function lastHour() {
  const traffic = smallChart('Sent by hosts', 'B/s', [['sent', '--little']]);
  const errors = smallChart('Errors a minute', '', [['errors a minute', '--hot']]);
  const channels = smallChart('Channels that are hot, or held up', '', [['hot', '--hot'], ['held up', '--busy', [7, 4]]]);
  const all = [traffic, errors, channels];
  return {
    element: el('section', { class: 'hour', 'aria-label': 'The last hour' }, all.map((each) => each.element)),
    set(hour) {
      traffic.set([hour.time_ms, hour.bytes_per_s]);
      errors.set([hour.time_ms, hour.errors_per_minute]);
      channels.set([hour.time_ms, hour.hot_channels, hour.held_up_channels]);
    },
    each(action) { for (const one of all) one[action](); },
  };
}

export async function show(view) {
  const head = el('div'), hour = lastHour(), rest = el('div');
  view.root.append(el('h1', {}, 'Overview'), head, hour.element, rest);
  const fit = () => hour.each('fit');
  addEventListener('resize', fit);
  view.onShown = () => hour.each('draw');
  view.onLeave(() => {
    removeEventListener('resize', fit);
    hour.each('end');
  });
  const fill = async () => {
    const [status, activity, busiest, worst, events] = await Promise.all([get('status'), get('activity'),
      get('links', { limit: 10 }), get('verdicts', { limit: 5 }), get('events', { limit: 5 })]);
    hour.set(activity);
    head.replaceChildren(...status.problems.map((p) => el('p', { class: 'problem', role: 'alert' }, p)), tiles(status));
    rest.replaceChildren(
      table('Busiest channels', linkColumns, busiest.links),
      el('div', { class: 'columns' },
        el('section', {}, table('What is wrong', [
          { title: 'Port', cell: (v) => portLink(v) },
          { title: 'Verdict', cell: (v) => verdict(v.level) },
          { title: 'Because', cell: (v) => v.reason }], worst.verdicts)),
        el('section', {}, el('h2', {}, 'Subnet manager'), manager(status),
          table('What happened', [
            { title: 'Time', cell: (e) => time(e.time) },
            { title: 'Event', cell: (e) => e.text || e.kind }], events.events))));
  };
  await fill();
  return fill;
}
