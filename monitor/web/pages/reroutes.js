// Changes of the forwarding tables, and the hosts and jobs that they affected.

import { get } from './api.js';
import { el, put, short, table, time } from './dom.js';

const count = (number) => number === null ? '–' : short(number);
const lasted = (ms) => ms === null || ms === 0 ? '' : ms < 1000 ? ` (${ms} ms)` : ` (${(ms / 1000).toFixed(1)} s)`;

/// The jobs with the most moved and lost pairs of hosts.
function jobs(reroute) {
  if (reroute.jobs_hit === 0) return 'none';
  const listed = [...reroute.jobs].sort((a, b) => b.moved + b.lost - a.moved - a.lost).slice(0, 8);
  const rest = reroute.jobs_hit - listed.length;
  return el('span', {}, listed.map((job) => el('span', { class: 'job' },
    `${job.id}: ${short(job.moved)} of ${short(job.flows)} moved${job.lost ? `, ${short(job.lost)} lost` : ''}`)),
  rest > 0 ? el('span', { class: 'job' }, `and ${rest} more`) : null);
}

export async function show(view) {
  const fill = async () => {
    const { reroutes, total } = await get('reroutes', { limit: 200 });
    put(view.root, el('h1', {}, 'Reroutes'),
      el('p', {}, 'A reroute is a change of the forwarding tables (LFTs). The columns from "Moved" on count pairs of hosts (source and destination).'),
      table('Changes of the forwarding tables', [
        { title: 'Time', word: true, cell: (r) => time(r.time) },
        { title: 'Duration', number: true, cell: (r) => ((r.end - r.time) / 1000).toFixed(1) + ' s' },
        { title: 'Changed LFT entries', number: true, cell: (r) => `${short(r.entries)} on ${count(r.switches)} switches` },
        { title: 'Moved', number: true, term: 'moved', cell: (r) => r.flows ? `${count(r.moved)} of ${count(r.flows)}` : count(r.moved) },
        { title: 'Longer path', number: true, term: 'longer', cell: (r) => count(r.longer) },
        { title: 'Lost', number: true, term: 'lost', cell: (r) => count(r.lost) },
        { title: 'Gained', number: true, term: 'gained', cell: (r) => count(r.gained) },
        { title: 'Without route', number: true, term: 'without route', cell: (r) => count(r.no_route) + lasted(r.no_route_ms) },
        { title: 'In a loop', number: true, term: 'in a loop', cell: (r) => count(r.loop) + lasted(r.loop_ms) },
        { title: 'Jobs with moved or lost pairs', cell: (r) => r.flows_reason ?? jobs(r) },
      ], reroutes, { empty: 'The forwarding tables have not changed since the monitor started.' }),
      el('p', { class: 'more' }, total > reroutes.length ? `The newest ${reroutes.length} of ${total} reroutes.` : ''));
  };
  await fill();
  return fill;
}
