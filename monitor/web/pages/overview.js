// Is the fabric healthy?

import { get } from './api.js';
import { smallChart } from './chart.js';
import { capital, count, definitions, el, grouped, managerSince, put, table, time, verdict } from './dom.js';
import { faultLink, healthSentence } from './faults.js';
import { linkColumns, linkToJobs } from './links.js';
import { explain } from './terms.js';

function tile(title, number, note, href, level, term) {
  return el('div', { class: 'tile ' + (level ?? '') }, el('a', { href }, el('span', { class: 'big' }, String(number)),
    el('span', {}, title), note ? el('small', {}, note) : null), term ? explain(term) : null);
}

/// `full`: the number of ports whose wait is unknown, because the counter is full.
function waitingTile(waiting, full) {
  const note = full === 0 ? 'congestion' : `${waiting > 0 ? 'and ' : ''}unknown for ${count(full, 'port')}: PortXmitWait is full`;
  return tile('ports waiting for credits', waiting === 0 && full > 0 ? 'unknown' : waiting, note, '#/links?only=held_up',
    waiting > 0 ? 'watch' : full > 0 ? 'unknown' : 'good', 'waiting');
}

function tiles(status, incidents) {
  const s = status.summary;
  const level = s.ports_by_verdict.bad > 0 ? 'bad' : incidents.total > 0 ? 'watch' : 'good';
  return el('div', { class: 'tiles' },
    tile('switches', s.switches, null, '#/nodes?kind=switch'),
    tile('adapters', s.adapters, null, '#/nodes?kind=hca'),
    tile('cables', s.links, `${s.active_ports} active ports`, '#/map'),
    tile('faults', s.has_verdicts ? incidents.total : '–', s.has_verdicts ? 'cables and nodes' : 'no verdicts', '#/health', level, 'faults'),
    tile('links above 80\u00a0% utilization', s.hot_channels, null, '#/links?only=hot', s.hot_channels > 0 ? 'watch' : 'good', 'saturated'),
    waitingTile(s.held_up_channels, s.full_wait_counters),
    tile('links down', s.lost_links, 'that were up before', '#/health', s.lost_links > 0 ? 'bad' : 'good', 'links down'),
    tile('ports not responding', s.silent_ports, null, '#/health', s.silent_ports > 0 ? 'bad' : 'good', 'not responding'));
}

/// The first faults, then congestion by cause.
function wrong(incidents) {
  const title = `Open incidents: ${count(incidents.total, 'fault')}, ${count(incidents.congestion.length, 'congestion group')}`;
  const listed = [...incidents.faults, ...incidents.congestion.slice(0, 5)], rest = incidents.total + incidents.congestion.length - listed.length;
  return [table(title, [
    { title: 'Incident', cell: faultLink },
    { title: 'Verdict', word: true, term: 'verdict', cell: (i) => verdict(i.level ?? 'watch') },
    { title: 'Since', word: true, cell: (i) => time(i.since) }],
  listed, { empty: 'No faults and no congestion.' }), rest > 0 ? el('p', { class: 'more' }, el('a', { href: '#/health' }, `${grouped(rest)} more`)) : null];
}

function manager(status) {
  const m = status.manager;
  if (!m) return el('p', {}, capital(status.manager_reason) + '.');
  return definitions([['Master', m.name || m.guid], ['LID', String(m.lid), 'LID'],
    ['Priority', String(m.priority), 'priority'], ['Since', managerSince(m)]]);
}

function lastHour() {
  const traffic = smallChart('Throughput: sent by all hosts', 'B/s', [['sent', '--little']]);
  const errors = smallChart('Errors per minute, all ports', '', [['errors per minute', '--hot']]);
  const channels = smallChart('Saturated links and waiting ports', '', [['links above 80 % utilization', '--hot'], ['ports waiting for credits', '--busy', [7, 4]]]);
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
  view.onShown = () => hour.each('draw');
  view.onLeave(() => hour.each('end'));
  const fill = async () => {
    const [status, activity, busiest, incidents, events] = await Promise.all([get('status'), get('activity'),
      get('links', { limit: 10 }), get('incidents', { limit: 5 }), get('events', { limit: 5 })]);
    hour.set(activity);
    const [first] = incidents.faults, urgent = first ? ['Most urgent: ', faultLink(first), '.'] : [];
    put(head, el('p', { class: 'answer' }, `${healthSentence(status, incidents)} `, urgent), status.problems.map((p) => el('p', { class: 'problem', role: 'alert' }, p)), tiles(status, incidents));
    put(rest,
      table('Busiest links, one row per direction', [...linkColumns, { title: 'Details', cell: (l) => linkToJobs(l) }], busiest.links),
      el('div', { class: 'columns' },
        el('section', {}, wrong(incidents)),
        el('section', {}, el('h2', {}, 'Subnet manager'), manager(status),
          table('Latest events', [
            { title: 'Time', word: true, cell: (e) => time(e.time) },
            { title: 'Event', cell: (e) => e.text || e.kind }], events.events))));
  };
  await fill();
  return fill;
}
