// Would other forwarding tables help? Engines compared under the measured traffic, with confidence intervals. The page does not change the
// fabric.

import { get } from './api.js';
import { definitions, el, grouped, percent, short, table, time } from './dom.js';

const number = (part) => (100 * (Math.abs(part) < 5e-4 ? 0 : part)).toFixed(1);
/// "59.6 % [50.1 .. 69.2]", with a bar of the interval: the part on the right of the line is a gain.
function gain(quantity) {
  if (!quantity) return '–';
  const at = (part) => 50 + 50 * Math.max(-1, Math.min(1, part));
  const low = at(quantity.lower), high = at(quantity.upper);
  const svg = (tag, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const picture = svg('svg', { viewBox: '0 0 100 12', class: 'interval', 'aria-hidden': 'true' });
  picture.append(svg('line', { x1: 50, x2: 50, y1: 0, y2: 12, class: 'zero' }),
    svg('rect', { x: low, y: 4, width: Math.max(1, high - low), height: 4, class: 'range' }),
    svg('circle', { cx: at(quantity.gain), cy: 6, r: 3, class: 'mean' }));
  return el('span', { class: 'gain' }, picture,
    el('span', {}, `${number(quantity.gain)} % [${number(quantity.lower)} .. ${number(quantity.upper)}]`));
}

const columns = [
  { title: 'Engine', cell: (p) => p.tables },
  { title: 'Time saved on the busiest link', cell: (p) => gain(p.busiest_channel) },
  { title: 'Time saved, mean over bytes', cell: (p) => gain(p.mean_congestion) },
  { title: 'Gain of bisection bandwidth', cell: (p) => gain(p.bisection_bandwidth) },
  { title: 'Changed LFT entries', number: true, cell: (p) => grouped(p.entries) },
  { title: 'Host pairs moved', number: true, cell: (p) => p.pairs ? percent(p.pairs_moved / p.pairs) : '–' },
  { title: 'Bytes moved', number: true, cell: (p) => percent(p.bytes_moved) },
  { title: 'Virtual lanes', number: true, cell: (p) => p.lanes === undefined ? '–' : p.lanes === null ? '> 8' : String(p.lanes) },
];

const pairColumns = [
  { title: 'From', cell: (p) => p.from },
  { title: 'To', cell: (p) => p.to },
  { title: 'Job', cell: (p) => p.job ?? 'no job' },
  { title: 'Flows', number: true, cell: (p) => String(p.flows) },
  { title: 'Bytes', number: true, cell: (p) => short(p.bytes, 'B') },
];
const avoidingColumns = [
  { title: 'Engine', cell: (a) => a.tables },
  { title: 'Flows moved away', number: true, cell: (a) => String(a.flows) },
  { title: 'Bytes moved away', number: true, cell: (a) => percent(a.bytes) },
  { title: 'Remaining load of the link', number: true, cell: (a) => percent(a.busy) },
];
const cableColumns = [
  { title: 'New cable from', cell: (c) => c.from },
  { title: 'To', cell: (c) => c.to + (c.parallel ? ' (parallel)' : '') },
  { title: 'Flows on the new cable', number: true, cell: (c) => String(c.flows) },
  { title: 'Remaining load of the link', number: true, cell: (c) => percent(c.busy) },
  { title: 'Load of the new cable', number: true, cell: (c) => percent(c.cable_busy) },
  { title: 'Gain of these flows', number: true, cell: (c) => percent(c.gain) },
  { title: 'Free ports at the two ends', number: true, cell: (c) => c.free_ports.join(', ') },
];
function about(channel) {
  return [
    el('h2', {}, `Link ${channel.name}`),
    el('p', {}, `This direction of the link carried ${channel.flows} flows with ${short(channel.bytes, 'B')} and was busy ${percent(channel.busy)} of the time.`),
    table('Traffic on this link', pairColumns, channel.pairs.slice(0, 20)),
    table('Traffic that other tables would move away', avoidingColumns, channel.avoiding),
    table('Additional cables that would help, one at a time', cableColumns, channel.cables, {
      empty: channel.cables_without_ports ? 'None between switches with free ports.'
        : 'None: other links delay these flows, too.' }),
  ];
}

function render(made, advice) {
  const best = advice.proposals.find((p) => p.tables === advice.recommended);
  return [
    el('p', { class: best ? 'answer' : null }, best ? `Recommended: ${best.tables}. ` : 'Recommended: keep the current tables. No compared engine is better by more than 5 % with statistical confidence. ',
      best ? `This changes ${grouped(best.entries)} LFT entries (output ports for one LID at one switch) of ${grouped(best.switches)} switches, in ${grouped(best.blocks)} blocks of 64, and needs ${best.lanes ?? 'more than 8'} virtual lane${best.lanes === 1 ? '' : 's'}.` : ''),
    best ? definitions([['Line for opensm.conf', el('code', {}, best.opensm)], ['Command to compute the tables', el('code', {}, best.command)]]) : null,
    definitions([['Measured traffic', `${time(advice.since)} to ${time(advice.until)}`], ['Sweeps', String(advice.sweeps)],
      ['Sent', short(advice.bytes, 'B')], ['Busiest link now', `${advice.busiest.channel}, ${percent(advice.busiest.share_of_time)} of the time`],
      ['Virtual lanes now', advice.lanes === null ? '> 8' : String(advice.lanes)], ['Computed', time(made)]]),
    ...advice.remarks.map((remark) => el('p', { class: 'note' }, remark)),
    table('Comparison with the current tables, with 95 % confidence intervals', columns, advice.proposals),
    el('ul', {}, advice.proposals.map((p) => el('li', {}, p.reason))),
    ...(advice.channel ? about(advice.channel) : []),
  ];
}

export async function show(view) {
  const place = el('div'), state = el('p', { role: 'status' });
  const names = el('input', { name: 'engines', value: 'best,cassp,pssp', 'aria-label': 'Engines, with a comma between them' });
  const channel = el('input', { name: 'channel', value: view.query.get('channel') ?? '', placeholder: 'GUID:PORT',
    'aria-label': 'A link to examine: GUID and number of the port that sends' });
  const button = el('button', { type: 'submit' }, 'Compare now');
  let seen = null;
  const show = (answer) => {
    button.disabled = answer.running;
    state.className = answer.problem && !answer.running ? 'problem' : '';
    state.textContent = answer.running ? `Comparing ${answer.running_engines} since ${time(answer.running_since)} …` : answer.problem ?? '';
    if (answer.made === seen && seen !== null) return;
    seen = answer.made;
    place.replaceChildren(...(answer.advice ? render(answer.made, answer.advice).filter(Boolean)
      : [el('p', {}, 'No advice yet. The monitor computes advice every advise_every_s seconds, and when you select "Compare now".')]));
  };
  const fill = async () => show(await get('advice'));
  const ask = async (event) => {
    event.preventDefault();
    try {
      show(await get('advice', { engines: names.value, channel: channel.value.trim() }));
    } catch (error) {
      state.className = 'problem';
      state.textContent = error.message;
    }
  };
  view.root.append(el('h1', {}, 'Advice'),
    el('p', {}, 'Would the forwarding tables of other engines carry the measured traffic better than the current tables? This page does not change the fabric.'),
    el('form', { class: 'filters', onsubmit: ask }, el('label', {}, 'Engines ', names), el('label', {}, 'Link ', channel), button),
    el('details', { class: 'note' }, el('summary', {}, 'Engines of OpenSM: minhop, ftree, updn, dfsssp and others'),
      el('p', {}, 'Only OpenSM computes their tables, and the monitor does not start a second subnet manager. ' +
        'To compare all engines in a simulation, without access to the fabric, run:'),
      el('p', {}, el('code', {}, 'pssp monitor export -d DATABASE --topology-at now -o fabric.net && pssp compare-engines fabric.net'))),
    state, place);
  await fill();
  return fill;
}
