// Would other forwarding tables help? Engines compared under the traffic that was counted, with
// intervals. Nothing here changes anything in the fabric.

import { get } from './api.js';
import { definitions, el, grouped, percent, short, table, time } from './dom.js';

const number = (part) => (100 * (Math.abs(part) < 5e-4 ? 0 : part)).toFixed(1);
/// "59.6 % [50.1 .. 69.2]", with a bar of the interval: what lies right of the line is a gain.
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
  { title: 'Tables', cell: (p) => p.tables },
  { title: 'Busiest channel, less time', cell: (p) => gain(p.busiest_channel) },
  { title: 'Mean over bytes, less time', cell: (p) => gain(p.mean_congestion) },
  { title: 'Bisection bandwidth, more', cell: (p) => gain(p.bisection_bandwidth) },
  { title: 'Entries of switches', number: true, cell: (p) => grouped(p.entries) },
  { title: 'Pairs moved', number: true, cell: (p) => p.pairs ? percent(p.pairs_moved / p.pairs) : '–' },
  { title: 'Bytes moved', number: true, cell: (p) => percent(p.bytes_moved) },
  { title: 'Lanes', number: true, cell: (p) => p.lanes === undefined ? '–' : p.lanes === null ? '> 8' : String(p.lanes) },
];

const pairColumns = [
  { title: 'From', cell: (p) => p.from },
  { title: 'To', cell: (p) => p.to },
  { title: 'Job', cell: (p) => p.job ?? 'no job' },
  { title: 'Flows', number: true, cell: (p) => String(p.flows) },
  { title: 'Bytes', number: true, cell: (p) => short(p.bytes, 'B') },
];
const avoidingColumns = [
  { title: 'With the tables of', cell: (a) => a.tables },
  { title: 'Flows elsewhere', number: true, cell: (a) => String(a.flows) },
  { title: 'Bytes elsewhere', number: true, cell: (a) => percent(a.bytes) },
  { title: 'Channel, of its time now', number: true, cell: (a) => percent(a.busy) },
];
const cableColumns = [
  { title: 'A cable between', cell: (c) => c.from },
  { title: 'and', cell: (c) => c.to + (c.parallel ? ' (beside it)' : '') },
  { title: 'Flows on it', number: true, cell: (c) => String(c.flows) },
  { title: 'Channel, of its time now', number: true, cell: (c) => percent(c.busy) },
  { title: 'Cable, of that', number: true, cell: (c) => percent(c.cable_busy) },
  { title: 'Its flows gain', number: true, cell: (c) => percent(c.gain) },
  { title: 'Ports without a cable', number: true, cell: (c) => c.free_ports.join(', ') },
];
function about(channel) {
  return [
    el('h2', {}, `Channel ${channel.name}`),
    el('p', {}, `${channel.flows} flows, ${short(channel.bytes, 'B')}, ${percent(channel.busy)} of the time.`),
    table('Who is on it', pairColumns, channel.pairs.slice(0, 20)),
    table('Who would not be', avoidingColumns, channel.avoiding),
    table('Which cable would help, each alone', cableColumns, channel.cables, {
      empty: channel.cables_without_ports ? 'None between switches that have ports without a cable.'
        : 'None: the flows are held up elsewhere, too.' }),
  ];
}

function render(made, advice) {
  const best = advice.proposals.find((p) => p.tables === advice.recommended);
  return [
    el('p', { class: best ? 'answer' : null }, best ? `Recommended: ${best.tables}. ` : 'No change: nothing that was compared is better beyond chance and by more than 5 %. ',
      best ? `It writes ${grouped(best.entries)} entries of the forwarding tables of ${grouped(best.switches)} switches (an entry is the port for one LID at one switch), in ${grouped(best.blocks)} blocks of 64, and needs ${best.lanes ?? 'more than 8'} lane${best.lanes === 1 ? '' : 's'}.` : ''),
    best ? definitions([['In opensm.conf', el('code', {}, best.opensm)], ['To see it first', el('code', {}, best.command)]]) : null,
    definitions([['Traffic of', `${time(advice.since)} to ${time(advice.until)}`], ['Sweeps', String(advice.sweeps)],
      ['Sent', short(advice.bytes, 'B')], ['Busiest channel now', `${advice.busiest.channel}, ${percent(advice.busiest.share_of_time)} of the time`],
      ['Lanes now', advice.lanes === null ? '> 8' : String(advice.lanes)], ['Made', time(made)]]),
    ...advice.remarks.map((remark) => el('p', { class: 'note' }, remark)),
    table('Against the tables in force, with intervals of 95 %', columns, advice.proposals),
    el('ul', {}, advice.proposals.map((p) => el('li', {}, p.reason))),
    ...(advice.channel ? about(advice.channel) : []),
  ];
}

export async function show(view) {
  const place = el('div'), state = el('p', { role: 'status' });
  const names = el('input', { name: 'engines', value: 'best,cassp,pssp', 'aria-label': 'Engines, with a comma between them' });
  const channel = el('input', { name: 'channel', value: view.query.get('channel') ?? '', placeholder: 'GUID:PORT',
    'aria-label': 'A channel to look at closely: GUID and number of the port that it leaves' });
  const button = el('button', { type: 'submit' }, 'Compare now');
  let seen = null;
  const show = (answer) => {
    button.disabled = answer.running;
    state.className = answer.problem && !answer.running ? 'problem' : '';
    state.textContent = answer.running ? `Comparing ${answer.running_engines} since ${time(answer.running_since)} …` : answer.problem ?? '';
    if (answer.made === seen && seen !== null) return;
    seen = answer.made;
    place.replaceChildren(...(answer.advice ? render(answer.made, answer.advice).filter(Boolean)
      : [el('p', {}, 'No advice was made yet: the monitor makes one each hour, and when it is asked to.')]));
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
    el('p', {}, 'Would other forwarding tables carry the traffic that was counted better than those in force? Nothing is changed here.'),
    el('form', { class: 'filters', onsubmit: ask }, el('label', {}, 'Engines ', names), el('label', {}, 'Channel ', channel), button),
    el('details', { class: 'note' }, el('summary', {}, 'And the engines of opensm: minhop, ftree, updn, dfsssp ...?'),
      el('p', {}, 'Only opensm itself computes their tables, and a monitor that reads a fabric does not start a second subnet manager beside it. ' +
        'On another machine, without touching the fabric, a simulation compares all of them with ours:'),
      el('p', {}, el('code', {}, 'pssp monitor export -d DATABASE --topology-at now -o fabric.net && pssp compare-engines fabric.net'))),
    state, place);
  await fill();
  return fill;
}
