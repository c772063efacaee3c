// Faults as cards, one per cable or node, in order of repair; congestion by cause.

import { get } from './api.js';
import { definitions, el, isErrorCounter, jobLink, percent, portLink, put, short, subject, table, time, verdict } from './dom.js';
import { counterTitle, endsOf, faultKind, healthSentence, incidentTitle, jobsTitle } from './faults.js';
import { more } from './links.js';

const mostCards = 20, mostRows = 20;

const jobLinks = (ids) => ids.length === 0 ? 'none' : ids.slice(0, 8).flatMap((id, i) => [i ? ', ' : '', jobLink({ id })])
  .concat(ids.length > 8 ? [`, and ${ids.length - 8} more`] : []);

const findingColumns = [
  { title: 'Port', cell: portLink },
  { title: 'Counter', cell: (f) => subject(f.what) },
  { title: 'Measured', cell: (f) => f.measured },
  { title: 'Since', cell: (f) => time(f.since) }];

/// What was measured: for counters, the counter, the rate and the limit.
function measurement(finding) {
  const [rate, limit] = finding.measured.split(/, limit (?=[^,]*$)/);
  return isErrorCounter(finding.what) ? [['Counter', counterTitle(finding.what)], ['Measured', rate], ...(limit ? [['Limit', limit]] : [])]
    : [['Measured', finding.measured]];
}

/// The card of a fault; `opened`: openedParts().
export function card(fault, opened) {
  const first = fault.findings[0], rest = fault.findings.slice(1), [end, other] = endsOf(fault);
  const endTitle = isErrorCounter(first.what) ? 'Counted at' : other ? 'One end' : end?.port ? 'Port' : 'Node';
  return el('article', { class: 'fault ' + fault.level },
    el('h3', {}, verdict(fault.level), ' ', el('a', { href: '#/incident/' + fault.id }, faultKind(fault)), fault.acknowledged ? ' (acknowledged)' : ''),
    definitions([...(end ? [[endTitle, portLink(end)]] : []), ...(other ? [['Other end', portLink(other)]] : []),
      ...measurement(first), ['First seen', time(fault.since)], [jobsTitle(fault), el('span', {}, jobLinks(fault.jobs)), 'jobs affected']]),
    el('p', { class: 'advice' }, el('strong', {}, 'What to do: '), fault.advice),
    rest.length ? opened.details(fault.id, `${rest.length} more verdict${rest.length === 1 ? '' : 's'} on this ${fault.peer ? 'cable' : 'node'}`,
      () => table('Also on this ' + (fault.peer ? 'cable' : 'node'), findingColumns, rest)) : null);
}

/// The card of a group of congestion, closed unless it was opened before.
export function group(congestion, opened) {
  const waitColumns = [{ title: 'Port', cell: portLink }, { title: 'Credit wait', number: true, term: 'credit wait', cell: (f) => percent(f.value) },
    { title: 'Since', cell: (f) => time(f.since) }];
  const listed = (title, total, columns, rows) => table(rows.length < total ? `${title}: the first ${rows.length} of ${total}` : title, columns, rows);
  return el('article', { class: 'fault watch' },
    opened.details(congestion.id, incidentTitle(congestion) + (congestion.acknowledged ? ' (acknowledged)' : ''), () => [
      el('p', {}, el('a', { href: '#/incident/' + congestion.id }, 'Timeline and acknowledgement')),
      definitions([['Destination of the traffic', portLink(congestion.target)], ['Since', time(congestion.since)],
        ...(congestion.job ? [['Job', jobLink({ id: congestion.job })], ['Share of the job in the traffic there', percent(congestion.job_share)]] : [])]),
      el('p', { class: 'advice' }, el('strong', {}, 'What to do: '), 'no repair is needed. If the congestion lasts, check the job that fills these links. The page ',
        el('a', { href: '#/advice' }, 'Advice'), ' compares other routes.'),
      congestion.saturated.length ? listed('Links above 80 % utilization, by the port that sends', congestion.saturated_links,
        [{ title: 'Port', cell: portLink }], congestion.saturated) : null,
      listed('Ports waiting for credits', congestion.waiting_ports, waitColumns, congestion.waiting.slice(0, mostRows))]));
}

/// Makes <details> elements that stay open when the page is rendered again. Those with one of `ids` are open at first.
export function openedParts(...ids) {
  const open = new Set(ids);
  return { details(id, summary, content) {
    const place = el('div'), fill = () => put(place, ...[content()].flat());
    if (open.has(id)) fill();
    return el('details', { open: open.has(id), ontoggle: (event) => {
      if (event.target.open) open.add(id);
      else open.delete(id);
      if (event.target.open && !place.hasChildNodes()) fill();
    } }, el('summary', {}, summary), place);
  } };
}

const counted = (p) => Object.entries(p.counters ?? {}).filter(([name, value]) =>
  isErrorCounter(name) && typeof value === 'number' && value > 0)
  .map(([name, value]) => `${short(value)} ${name.replaceAll('_', ' ')}`).join(', ');

export async function show(view) {
  const incidents = el('div'), rest = el('div'), opened = openedParts();
  let rendered = '';
  const fill = async () => {
    const [status, list, verdicts, errors, events] = await Promise.all([get('status'),
      get('incidents', { limit: mostCards, after: view.query.get('after') }), get('verdicts', { limit: 1 }),
      get('ports', { sort: 'errors', limit: 15, fields: 'peer,counters' }), get('events', { limit: 20 })]);
    const answer = healthSentence(status, list), now = JSON.stringify([answer, list.has_verdicts, list.total, list.faults, list.congestion]);
    // Unchanged cards are not rendered again, so that selected text stays selected.
    if (now !== rendered) {
      put(incidents, el('p', { class: 'answer' }, answer),
        list.has_verdicts ? null : el('p', { class: 'note' }, 'No verdicts yet: the monitor needs two sweeps. The table of error counters below is already valid.'),
        el('h2', {}, `Faults: ${list.total}`), list.has_verdicts && list.total === 0 ? el('p', {}, 'No cable and no node has a fault.') : null,
        list.total > 1 ? el('p', { class: 'note' }, 'In order of repair: bad before watch, then links and nodes that are down before errors, then by the number of jobs affected, then the newest.') : null,
        el('div', { class: 'cards' }, list.faults.map((fault) => card(fault, opened))),
        list.total > mostCards ? more(view, list, list.faults) : null,
        el('h2', {}, `Congestion: ${list.congestion.length} ${list.congestion.length === 1 ? 'cause' : 'causes'}`),
        list.congestion.length === 0 ? el('p', {}, 'No port waits for credits above the limit.') : null,
        list.congestion.map((each) => group(each, opened)));
    }
    rendered = now;
    put(rest,
      verdicts.maintenance.length ? table('In maintenance: no verdicts on these ports', [
        { title: 'Port', cell: portLink },
        { title: 'Until', cell: (m) => time(m.until) }, { title: 'Reason', cell: (m) => m.why }], verdicts.maintenance) : null,
      table('Most errors since the counters were cleared', [{ title: 'Port', cell: portLink },
        { title: 'Other end', cell: (p) => portLink(p.peer) }, { title: 'Error counters', cell: counted }],
      errors.ports.filter((p) => counted(p) !== ''), { empty: 'No port has counted an error.' }),
      table('Latest events', [{ title: 'Time', word: true, cell: (e) => time(e.time) }, { title: 'Kind', cell: (e) => e.kind.replaceAll('_', ' ') },
        { title: 'Port or node', cell: (e) => e.guid ? portLink(e) : '–' },
        { title: 'Event', cell: (e) => e.text }], events.events));
  };
  view.root.append(el('h1', {}, 'Health'), incidents, rest);
  await fill();
  return fill;
}
