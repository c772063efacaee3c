// What does this port do, did it ever? Up to eight counters of up to eight ports in one chart.

import uPlot from './uPlot.esm.js';
import { get } from './api.js';
import { curve, dataTable, frame } from './chart.js';
import { bar, bytesPerSecond, definitions, el, grouped, isErrorCounter, portLink, short, table, verdict } from './dom.js';

const most = 8;
const periods = [['', 'live'], ['3600', '1 h'], ['86400', '24 h'], ['604800', '7 d'], ['2592000', '30 d']];
const week = 604800000;
// Okabe and Ito's colours, which the colour-blind can tell apart; of each a line that is whole, and
// one with dashes.
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
const colours = dark ? ['#56b4e9', '#ff9f4a', '#2fc79a', '#e79cc4', '#7fb2ec', '#f0d44c', '#c8c84a', '#b5b5b5'] : ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#8a8a00', '#7f7f7f'];
const words = (name) => name.replaceAll('_', ' ');

function chosenPorts(view) {
  const [guid, number] = view.rest;
  const also = (view.query.get('also') ?? '').split(',').filter(Boolean).map((text) => text.split(':'));
  return [[guid, number], ...also].slice(0, most);
}
const chosenCounters = (view) =>
  (view.query.get('counters') ?? 'transmit_bytes,receive_bytes').split(',').slice(0, most);

/// Columns of several histories over the union of their times; null where one has nothing.
function joined(histories, counters) {
  const times = [...new Set(histories.flatMap((h) => h.time_ms))].sort((a, b) => a - b);
  const columns = [times.map((t) => t / 1000)];
  for (const history of histories) {
    const at = new Map(history.time_ms.map((t, i) => [t, i]));
    for (const counter of counters) {
      const mean = history.counters[counter]?.mean ?? [];
      columns.push(times.map((t) => at.has(t) ? mean[at.get(t)] : null));
    }
  }
  return columns;
}

/// The history of a week earlier, at the times of the present one; null if no point is within one step.
function shiftedByWeek(earlier, times) {
  const shifted = earlier.time_ms.map((t) => t + week), step = times.length > 1 ? times[1] - times[0] : 0;
  const distance = (i, t) => Math.abs(shifted[i] - t);
  let i = 0;
  const nearest = times.map((t) => {
    while (distance(i + 1, t) <= distance(i, t)) ++i;
    return distance(i, t) <= step ? i : null;
  });
  const counters = Object.entries(earlier.counters).map(([name, { mean }]) => [name, { mean: nearest.map((n) => n === null ? null : mean[n]) }]);
  return { time_ms: times, counters: Object.fromEntries(counters) };
}

function chartOptions(names, counters, width, unit) {
  const series = names.flatMap((name, n) => counters.map((counter, c) => curve(
    (names.length > 1 ? name + ' ' : '') + words(counter), colours[(n * counters.length + c) % colours.length], unit,
    (n * counters.length + c) % 2 ? [7, 4] : undefined)));
  return { ...frame(width, width < 500 ? 240 : 320, unit), series: [{}, ...series] };
}

async function chart(view, place) {
  const ports = chosenPorts(view), counters = chosenCounters(view);
  const period = Number(view.query.get('period') ?? 0);
  const now = Date.now(), since = period ? now - 1000 * period : undefined;
  const read = (times) => Promise.all(ports.map(([guid, number]) =>
    get(`ports/${guid}/${number}/history`, { ...times, counters: counters.join(','), points: 1000 })));
  const histories = await read({ since });
  const names = ports.map(([guid, number]) => `${guid} port ${number}`);
  if (period && view.query.get('compare')) {
    const earlier = await read({ since: since - week, until: now - week });
    histories.push(...earlier.map((history, i) => shiftedByWeek(history, histories[i].time_ms)));
    names.push(...names.map((name) => name + ', a week earlier'));
  }
  if (place.left) return;
  const data = joined(histories, counters);
  const note = `${data[0].length} points, ${histories[0].level === 'memory' ? 'of the last sweeps'
    : 'level ' + histories[0].level}. Drag to zoom, double-click to see all.`;
  if (place.chart && place.drawn === names.join() + counters.join()) {
    place.chart.setData(data);
    place.note.textContent = note;
    return;
  }
  if (place.chart) place.chart.destroy();
  const units = counters.map((c) => histories[0].counters[c]?.unit);
  const unit = units.every((u) => u === 'bytes') ? 'B/s' : '/s';
  place.replaceChildren();
  const width = () => Math.max(280, Math.min(1180, document.getElementById('main').clientWidth - 34));
  place.chart = new uPlot(chartOptions(names, counters, width(), unit), data, place);
  place.drawn = names.join() + counters.join();
  place.note = el('p', { class: 'note' }, note);
  const labels = names.flatMap((name) => counters.map((counter) => (names.length > 1 ? name + ' ' : '') + words(counter)));
  place.append(place.note, dataTable('The curves as a table', labels, unit, () => [place.chart.data[0].map((t) => 1000 * t), ...place.chart.data.slice(1)]));
  place.fit = () => place.chart.setSize({ width: width(), height: width() < 500 ? 240 : 320 });
}

function counterBoxes(view, all) {
  const chosen = chosenCounters(view);
  const toggle = (name, on) => view.go({ counters: (on ? [...chosen, name] : chosen.filter((c) => c !== name)).join(',') });
  return el('details', {}, el('summary', {}, `Counters in the chart (${chosen.length} of at most ${most})`),
    el('div', { class: 'boxes' }, all.map((name) => el('label', {}, el('input', {
      type: 'checkbox', checked: chosen.includes(name),
      disabled: !chosen.includes(name) && chosen.length >= most,
      onchange: (event) => toggle(name, event.target.checked),
    }), ' ' + words(name)))));
}

function portChooser(view, item) {
  const also = chosenPorts(view).slice(1);
  const set = (list) => view.go({ also: list.map((p) => p.join(':')).join(',') });
  const peer = item.peer ? [item.peer.guid, String(item.peer.port)] : null;
  const has = peer && also.some((p) => p.join() === peer.join());
  return el('p', { class: 'filters' }, 'Also in the chart: ',
    also.length === 0 ? 'nothing. ' : also.map((p) => el('button', {
      onclick: () => set(also.filter((q) => q !== p)), title: 'take it out',
    }, `${p[0]} port ${p[1]} ×`)),
    peer && !has ? el('button', { onclick: () => set([...also, peer]) }, 'add the other end') : null,
    el('input', { type: 'text', placeholder: 'GUID:port', 'aria-label': 'another port, as GUID:port',
      onchange: (event) => {
        const [guid, number] = event.target.value.trim().split(':');
        if (guid && number) set([...also, [guid, number]]);
      } }));
}

// Bits and codes of PortInfo, as people call what they stand for.
const widths = [[1, '1x'], [16, '2x'], [2, '4x'], [4, '8x'], [8, '12x']];
const speeds = [[1, 'SDR'], [2, 'DDR'], [4, 'QDR']], extendedSpeeds = [[1, 'FDR'], [2, 'EDR'], [4, 'HDR'], [8, 'NDR']];
const laneCounts = ['not stated', 'VL 0', 'VL 0 and 1', 'VL 0 to 3', 'VL 0 to 7', 'VL 0 to 14'];
const named = (bits, names) => names.filter(([bit]) => bits & bit).map(([, name]) => name);
const listed = (names) => names.join(', ') || 'not stated';
const linkRows = (link) => [
  ['Widths it can do', listed(named(link.width_supported, widths))],
  ['Widths it may use', listed(named(link.width_enabled, widths))],
  ['Speeds it can do', listed([...named(link.speed_supported, speeds), ...named(link.extended_speed_supported, extendedSpeeds)])],
  ['Speeds it may use', listed([...named(link.speed_enabled, speeds), ...named(link.extended_speed_enabled, extendedSpeeds)])]];
const laneRows = (lanes) => [['It can do', laneCounts[lanes.supported] ?? `code ${lanes.supported}`],
  ['In use', laneCounts[lanes.operational] ?? `code ${lanes.operational}`]];
const mtuRows = (mtu) => [['It can do', mtu.supported_bytes ? `${mtu.supported_bytes} bytes` : 'not stated'],
  ['In use', mtu.active_bytes ? `${mtu.active_bytes} bytes` : 'not stated']];

function attributes(item, groups, tick) {
  const state = [['State', item.state], ['Physical', words(item.physical)], ['LID', String(item.lid)],
    ['Rate', item.width ? `${item.width} ${item.speed}, ${item.rate_mbits / 1000} Gbit/s` : item.rate_mbits_reason],
    ['Tick of PortXmitWait', tick ? `${tick} bytes` : 'not stated; 4 bytes assumed']];
  const errors = item.counters
    ? Object.entries(item.counters).filter(([name, value]) => isErrorCounter(name) && typeof value === 'number')
      .map(([name, value]) => [words(name), item.saturated.includes(name) ? `${grouped(value)}, full: says nothing more until it is cleared` : grouped(value)])
    : [['Counters', item.counters_reason]];
  const group = (title, pairs) => el('section', {}, el('h2', {}, title), definitions(pairs));
  return el('div', { class: 'columns four' }, group('Link', [...state, ...linkRows(groups.link)]),
    group('Lanes', laneRows(groups.lanes)), group('MTU', mtuRows(groups.mtu)), group('Errors since the last reset', errors));
}

export async function show(view) {
  const [guid, number] = view.rest;
  const head = el('div'), place = el('div', { class: 'chart' }), foot = el('div'), controls = el('div');
  const fill = async () => {
    const port = await get(`ports/${guid}/${number}`);
    const item = port.item;
    head.replaceChildren(el('h1', {}, el('a', { href: '#/node/' + guid }, item.name || guid), ` port ${number}`),
      definitions([['Cabled to', portLink(item.peer)], ['Verdict', verdict(item.verdict), 'verdict'],
        ['Sends', bytesPerSecond(item.rates?.transmit_bytes)],
        ['Receives', bytesPerSecond(item.rates?.receive_bytes)],
        ['Utilisation', bar(item.utilisation), 'utilisation'], ['Credit wait', bar(item.waiting_share), 'credit wait']]),
      item.verdicts.map((v) => el('p', { class: 'problem' }, v.reason)));
    foot.replaceChildren(attributes(item, port.attributes, port.tick_bytes), item.counters ? table('All counters', [
      { title: 'Counter', cell: ([name]) => words(name) },
      { title: 'Value', number: true, cell: ([, value]) => grouped(value) },
      { title: 'A second', number: true, cell: ([name]) => short(item.rates?.[name]) }],
    Object.entries(item.counters).filter(([name]) => !name.endsWith('_reason'))) : null);
    if (!controls.hasChildNodes()) {
      const names = Object.keys((await get(`ports/${guid}/${number}/history`, { points: 1 })).counters);
      controls.append(el('p', { class: 'filters' }, 'Period: ', periods.map(([value, title]) => el('a', {
        href: view.link({ period: value || null }),
        'aria-current': (view.query.get('period') ?? '') === value ? 'true' : null,
      }, title)), view.query.get('period') ? el('a', {
        href: view.link({ compare: view.query.get('compare') ? null : '1' }),
        'aria-current': view.query.get('compare') ? 'true' : null,
      }, 'compare with a week earlier') : null), portChooser(view, item), counterBoxes(view, names));
    }
    if (place.isConnected || place.chart) await chart(view, place);
  };
  view.root.append(head, place, controls, foot);
  const fit = () => place.fit?.();
  addEventListener('resize', fit);
  view.onLeave(() => {
    removeEventListener('resize', fit);
    place.left = true;
    place.chart?.destroy();
  });
  await fill();
  await chart(view, place);
  return fill;
}
