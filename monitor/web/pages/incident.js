// One fault or one group of congestion: the events around its beginning, its acknowledgement, and a text for a ticket.

import { get, post } from './api.js';
import { smallChart } from './chart.js';
import { el, grouped, isErrorCounter, longDuration, portName, put, short, subject, table, time } from './dom.js';
import { incidentTitle, jobsTitle } from './faults.js';
import { card, group, openedParts } from './health.js';
import { effectOnJobs } from './reroutes.js';

const before = 1800e3;  // length of the time before the incident, in milliseconds
const usual = ['transmit_bytes', 'receive_bytes', 'transmit_wait'];
const general = /^(topology_changed|tables_changed|rerouted|manager_changed)$/;

/// Ports whose counters the page shows: the ends of the cable, or the first ports of a node or group.
function portsOf(incident) {
  const named = [incident.end, incident.peer].filter((port) => port?.port);
  const found = (incident.findings ?? incident.waiting).filter((port) => port.port).slice(0, 2);
  return named.length ? named : found;
}

const mean = (values) => {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
};

/// Rates of counters at a port before the incident began, and since.
async function compare(port, since, counters) {
  const history = await get(`ports/${port.guid}/${port.port}/history`, { since: since - before, counters: counters.join(','), points: 500 });
  const part = (values, is) => mean(values.filter((_, i) => is(history.time_ms[i])));
  return { history, rows: counters.filter((name) => history.counters[name]).map((name) => ({ port, name,
    before: part(history.counters[name].mean, (t) => t < since), since: part(history.counters[name].mean, (t) => t >= since) })) };
}

const isNear = (t, incident) => t >= incident.since - before;
async function happened(incident) {
  const [events, reroutes] = await Promise.all([get('events', { limit: 1000 }), get('reroutes', { limit: 100 })]);
  const nodes = new Set([incident.end, incident.peer, incident.target].filter(Boolean).map((port) => port.guid));
  const rows = events.events.filter((e) => isNear(e.time, incident) && (nodes.has(e.guid) || general.test(e.kind)))
    .map((e) => ({ time: e.time, kind: e.kind.replaceAll('_', ' '), text: e.text }));
  if (!rows.some((row) => row.kind === 'rerouted')) {
    rows.push(...reroutes.reroutes.filter((r) => isNear(r.end, incident)).map((r) => ({ time: r.end, kind: 'rerouted',
      text: r.flows_reason ?? `${grouped(r.moved)} of ${grouped(r.flows)} pairs of hosts use another path, ${grouped(r.lost)} lost their path; ${effectOnJobs(r)}` })));
  }
  rows.push(...(incident.findings ?? []).map((f) => ({ time: f.since, kind: 'verdict ' + f.level, text: `${portName(f)}: ${subject(f.what)}: ${f.measured}` })));
  if (!incident.findings) rows.push({ time: incident.since, kind: 'congestion', text: incident.summary });
  return rows.sort((a, b) => a.time - b.time);
}

/// The text for a ticket, complete for a reader without this page.
function asText(incident, timeline, rates) {
  const lines = [incidentTitle(incident), 'State: open', `First seen: ${time(incident.since)}`, `Page: ${location.href}`];
  const ends = [incident.end, incident.peer, incident.target].filter(Boolean);
  if (ends.length) lines.push(`GUIDs: ${ends.map((end) => `${portName(end)}: ${end.guid}`).join(', ')}`);
  if (incident.advice) lines.push(`What to do: ${incident.advice}`);
  if (incident.findings) lines.push(`${jobsTitle(incident)}: ${incident.jobs.join(', ') || 'none'}`);
  if (incident.acknowledged) lines.push(`Acknowledged until ${time(incident.acknowledged.until)}: ${incident.acknowledged.comment}`);
  lines.push('', 'Timeline:', ...timeline.map((row) => `  ${time(row.time)}  ${row.kind}: ${row.text}`));
  lines.push('', 'Rates per second (mean of the 30 minutes before the incident, mean since):', ...rates.map((row) =>
    `  ${portName(row.port)}: ${row.name.replaceAll('_', ' ')}: ${short(row.before)}, ${short(row.since)}`));
  return lines.join('\n');
}

function copyButton(text) {
  const area = el('textarea', { readonly: true, rows: 12, 'aria-label': 'The incident as text' }), state = el('span', { role: 'status' });
  area.value = text;
  const details = el('details', {}, el('summary', {}, 'Text for a ticket'), area);
  const copy = async () => {
    details.open = true;
    area.select();
    try {
      // Browsers offer navigator.clipboard only to pages with TLS.
      if (navigator.clipboard) await navigator.clipboard.writeText(text);
      else if (!document.execCommand('copy')) throw new Error('not allowed');
      state.textContent = 'Copied.';
    } catch {
      state.textContent = 'The browser does not allow copying. The text is selected: copy it with the keyboard.';
    }
  };
  return el('div', {}, el('p', { class: 'filters' }, el('button', { type: 'button', onclick: copy }, 'Copy the text for a ticket'), state), details);
}

function acknowledgement(view, answer, again) {
  const known = answer.item.acknowledged, problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const state = known ? `Acknowledged at ${time(known.since)}, until ${time(known.until)}: ${known.comment}` : 'This incident is not acknowledged.';
  if (!answer.may_acknowledge) {
    return [el('p', {}, state), el('p', { class: 'note' }, 'To acknowledge incidents here, the monitor needs a database and a token (--token-file).')];
  }
  const comment = el('input', { name: 'comment', required: true, maxlength: 200, value: known?.comment ?? '' });
  const hours = el('select', { name: 'hours' }, [[4, '4 hours'], [24, '1 day'], [168, '7 days'], [720, '30 days']]
    .map(([value, text]) => el('option', { value, selected: value === 24 }, text)));
  return [el('p', {}, state), el('form', { class: 'filters', onsubmit: async (event) => {
    event.preventDefault();
    try {
      await post(`incidents/${encodeURIComponent(view.rest[0])}/acknowledge`, { comment: comment.value, hours: hours.value });
      await again();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  } }, el('label', {}, 'Comment ', comment), el('label', {}, 'For ', hours), el('button', {}, 'Acknowledge')), problem];
}

/// The page of an incident that has ended, with the times at which its faults began and ended.
async function gone(view, error) {
  if (error.status !== 404) throw error;
  const [guid, port] = view.rest[0].replace('congestion-', '').replace(/^(unknown|unreachable)$/, '').split('-');
  const { events } = await get('events', { limit: 1000 });
  const own = guid ? events.filter((e) => /^fault_/.test(e.kind) && e.guid === `0x${guid}` && (port ? e.port === Number(port) : !e.port)) : [];
  const end = own.find((e) => e.kind === 'fault_ended');
  view.root.append(el('h1', {}, 'Incident'), el('p', { class: 'answer' }, end ? `Over since ${time(end.time)}: ${end.text}.` : 'This incident is over.'), el('p', {},
    guid ? [el('a', { href: port ? `#/port/0x${guid}/${port}?period=86400` : `#/node/0x${guid}` }, 'Last 24 hours of this port or node'), ', '] : [],
    el('a', { href: '#/health' }, 'All open incidents'), '.'),
  own.length ? table('Faults of this cable or node, newest first', [{ title: 'Time', word: true, cell: (e) => time(e.time) },
    { title: 'Kind', cell: (e) => e.kind.replaceAll('_', ' ') }, { title: 'Event', cell: (e) => e.text }], own) : '');
}

export async function show(view) {
  const path = 'incidents/' + encodeURIComponent(view.rest[0]);
  let answer;
  try {
    answer = await get(path);
  } catch (error) {
    return gone(view, error);
  }
  const { item } = answer, known = el('div'), counter = item.findings?.[0].what;
  const counters = [...usual, ...(counter && isErrorCounter(counter) ? [counter] : [])];
  const [timeline, compared] = await Promise.all([happened(item), Promise.all(portsOf(item).map((port) => compare(port, item.since, counters)))]);
  const rates = compared.flatMap((each) => each.rows);
  const charted = counters.at(-1), unit = charted.endsWith('bytes') ? 'B/s' : '/s';
  const charts = compared.filter(({ history }) => history.counters[charted]).map(({ history }, i) => {
    const chart = smallChart(`${portName(portsOf(item)[i])}: ${charted.replaceAll('_', ' ')}`, unit, [['per second', '--hot']]);
    chart.set([history.time_ms, history.counters[charted].mean]);
    return chart;
  });
  const fillKnown = async () => put(known, ...acknowledgement(view, await get(path), fillKnown));
  put(known, ...acknowledgement(view, answer, fillKnown));
  const opened = openedParts(item.findings ? undefined : item.id);
  view.root.append(el('h1', {}, incidentTitle(item)),
    el('p', { class: 'answer' }, `Open for ${longDuration(answer.time - item.since)}, since ${time(item.since)}.`),
    el('h2', {}, item.findings ? 'Fault' : 'Cause'), item.findings ? card(item, opened) : group(item, opened),
    copyButton(asText(item, timeline, rates)),
    el('h2', {}, 'Acknowledgement'), known,
    table('Timeline', [{ title: 'Time', word: true, cell: (row) => time(row.time) }, { title: 'Kind', cell: (row) => row.kind },
      { title: 'Event', cell: (row) => row.text }], timeline),
    el('section', { class: 'hour', 'aria-label': 'Counters over time' }, charts.map((chart) => chart.element)),
    table('Mean rates per second in the 30 minutes before the incident, and since', [{ title: 'Port', cell: (row) => portName(row.port) },
      { title: 'Counter', cell: (row) => row.name.replaceAll('_', ' ') }, { title: 'Before', number: true, cell: (row) => short(row.before) },
      { title: 'Since', number: true, cell: (row) => short(row.since) }], rates));
  view.onShown = () => charts.forEach((chart) => chart.draw());
  view.onLeave(() => charts.forEach((chart) => chart.end()));
  return undefined;
}
