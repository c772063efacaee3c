// Who uses this link? Jobs with their share, what it can be at least and at most for certain, and
// what the share rests on.

import { get } from './api.js';
import { bar, definitions, el, percent, portLink, short, table, time } from './dom.js';
import { choice } from './links.js';
import { askedTime, pastNote } from './timeline.js';

export const meanings = {
  'only user': 'no other job can have used the link',
  'time series': 'the link moves with the job, and with no other that may have used it',
  'estimate': 'nothing tells it apart: any share within what is certain may be true',
};
/// A large share is nothing bad, so it has no colour of its own.
export const shareBar = (share) => el('span', { class: 'bar' },
  el('meter', { min: 0, max: 1, value: share, 'aria-hidden': 'true' }), percent(share));
const range = (low, high) => `${percent(low)} to ${percent(high)}`;
export function jobLink(job) {
  return job.id === null ? 'hosts in no job'
    : el('a', { href: '#/job/' + encodeURIComponent(job.id) }, job.name ? `${job.id} ${job.name}` : job.id);
}
export const userColumns = [
  { title: 'Job', cell: jobLink },
  { title: 'User', cell: (j) => j.user ?? '–' },
  { title: 'Share', number: true, cell: (j) => shareBar(j.share) },
  { title: 'Probably', number: true, cell: (j) => j.evidence === 'time series' ? range(j.low, j.high) : '–' },
  { title: 'Certainly', number: true, cell: (j) => range(j.sure_low, j.sure_high) },
  { title: 'Evidence', cell: (j) => el('span', { title: meanings[j.evidence] }, j.evidence) },
  { title: 'Remark', cell: (j) => j.wide_reason || '–' },
];

export function windowNote(window) {
  const parts = [`${window.sweeps} ${window.level === 'raw' ? 'sweeps' : 'periods of level ' + window.level}, ` +
    `${time(window.since)} to ${time(window.until)}.`];
  if (window.jobs_stale_since) parts.push(`Jobs are stale since ${time(window.jobs_stale_since)}.`);
  for (const remark of window.remarks) parts.push(remark + '.');
  return el('p', { class: 'note' }, parts.join(' '));
}
export const periodChoice = (view, first) => choice(view, 'period', 'Time', [['', first], ['3600', 'last hour'],
  ['21600', 'last 6 hours'], ['86400', 'last day'], ['604800', 'last 7 days']]);
export function since(view) {
  const period = Number(view.query.get('period') ?? 0);
  return period ? Date.now() - 1000 * period : undefined;
}
/// The five minutes that end then.
const minutesBefore = (at) => ({ since: at - 300e3, until: at + 1 });

export async function show(view) {
  const [guid, number] = view.rest;
  const at = askedTime(view);
  const users = await get(`links/${guid}/${number}/users`, at === null ? { since: since(view) } : minutesBefore(at));
  view.root.append(el('h1', {}, 'Who uses ', portLink(users), ' to ', portLink(users.peer)),
    at === null ? el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() }, periodChoice(view, 'last 5 minutes'))
      : pastNote(view, `In the 5 minutes up to ${time(at)}.`),
    definitions([['Carried', short(users.bytes, 'B')], ['Utilisation', bar(users.utilisation), 'utilisation'],
      ['Credit wait', bar(users.waiting_share), 'credit wait'], ['Not explained', percent(users.unexplained)]]),
    table('Jobs', userColumns, users.jobs, { empty: 'No job: the link carried nothing.' }),
    windowNote(users.window),
    el('p', { class: 'note' }, Object.entries(meanings).map(([word, text]) => `${word}: ${text}. `).join('')));
}
