// The jobs that use one direction of a link, with their shares and what the shares are based on.

import { get } from './api.js';
import { bar, capital, el, jobLink, percent, portLink, put, short, table, time, waitBar } from './dom.js';
import { choice } from './links.js';
import { askedTime, pastNote } from './timeline.js';

/// Shares are neither good nor bad, so they have no color of their own.
export const shareBar = (share) => el('span', { class: 'bar' },
  el('meter', { min: 0, max: 1, value: share, 'aria-hidden': 'true' }), percent(share));
const range = (low, high) => `${percent(low)} to ${percent(high)}`;
export const certainRange = (share) => range(share.sure_low, share.sure_high);
const userColumns = [
  { title: 'Job', cell: jobLink },
  { title: 'User', cell: (j) => j.user ?? '–' },
  { title: 'Share', number: true, term: 'share', cell: (j) => shareBar(j.share) },
  { title: '95 % interval', number: true, term: 'interval', cell: (j) => j.evidence === 'time series' ? range(j.low, j.high) : '–' },
  { title: 'Certain range', number: true, term: 'certain range', cell: certainRange },
  { title: 'Evidence', term: 'evidence', cell: (j) => j.evidence },
  { title: 'Remark', cell: (j) => j.wide_reason || '–' },
];

const levels = { raw: 'sweeps', memory: 'sweeps', '5min': 'periods of five minutes', hour: 'hours' };
export function windowNote(window) {
  const parts = [`${window.sweeps} ${levels[window.level] ?? window.level} from ${time(window.since)} to ${time(window.until)}.`];
  if (window.jobs_stale_since) parts.push(`The job list is out of date since ${time(window.jobs_stale_since)}.`);
  for (const remark of window.remarks) parts.push(capital(remark) + '.');
  return el('p', { class: 'note' }, parts.join(' '));
}
export const periodChoice = (view, first) => choice(view, 'period', 'Period', [['', first], ['3600', 'last hour'],
  ['21600', 'last 6 hours'], ['86400', 'last 24 hours'], ['604800', 'last 7 days']]);
export function since(view) {
  const period = Number(view.query.get('period') ?? 0);
  return period ? Date.now() - 1000 * period : undefined;
}
/// Turns the comparison with the same time a week earlier on and off.
export const compareLink = (view) => el('a', { href: view.link({ compare: view.query.get('compare') ? null : '1' }),
  'aria-current': view.query.get('compare') ? 'true' : null }, 'compare with a week earlier');
/// Parameters of the API for the comparison.
export const compared = (view) => ({ week_before: view.query.get('compare') });

/// The five minutes that end at that time.
const minutesBefore = (at) => ({ since: at - 300e3, until: at + 1 });
const rate = (users) => short(users.bytes / users.window.seconds, 'B/s');

/// The whole link, as rows of a table: one for each of the times that are compared.
function totals(times) {
  return table('All traffic on this direction of the link', [
    { title: 'Time', cell: ([title]) => title },
    { title: 'Throughput', number: true, cell: ([, u]) => rate(u) },
    { title: 'Bytes', number: true, cell: ([, u]) => short(u.bytes, 'B') },
    { title: 'Utilization', number: true, term: 'utilization', cell: ([, u]) => bar(u.utilisation) },
    { title: 'Credit wait', number: true, term: 'credit wait', cell: ([, u]) => waitBar(u.waiting_share) },
    { title: 'Unexplained', number: true, term: 'unexplained', cell: ([, u]) => percent(u.unexplained) }], times);
}

function weekBefore(users) {
  if (users.week_before === undefined) return null;
  if (users.week_before === null) return el('p', { class: 'note' }, `No data of a week earlier: ${users.week_before_reason}.`);
  return [table('Jobs a week earlier', userColumns, users.week_before.jobs, { empty: 'The link carried no traffic.' }), windowNote(users.week_before.window)];
}

export async function show(view) {
  const [guid, number] = view.rest;
  const at = askedTime(view), place = el('div');
  const users = await get(`links/${guid}/${number}/users`, { ...(at === null ? { since: since(view) } : minutesBefore(at)), ...compared(view) });
  view.root.append(el('h1', {}, 'Jobs on the link from ', portLink(users), ' to ', portLink(users.peer)),
    at === null ? '' : pastNote(view, `In the 5 minutes up to ${time(at)}.`),
    el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() }, at === null ? periodChoice(view, 'last 5 minutes') : '', compareLink(view)), place);
  put(place, totals([['this period', users], ...(users.week_before ? [['a week earlier', users.week_before]] : [])]),
    table('Jobs', userColumns, users.jobs, { empty: 'The link carried no traffic.' }), windowNote(users.window), weekBefore(users));
}
