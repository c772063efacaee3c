// What did changes of the forwarding tables do, and to whom?

import { get } from './api.js';
import { el, short, table, time } from './dom.js';

const count = (number) => number === null ? '–' : short(number);
const lasted = (ms) => ms === null || ms === 0 ? '' : ms < 1000 ? ` (${ms} ms)` : ` (${(ms / 1000).toFixed(1)} s)`;

/// Jobs by the flows that moved; the first ones by name.
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
    view.root.replaceChildren(el('h1', {}, 'Reroutes'),
      el('p', {}, 'A reroute is a change of the forwarding tables. Flows are pairs of hosts: one that moved takes another path, ' +
        'and one without route, or in a loop, did not arrive until the switches on its way were written.'),
      table('Changes of the forwarding tables', [
        { title: 'Time', cell: (r) => time(r.time) },
        { title: 'Took', number: true, cell: (r) => ((r.end - r.time) / 1000).toFixed(1) + ' s' },
        { title: 'Entries', number: true, cell: (r) => short(r.entries) },
        { title: 'Blocks', number: true, cell: (r) => short(r.blocks) },
        { title: 'Switches', number: true, cell: (r) => short(r.switches) },
        { title: 'Moved', number: true, cell: (r) => r.flows ? `${count(r.moved)} of ${count(r.flows)}` : count(r.moved) },
        { title: 'Longer', number: true, cell: (r) => count(r.longer) },
        { title: 'Lost', number: true, cell: (r) => count(r.lost) },
        { title: 'Gained', number: true, cell: (r) => count(r.gained) },
        { title: 'Without route', number: true, cell: (r) => count(r.no_route) + lasted(r.no_route_ms) },
        { title: 'In a loop', number: true, cell: (r) => count(r.loop) + lasted(r.loop_ms) },
        { title: 'Jobs with moved or lost flows', cell: (r) => r.flows_reason ?? jobs(r) },
      ], reroutes, { empty: 'The tables have not changed since the monitor began to read them.' }),
      el('p', { class: 'more' }, total > reroutes.length ? `The newest ${reroutes.length} of ${total}.` : ''));
  };
  await fill();
  return fill;
}
