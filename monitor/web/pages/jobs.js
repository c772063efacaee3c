// The jobs of the last day.

import { get } from './api.js';
import { bytesPerSecond, el, jobLink, put, table, time } from './dom.js';
import { more, sorting } from './links.js';

/// If the traffic of a job is unknown, the cell has the reason as a tooltip.
const ofTraffic = (job, cell) => job.traffic ? cell(job.traffic) : el('span', { title: job.traffic_reason }, '–');
const congested = (t) => [t.hot_links ? `${t.hot_links} above 80 %` : null, t.held_up_links ? `${t.held_up_links} waiting` : null]
  .filter(Boolean).join(', ') || 'none';
const columns = [
  { title: 'Job', cell: jobLink },
  { title: 'User', cell: (j) => j.user ?? '–' },
  { title: 'State', cell: (j) => (j.state || '–') + (j.listed ? '' : ', no longer listed') },
  { title: 'Start', sort: 'start', cell: (j) => time(j.start) },
  { title: 'End', cell: (j) => time(j.end) },
  { title: 'Nodes', number: true, sort: 'nodes', cell: (j) => `${j.nodes}` + (j.unmatched ? ` (${j.unmatched} unknown)` : '') },
  { title: 'Sends', number: true, sort: 'sent', cell: (j) => ofTraffic(j, (t) => bytesPerSecond(t.sent_bytes_per_s)) },
  { title: 'Receives', number: true, sort: 'received', cell: (j) => ofTraffic(j, (t) => bytesPerSecond(t.received_bytes_per_s)) },
  { title: 'Congested links on average', number: true, sort: 'hot_links', term: 'links of jobs', cell: (j) => ofTraffic(j, congested) },
];

export async function show(view) {
  const place = el('div');
  const fill = async () => {
    const [jobs, status] = await Promise.all([get('jobs', { limit: 50, traffic: 1, ...Object.fromEntries(view.query) }), get('status')]);
    const source = status.jobs;
    const note = !source ? status.jobs_reason : source.state === 'stale'
      ? `${source.source} has not answered since ${time(source.stale_since)}: ${source.problem}` : null;
    put(place, note ? el('p', { class: 'problem' }, note) : null,
      table('Jobs of the last 24 hours, with their traffic in the last five minutes', columns, jobs.jobs, sorting(view, 'start')),
      more(view, jobs, jobs.jobs));
  };
  view.root.append(el('h1', {}, 'Jobs'), place);
  await fill();
  return fill;
}
