// A port and its history. Up to eight counters of up to eight ports in one chart.

import uPlot from './uPlot.esm.js';
import { get } from './api.js';
import { curve, dataTable, frame, shiftedByWeek, week } from './chart.js';
import { bar, bytesPerSecond, definitions, el, grouped, isErrorCounter, portLink, portName, put, short, table, verdict, waitBar } from './dom.js';

const most = 8;
const grains = { memory: 'one per sweep', raw: 'one per sweep', '5min': 'means of five minutes', hour: 'means of an hour' };
const periods = [['', 'live'], ['3600', '1 h'], ['86400', '24 h'], ['604800', '7 d'], ['2592000', '30 d']];
// The colors of Okabe and Ito, which color-blind readers can tell apart. Every second curve is dashed.
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
const colors = dark ? ['#56b4e9', '#ff9f4a', '#2fc79a', '#e79cc4', '#7fb2ec', '#f0d44c', '#c8c84a', '#b5b5b5'] : ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#8a8a00', '#7f7f7f'];
const words = (name) => name.replaceAll('_', ' ');

function chosenPorts(view) {
  const [guid, number] = view.rest;
  const also = (view.query.get('also') ?? '').split(',').filter(Boolean).map((text) => text.split(':'));
  return [[guid, number], ...also].slice(0, most);
}
const chosenCounters = (view) =>
  (view.query.get('counters') ?? 'transmit_bytes,receive_bytes').split(',').slice(0, most);

/// Columns of several histories over the union of their times; null if a history has no value.
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

/// The history of a week earlier, at the times of the present one.
function atTimesOf(present, earlier) {
  const names = Object.keys(earlier.counters);
  const means = shiftedByWeek(earlier.time_ms, names.map((name) => earlier.counters[name].mean), present.time_ms);
  return { time_ms: present.time_ms, counters: Object.fromEntries(names.map((name, i) => [name, { mean: means[i] }])) };
}

function chartOptions(names, counters, width, unit) {
  const series = names.flatMap((name, n) => counters.map((counter, c) => curve(
    (names.length > 1 ? name + ' ' : '') + words(counter), colors[(n * counters.length + c) % colors.length], unit,
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
  const names = [...place.names];
  if (period && view.query.get('compare')) {
    const earlier = await read({ since: since - week, until: now - week });
    histories.push(...earlier.map((history, i) => atTimesOf(histories[i], history)));
    names.push(...names.map((name) => name + ', a week earlier'));
  }
  if (place.left) return;
  const data = joined(histories, counters);
  const note = `${data[0].length} points, ${grains[histories[0].level] ?? histories[0].level}. Drag to zoom, double-click to show all.`;
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
  place.append(place.note, dataTable('Counters over time', labels, unit, () => [place.chart.data[0].map((t) => 1000 * t), ...place.chart.data.slice(1)]));
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

function portChooser(view, item, names) {
  const also = chosenPorts(view).slice(1);
  const set = (list) => view.go({ also: list.map((p) => p.join(':')).join(',') });
  const peer = item.peer ? [item.peer.guid, String(item.peer.port)] : null;
  const has = peer && also.some((p) => p.join() === peer.join());
  return el('p', { class: 'filters' }, 'Other ports in the chart: ',
    also.length === 0 ? 'none. ' : also.map((p, i) => el('button', {
      onclick: () => set(also.filter((q) => q !== p)), title: 'remove from the chart',
    }, `${names[i + 1]} ×`)),
    peer && !has ? el('button', { onclick: () => set([...also, peer]) }, 'add the other end of the cable') : null,
    el('input', { type: 'text', placeholder: 'GUID:port', 'aria-label': 'another port, as GUID:port',
      onchange: (event) => {
        const [guid, number] = event.target.value.trim().split(':');
        if (guid && number) set([...also, [guid, number]]);
      } }));
}

// The usual names of bits and codes of PortInfo.
const widths = [[1, '1x'], [16, '2x'], [2, '4x'], [4, '8x'], [8, '12x']];
const speeds = [[1, 'SDR'], [2, 'DDR'], [4, 'QDR']], extendedSpeeds = [[1, 'FDR'], [2, 'EDR'], [4, 'HDR'], [8, 'NDR']];
const laneCounts = ['unknown', 'VL 0', 'VL 0 and 1', 'VL 0 to 3', 'VL 0 to 7', 'VL 0 to 14'];
const named = (bits, names) => names.filter(([bit]) => bits & bit).map(([, name]) => name);
const listed = (names) => names.join(', ') || 'unknown';
const linkRows = (link) => [
  ['Supported widths', listed(named(link.width_supported, widths))],
  ['Enabled widths', listed(named(link.width_enabled, widths))],
  ['Supported speeds', listed([...named(link.speed_supported, speeds), ...named(link.extended_speed_supported, extendedSpeeds)])],
  ['Enabled speeds', listed([...named(link.speed_enabled, speeds), ...named(link.extended_speed_enabled, extendedSpeeds)])]];
const laneRows = (lanes) => [['Supported', laneCounts[lanes.supported] ?? `code ${lanes.supported}`],
  ['Operational', laneCounts[lanes.operational] ?? `code ${lanes.operational}`]];
const mtuRows = (mtu) => [['Supported', mtu.supported_bytes ? `${mtu.supported_bytes} bytes` : 'unknown'],
  ['Active', mtu.active_bytes ? `${mtu.active_bytes} bytes` : 'unknown']];

function attributes(item, groups, tick) {
  const state = [['State', item.state], ['Physical state', words(item.physical)], ['LID', String(item.lid)],
    ['Rate', item.width ? `${item.width} ${item.speed}, ${item.rate_mbits / 1000} Gbit/s` : item.rate_mbits_reason],
    ['Data per tick of PortXmitWait', tick ? `${tick} bytes` : 'unknown, 4 bytes assumed']];
  const errors = item.counters
    ? Object.entries(item.counters).filter(([name, value]) => isErrorCounter(name) && typeof value === 'number')
      .map(([name, value]) => [words(name), item.saturated.includes(name) ? `${grouped(value)}, full; clear it to count again` : grouped(value)])
    : [['Counters', item.counters_reason]];
  const group = (title, pairs) => el('section', {}, el('h2', {}, title), definitions(pairs));
  return el('div', { class: 'columns four' }, group('Link', [...state, ...linkRows(groups.link)]),
    group('Virtual lanes', laneRows(groups.lanes)), group('MTU', mtuRows(groups.mtu)), group('Errors since the counters were cleared', errors));
}

export async function show(view) {
  const [guid, number] = view.rest;
  const head = el('div'), place = el('div', { class: 'chart' }), foot = el('div'), controls = el('div');
  const fill = async () => {
    const port = await get(`ports/${guid}/${number}`);
    const item = port.item;
    put(head, el('h1', {}, el('a', { href: '#/node/' + guid }, item.name || guid), ` port ${number}`),
      definitions([['Other end', portLink(item.peer)], ['Verdict', verdict(item.verdict), 'verdict'],
        ['Sends', bytesPerSecond(item.rates?.transmit_bytes)],
        ['Receives', bytesPerSecond(item.rates?.receive_bytes)],
        ['Utilization', bar(item.utilisation), 'utilization'], ['Credit wait', item.state === 'active' ? waitBar(item.waiting_share) : '–', 'credit wait']]),
      item.verdicts.map((v) => el('p', { class: 'problem' }, v.reason)));
    put(foot, attributes(item, port.attributes, port.tick_bytes), item.counters ? table('All counters', [
      { title: 'Counter', cell: ([name]) => words(name) },
      { title: 'Value', number: true, cell: ([, value]) => grouped(value) },
      { title: 'Per second', number: true, cell: ([name]) => short(item.rates?.[name]) }],
    Object.entries(item.counters).filter(([name]) => !name.endsWith('_reason'))) : null);
    if (!controls.hasChildNodes()) {
      const names = Object.keys((await get(`ports/${guid}/${number}/history`, { points: 1 })).counters);
      controls.append(el('p', { class: 'filters' }, 'Period: ', periods.map(([value, title]) => el('a', {
        href: view.link({ period: value || null }),
        'aria-current': (view.query.get('period') ?? '') === value ? 'true' : null,
      }, title)), view.query.get('period') ? el('a', {
        href: view.link({ compare: view.query.get('compare') ? null : '1' }),
        'aria-current': view.query.get('compare') ? 'true' : null,
      }, 'compare with a week earlier') : null), portChooser(view, item, place.names), counterBoxes(view, names));
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
  place.names = await Promise.all(chosenPorts(view).map(async ([node, n]) => portName((await get(`ports/${node}/${n}`, { fields: 'lid' })).item)));
  await fill();
  await chart(view, place);
  return fill;
}
