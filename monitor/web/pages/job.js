// Does the network slow this job down? Its traffic over time, its links, and the other jobs on them.

import uPlot from './uPlot.esm.js';
import { get } from './api.js';
import { curve, dataTable, frame, shiftedByWeek } from './chart.js';
import { bar, bytesPerSecond, count, definitions, el, fitness, grouped, jobLink, nodeLink, percent, portLink, portName, put, short, table, time, verdict, waitBar } from './dom.js';
import { faultLink } from './faults.js';
import { certainRange, compared, compareLink, periodChoice, shareBar, since, windowNote } from './who.js';

function chartOptions(width, series) {
  const style = getComputedStyle(document.documentElement);
  return { ...frame(width, 200, 'B/s'), series: [{}, ...series.map(([label, color, dash]) => curve(label, style.getPropertyValue(color), 'B/s', dash))] };
}

/// Drawn once the page is on the screen, because it has no width before. `earlier`: the timeline of the same hosts a week earlier, or null.
function timeline(view, now, earlier) {
  const place = el('div', { class: 'chart', role: 'img', 'aria-label': 'Bytes per second that the hosts of the job sent and received over time' });
  const width = () => Math.max(280, Math.min(1180, document.getElementById('main').clientWidth - 34));
  const series = [['sent', '--little'], ['received', '--busy', [7, 4]]], values = [now.sent_bytes_per_s, now.received_bytes_per_s];
  if (earlier) {
    series.push(['sent a week earlier', '--idle'], ['received a week earlier', '--some', [2, 3]]);
    values.push(...shiftedByWeek(earlier.time, [earlier.sent_bytes_per_s, earlier.received_bytes_per_s], now.time));
  }
  let chart = null;
  view.onShown = () => {
    chart = new uPlot(chartOptions(width(), series), [now.time.map((t) => t / 1000), ...values], place);
  };
  const fit = () => chart?.setSize({ width: width(), height: 200 });
  addEventListener('resize', fit);
  view.onLeave(() => {
    removeEventListener('resize', fit);
    chart?.destroy();
  });
  return el('div', {}, place, dataTable('Throughput of the job over time', series.map(([label]) => label), 'B/s', () => [now.time, ...values]));
}

const others = (link) => link.others.length === 0 ? 'none'
  : link.others.slice(0, 3).flatMap((o, i) => [i ? ', ' : '', jobLink(o), ` ${percent(o.share)}`]);
/// "62 % (40 % a week earlier)"
const withEarlier = (link, value, show = bar) => el('span', {}, show(value(link)), link.week_before ? ` (${percent(value(link.week_before))} a week earlier)` : '');
const linkColumns = [
  { title: 'From', cell: portLink },
  { title: 'To', cell: (l) => portLink(l.peer) },
  { title: 'Bytes of the job', number: true, cell: (l) => short(l.share * l.bytes, 'B') },
  { title: 'Share', number: true, term: 'share', cell: (l) => shareBar(l.share) },
  { title: 'Certain range', number: true, term: 'certain range', cell: certainRange },
  { title: 'Evidence', term: 'evidence', cell: (l) => el('a', { href: `#/who/${l.guid}/${l.port}` }, l.evidence) },
  { title: 'Utilization', number: true, term: 'utilization', cell: (l) => withEarlier(l, (u) => u.utilisation) },
  { title: 'Credit wait', number: true, term: 'credit wait', cell: (l) => withEarlier(l, (u) => u.waiting_share, waitBar) },
  { title: 'Faults', term: 'verdict', cell: (l) => el('span', { title: l.reasons.join(' ') }, verdict(l.verdict)) },
  { title: 'Other jobs', cell: (l) => el('span', {}, others(l)) },
];

/// Answers whether the network slows the job down, in one sentence. A link counts once, whichever of its directions is meant. `incidents`:
/// also those of links that are not listed.
function answer(id, links, incidents) {
  const cable = (l) => [l, l.peer].map((end) => `${end.guid}-${end.port}`).sort().join(' ');
  const found = (is) => [...new Map(links.links.filter(is).map((l) => [cable(l), l])).values()];
  const bad = found((l) => l.verdict === 'bad' || l.verdict === 'watch'), slow = found((l) => l.hot || l.held_up);
  const blind = found((l) => l.waiting_share === null);
  const onPaths = incidents.faults.filter((fault) => fault.jobs.includes(id)).length, causes = incidents.congestion.filter((group) => group.job === id).length;
  const parts = [slow.length ? `${count(slow.length, 'link')} above 80 % utilization or waiting for credits` : '',
    bad.length || onPaths ? `${count(Math.max(bad.length, onPaths), 'fault')} on its paths` : '',
    causes ? count(causes, 'open congestion cause') : ''].filter(Boolean);
  const text = (parts.length ? `Network: this job has ${parts.join(', ')}` : 'Network: no link of this job is above 80 % utilization, waits for credits or has a fault') +
    (blind.length ? `; the credit wait of ${count(blind.length, 'link')} is unknown.` : '.');
  const reasons = bad.flatMap((l) => l.reasons.map((reason) => `${portName(l)} to ${portName(l.peer)}: ${reason}`)).slice(0, 5);
  return el('div', {}, el('p', { class: 'answer' }, text), reasons.length ? el('ul', {}, reasons.map((r) => el('li', {}, r))) : null);
}

const meanRate = (sum, links) => bytesPerSecond(sum / links.window.seconds);
/// "1.2 GB/s (highest: 3.4 GB/s)"; `rates`: of the timeline.
const meanAndHighest = (sum, rates, links) => {
  const known = rates.filter((rate) => rate !== null);
  return meanRate(sum, links) + (known.length ? ` (highest: ${bytesPerSecond(Math.max(...known))})` : '');
};
/// What the hosts of the job sent and received a week earlier, and which jobs ran on them.
function weekBefore(links) {
  const earlier = links.week_before;
  if (earlier === undefined) return [];
  if (earlier === null) return [el('p', { class: 'note' }, `No data of a week earlier: ${links.week_before_reason}.`)];
  return [definitions([['Hosts a week earlier', String(earlier.hosts)], ['Sent a week earlier', meanRate(earlier.sent, earlier)],
    ['Received a week earlier', meanRate(earlier.received, earlier)],
    ['Jobs on these hosts a week earlier', el('span', {}, earlier.jobs.length ? earlier.jobs.slice(0, 8).flatMap((job, i) => [i ? ', ' : '', jobLink(job)])
      .concat(earlier.jobs.length > 8 ? [`, and ${earlier.jobs.length - 8} more`] : []) : 'none')]]),
  windowNote(earlier.window)];
}

function traffic(view, id, links, incidents) {
  const waiting = waitingFor(id, incidents);
  if (links.reason) return [el('p', { class: 'note' }, `No data: ${links.reason}.`), windowNote(links.window), waiting];
  return [answer(id, links, incidents),
    definitions([['Sent, mean', meanAndHighest(links.sent, links.timeline.sent_bytes_per_s, links)],
      ['Received, mean', meanAndHighest(links.received, links.timeline.received_bytes_per_s, links)],
      ['Possible links', String(links.may_use), 'possible links']]),
    waiting, ...weekBefore(links), timeline(view, links.timeline, links.week_before?.timeline), windowNote(links.window),
    links.held_up_by.length ? table('Other jobs on saturated or waiting links of this job', [
      { title: 'Job', cell: jobLink }, { title: 'User', cell: (o) => o.user ?? '–' },
      { title: 'Links', number: true, cell: (o) => String(o.links) },
      { title: 'Largest share', number: true, cell: (o) => shareBar(o.largest_share) }], links.held_up_by) : null,
    el('p', {}, el('a', { href: '#/map?by=job&job=' + encodeURIComponent(id) }, 'Links of this job on the map')),
    table('Links of this job, one row per direction, by bytes', linkColumns, links.links)];
}

/// Nodes of the job that are not fit for jobs; a host with several adapters has one row.
function unfit(job) {
  const known = new Map(job.nodes.filter((n) => n.fit && n.fit !== 'yes').map((n) => [n.job_name, n]));
  if (known.size === 0) return null;
  return table('Nodes of this job that are not fit for jobs', [{ title: 'Node', cell: nodeLink }, { title: 'Name in the scheduler', cell: (n) => n.job_name },
    { title: 'Fit for jobs', word: true, term: 'fit for jobs', cell: fitness }, { title: 'Reasons', cell: (n) => n.fit_reasons.join('; ') }], [...known.values()]);
}

/// Ports that wait for credits on links that this job fills most, by cause; null if there are none. `list`: the incidents.
function waitingFor(id, list) {
  const mine = list.congestion.filter((group) => group.job === id);
  if (mine.length === 0) return null;
  const rows = mine.flatMap((group) => group.waiting.map((port) => ({ port, group })));
  const total = mine.reduce((sum, group) => sum + group.waiting_ports, 0), title = `Hosts and switch ports that waited because of this job, by the verdicts of ${time(list.time)}`;
  return table(rows.length < total ? `${title}: ${rows.length} of ${grouped(total)}` : title, [
    { title: 'Port', cell: (row) => portLink(row.port) },
    { title: 'Credit wait', number: true, term: 'credit wait', cell: (row) => percent(row.port.value) },
    { title: 'Since', cell: (row) => time(row.port.since) },
    { title: 'Cause', cell: (row) => faultLink(row.group) }], rows);
}

export async function show(view) {
  const [id] = view.rest, path = 'jobs/' + encodeURIComponent(id);
  const { job } = await get(path);
  view.root.append(el('h1', {}, `Job ${job.id} ${job.name}`),
    definitions([['User', job.user ?? '–'], ['State', job.state || '–'], ['Start', time(job.start)],
      ['End', time(job.end)], ['Nodes', String(job.nodes.length)],
      ['Names that match no adapter', job.unmatched.length ? job.unmatched.slice(0, 20).join(', ') : 'none']]),
    el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() }, periodChoice(view, 'last 10 minutes of the job'), compareLink(view)));
  put(view.root.appendChild(el('div')), unfit(job));
  try {
    const [links, incidents] = await Promise.all([get(path + '/links', { since: since(view), ...compared(view) }), get('incidents', { limit: 1000 })]);
    view.root.append(...traffic(view, id, links, incidents).filter(Boolean));
  } catch (error) {
    view.root.append(el('p', { class: 'problem', role: 'alert' }, error.message));
  }
  view.root.append(
    job.reroutes.length ? table('Changes of the forwarding tables during the job', [{ title: 'Time', cell: (r) => time(r.time) },
      { title: 'Event', cell: (r) => r.text }], job.reroutes) : el('p', { class: 'note' }, 'The forwarding tables did not change during the job.'),
    el('details', {}, el('summary', {}, `All nodes of this job: ${job.nodes.length}`),
      table('Nodes', [{ title: 'Node', cell: nodeLink }, { title: 'Name in the scheduler', cell: (n) => n.job_name },
        { title: 'Fit for jobs', word: true, term: 'fit for jobs', cell: fitness }], job.nodes)));
}
