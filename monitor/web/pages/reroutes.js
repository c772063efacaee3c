// Changes of the forwarding tables, and the hosts and jobs that they affected.

import { get } from './api.js';
import { count, duration, el, grouped, put, table, time } from './dom.js';

const lasted = (ms) => ms === null || ms === 0 ? '' : ` (at most ${duration(ms)})`;
/// From the last reading of the old tables to the first reading of the new ones; events have the time of the end.
const readings = (r) => r.time === r.end ? time(r.time) : el('span', {}, time(r.time), ' ', el('span', { class: 'word' }, `to ${new Date(r.end).toLocaleTimeString()}`));

/// "4 jobs use other paths, none lacks a path now"
export function effectOnJobs(reroute) {
  const lost = reroute.jobs_lost, jobs = count(reroute.jobs_hit, 'job');
  if (reroute.jobs_hit === 0) return 'no job is affected';
  return lost === 0 ? `${jobs} ${reroute.jobs_hit === 1 ? 'uses' : 'use'} other paths, none lacks a path now` : `${jobs} affected, ${lost} of them without a path now`;
}

/// The jobs with the most moved and lost pairs of hosts.
function jobs(reroute) {
  if (reroute.jobs_hit === 0) return 'none';
  const listed = [...reroute.jobs].sort((a, b) => b.moved + b.lost - a.moved - a.lost).slice(0, 8);
  const rest = reroute.jobs_hit - listed.length;
  return el('span', {}, el('span', { class: 'job' }, effectOnJobs(reroute)), listed.map((job) => el('span', { class: 'job' },
    `${job.id}: ${grouped(job.moved)} of ${grouped(job.flows)} moved${job.lost ? `, ${grouped(job.lost)} lost` : ''}`)),
  rest > 0 ? el('span', { class: 'job' }, `and ${rest} more`) : null);
}

export async function show(view) {
  const fill = async () => {
    const { reroutes, total } = await get('reroutes', { limit: 200 });
    put(view.root, el('h1', {}, 'Reroutes'),
      el('p', {}, 'A reroute is a change of the forwarding tables (LFTs). The columns from "Moved" on count pairs of hosts (source and destination).'),
      table('Changes of the forwarding tables', [
        { title: 'Time', cell: readings },
        { title: 'Duration', number: true, cell: (r) => r.time === r.end ? '–' : duration(r.end - r.time) },
        { title: 'Changed LFT entries', number: true, cell: (r) => `${grouped(r.entries)} on ${count(r.switches, 'switch', 'switches')}` },
        { title: 'Moved', number: true, term: 'moved', cell: (r) => r.flows ? `${grouped(r.moved)} of ${grouped(r.flows)}` : grouped(r.moved) },
        { title: 'Longer path', number: true, term: 'longer', cell: (r) => grouped(r.longer) },
        { title: 'Lost', number: true, term: 'lost', cell: (r) => grouped(r.lost) },
        { title: 'Gained', number: true, term: 'gained', cell: (r) => grouped(r.gained) },
        { title: 'Without route', number: true, term: 'without route', cell: (r) => grouped(r.no_route) + lasted(r.no_route_ms) },
        { title: 'In a loop', number: true, term: 'in a loop', cell: (r) => grouped(r.loop) + lasted(r.loop_ms) },
        { title: 'Jobs with moved or lost pairs', cell: (r) => r.flows_reason ?? jobs(r) },
      ], reroutes, { empty: 'The forwarding tables have not changed since the monitor started.' }),
      el('p', { class: 'more' }, total > reroutes.length ? `The newest ${reroutes.length} of ${total} reroutes.` : ''));
  };
  await fill();
  return fill;
}
