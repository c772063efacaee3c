// Is it the network? The jobs there are; one with its nodes, its traffic over time, its links and
// who shares them.

import uPlot from './uPlot.esm.js';
import { get } from './api.js';
import { curve, dataTable, frame } from './chart.js';
import { bar, bytesPerSecond, definitions, el, fitness, nodeLink, percent, portLink, put, short, table, time, verdict } from './dom.js';
import { more } from './links.js';
import { jobLink, meanings, periodChoice, shareBar, since, windowNote } from './who.js';

const jobColumns = [
  { title: 'Job', cell: jobLink },
  { title: 'User', cell: (j) => j.user ?? '–' },
  { title: 'State', cell: (j) => (j.state || '–') + (j.listed ? '' : ', no longer listed') },
  { title: 'Start', sort: 'start', cell: (j) => time(j.start) },
  { title: 'End', cell: (j) => time(j.end) },
  { title: 'Nodes', number: true, sort: 'nodes', cell: (j) => `${j.nodes}` + (j.unmatched ? ` (${j.unmatched} unknown)` : '') },
  { title: 'Sends', number: true, sort: 'sent', cell: (j) => ofTraffic(j, (t) => bytesPerSecond(t.sent_bytes_per_s)) },
  { title: 'Receives', number: true, sort: 'received', cell: (j) => ofTraffic(j, (t) => bytesPerSecond(t.received_bytes_per_s)) },
  { title: 'Busy links', number: true, sort: 'hot_links', cell: (j) => ofTraffic(j, slowLinks) },
];
/// Of a job of which nothing is known the reason is there for whoever points at the dash.
const ofTraffic = (job, cell) => job.traffic ? cell(job.traffic) : el('span', { title: job.traffic_reason }, '–');
const slowLinks = (t) => [t.hot_links ? `${t.hot_links} above 80 %` : null, t.held_up_links ? `${t.held_up_links} waiting` : null]
  .filter(Boolean).join(', ') || 'none';

async function list(view) {
  const place = el('div');
  const fill = async () => {
    const [jobs, status] = await Promise.all([get('jobs', { limit: 50, traffic: 1, ...Object.fromEntries(view.query) }), get('status')]);
    const source = status.jobs;
    const note = !source ? status.jobs_reason : source.state === 'stale'
      ? `${source.source} does not answer since ${time(source.stale_since)}: ${source.problem}` : null;
    place.replaceChildren(note ? el('p', { class: 'problem' }, note) : '',
      table('Jobs of the last day, their traffic in the last five minutes', jobColumns, jobs.jobs,
        { sorted: view.query.get('sort') ?? 'start', link: (sort) => view.link({ sort, after: null }) }), more(view, jobs));
  };
  view.root.append(el('h1', {}, 'Jobs'), place);
  await fill();
  return fill;
}

function chartOptions(width) {
  const style = getComputedStyle(document.documentElement);
  const line = (label, name, dash) => curve(label, style.getPropertyValue(name), 'B/s', dash);
  return { ...frame(width, 200, 'B/s'), series: [{}, line('its hosts sent', '--little'), line('received', '--busy', [7, 4])] };
}

/// Drawn once the page is on the screen, for it has no width before.
function timeline(view, series) {
  const place = el('div', { class: 'chart', role: 'img', 'aria-label': 'What the hosts of the job sent and received over time' });
  const width = () => Math.max(280, Math.min(1180, document.getElementById('main').clientWidth - 34));
  let chart = null;
  view.onShown = () => {
    chart = new uPlot(chartOptions(width()),
      [series.time.map((t) => t / 1000), series.sent_bytes_per_s, series.received_bytes_per_s], place);
  };
  const fit = () => chart?.setSize({ width: width(), height: 200 });
  addEventListener('resize', fit);
  view.onLeave(() => {
    removeEventListener('resize', fit);
    chart?.destroy();
  });
  return el('div', {}, place, dataTable('Throughput of the job over time', ['its hosts sent', 'received'], 'B/s',
    () => [series.time, series.sent_bytes_per_s, series.received_bytes_per_s]));
}

const others = (link) => link.others.length === 0 ? 'nobody'
  : link.others.slice(0, 3).flatMap((o, i) => [i ? ', ' : '', jobLink(o), ` ${percent(o.share)}`]);
const linkColumns = [
  { title: 'From', cell: portLink },
  { title: 'To', cell: (l) => portLink(l.peer) },
  { title: 'Its bytes', number: true, cell: (l) => short(l.share * l.bytes, 'B') },
  { title: 'Its share', number: true, cell: (l) => shareBar(l.share) },
  { title: 'Certainly', number: true, cell: (l) => `${percent(l.sure_low)} to ${percent(l.sure_high)}` },
  { title: 'Evidence', cell: (l) => el('a', { href: `#/who/${l.guid}/${l.port}`, title: meanings[l.evidence] }, l.evidence) },
  { title: 'Utilisation', number: true, term: 'utilisation', cell: (l) => bar(l.utilisation) },
  { title: 'Credit wait', number: true, term: 'credit wait', cell: (l) => bar(l.waiting_share) },
  { title: 'Cable', cell: (l) => el('span', { title: l.reasons.join(' ') }, verdict(l.verdict)) },
  { title: 'Also', cell: (l) => el('span', {}, others(l)) },
];

/// What the figures say to whoever asks whether it is the network.
function answer(links) {
  const bad = links.links.filter((l) => l.verdict === 'bad' || l.verdict === 'watch');
  const slow = links.links.filter((l) => l.hot || l.held_up);
  const text = [];
  if (slow.length) text.push(`${slow.length} of its links are above 80 % utilisation or wait for credits.`);
  if (bad.length) text.push(`${bad.length} of its links have a verdict.`);
  if (!text.length) text.push('None of its links is above 80 % utilisation, waits for credits or has a verdict.');
  const reasons = [...new Set(bad.flatMap((l) => l.reasons))].slice(0, 5);
  return el('div', {}, el('p', {}, text.join(' ')), reasons.length ? el('ul', {}, reasons.map((r) => el('li', {}, r))) : null);
}

function traffic(view, id, links) {
  if (links.reason) return [el('p', { class: 'note' }, `Nothing to show: ${links.reason}.`), windowNote(links.window)];
  return [answer(links),
    definitions([['Sent', short(links.sent, 'B')], ['Received', short(links.received, 'B')],
      ['Links that it may use', String(links.may_use)]]),
    timeline(view, links.timeline), windowNote(links.window),
    links.held_up_by.length ? table('Other jobs on its saturated or waiting links', [
      { title: 'Job', cell: jobLink }, { title: 'User', cell: (o) => o.user ?? '–' },
      { title: 'Links', number: true, cell: (o) => String(o.links) },
      { title: 'Largest share', number: true, cell: (o) => shareBar(o.largest_share) }], links.held_up_by) : null,
    el('p', {}, el('a', { href: '#/map?by=job&job=' + encodeURIComponent(id) }, 'Its links on the map')),
    table('Its links, by its bytes', linkColumns, links.links)];
}

/// Nodes of the job that should not have got it; a machine with several adapters is there once.
function unfit(job) {
  const known = new Map(job.nodes.filter((n) => n.fit && n.fit !== 'yes').map((n) => [n.job_name, n]));
  if (known.size === 0) return null;
  return table('Nodes of it that are not fit for jobs', [{ title: 'Node', cell: nodeLink }, { title: 'As the scheduler calls it', cell: (n) => n.job_name },
    { title: 'Fit for jobs', word: true, cell: fitness }, { title: 'Because', cell: (n) => n.fit_reasons.join('; ') }], [...known.values()]);
}

async function one(view, id) {
  const path = 'jobs/' + encodeURIComponent(id);
  const { job } = await get(path);
  view.root.append(el('h1', {}, `Job ${job.id} ${job.name}`),
    definitions([['User', job.user ?? '–'], ['State', job.state || '–'], ['Start', time(job.start)],
      ['End', time(job.end)], ['Nodes', String(job.nodes.length)],
      ['Names that match no adapter', job.unmatched.length ? job.unmatched.slice(0, 20).join(', ') : 'none']]),
    el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
      periodChoice(view, 'its last 10 minutes')));
  put(view.root.appendChild(el('div')), unfit(job));
  try {
    view.root.append(...traffic(view, id, await get(path + '/links', { since: since(view) })).filter(Boolean));
  } catch (error) {
    view.root.append(el('p', { class: 'problem', role: 'alert' }, error.message));
  }
  view.root.append(
    job.reroutes.length ? table('Tables that changed during its life', [{ title: 'Time', cell: (r) => time(r.time) },
      { title: 'What', cell: (r) => r.text }], job.reroutes) : el('p', { class: 'note' }, 'No tables changed during its life.'),
    el('details', {}, el('summary', {}, `Its ${job.nodes.length} nodes`),
      table('Nodes', [{ title: 'Node', cell: nodeLink }, { title: 'As the scheduler calls it', cell: (n) => n.job_name },
        { title: 'Fit for jobs', word: true, cell: fitness }], job.nodes)));
}

export function show(view) {
  return view.rest.length ? one(view, view.rest[0]) : list(view);
}
