// Nodes, sorted and filtered by the server; one node with its ports.

import { get } from './api.js';
import { bar, bytesPerSecond, definitions, el, fitness, nodeLink, portLink, put, short, table, time, verdict, waitBar } from './dom.js';
import { choice, more, nameFilter, sorting } from './links.js';

const kinds = { hca: 'adapter' };
const levels = ['good', 'watch', 'bad', 'unknown'], fits = ['yes', 'watch', 'no', 'unknown'];
const withAll = (values) => [['any', 'all'], ...values.map((value) => [value, value])];

function list(view) {
  const place = el('div');
  const columns = [{ title: 'Node', sort: 'name', ascending: true, cell: nodeLink },
    { title: 'Kind', word: true, sort: 'kind', ascending: true, cell: (n) => kinds[n.kind] ?? n.kind },
    { title: 'LID', number: true, sort: 'lid', ascending: true, term: 'LID', cell: (n) => String(n.lid) },
    { title: 'Active ports', number: true, sort: 'active_ports', cell: (n) => `${n.active_ports} of ${n.ports}` },
    { title: 'Sends', number: true, sort: 'transmit', cell: (n) => bytesPerSecond(n.rates.transmit_bytes) },
    { title: 'Receives', number: true, sort: 'receive', cell: (n) => bytesPerSecond(n.rates.receive_bytes) },
    { title: 'Verdict', word: true, sort: 'verdict', term: 'verdict', cell: (n) => verdict(n.verdict) },
    { title: 'Fit for jobs', word: true, sort: 'fit', term: 'fit for jobs', cell: fitness }];
  view.root.append(el('h1', {}, 'Nodes'), el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    choice(view, 'kind', 'Kind', [['any', 'all'], ['switch', 'switches'], ['hca', 'adapters'], ['router', 'routers']]),
    choice(view, 'verdict', 'Verdict', withAll(levels)), choice(view, 'fit', 'Fit for jobs', withAll(fits)), nameFilter(view)), place);
  return async () => {
    const nodes = await get('nodes', { limit: 100, sort: 'name', ...Object.fromEntries(view.query) });
    put(place, table('Nodes', columns, nodes.nodes, sorting(view, 'name')), more(view, nodes, nodes.nodes));
  };
}

/// A row with the earlier names of the node, if it had any.
function former(names) {
  if (names.length < 2) return [];
  const text = names.slice(0, -1).reverse()
    .map((each, i) => `${each.name} (${time(each.since)} to ${time(names[names.length - 1 - i].since)})`);
  return [['Earlier names', text.join(', ')]];
}

/// Whether the host of the adapter can run jobs, with the reasons.
function ofJobs(n) {
  if (!n.fit) return [];
  return [['Fit for jobs', el('span', {}, fitness(n), n.fit_reasons.length ? ' ' + n.fit_reasons.join('; ') : ''), 'fit for jobs']];
}

function one(view, guid) {
  return async () => {
    const [node, ports] = await Promise.all([get('nodes/' + guid),
      get('ports', { limit: 254, ...Object.fromEntries(view.query), node: guid })]);
    const n = node.item;
    const state = (p) => p.state === 'active' ? p.status === 'read' ? 'active' : p.counters_reason : p.state;
    put(view.root, el('h1', {}, n.name || n.guid), definitions([['Kind', kinds[n.kind] ?? n.kind],
      ['GUID', n.guid], ['LID', String(n.lid), 'LID'], ['Ports', `${n.active_ports} of ${n.ports} active`],
      ['Sends', bytesPerSecond(n.rates.transmit_bytes)],
      ['Receives', bytesPerSecond(n.rates.receive_bytes)], ['Verdict', verdict(n.verdict), 'verdict'],
      ...ofJobs(n), ...former(node.names)]),
    table('Ports', [{ title: 'Port', sort: 'guid', ascending: true, cell: portLink }, { title: 'Other end', cell: (p) => portLink(p.peer) },
      { title: 'State', word: true, cell: state },
      { title: 'Rate', word: true, cell: (p) => p.width ? p.width + p.speed : '–' },
      { title: 'Sends', number: true, sort: 'transmit', cell: (p) => bytesPerSecond(p.rates?.transmit_bytes) },
      { title: 'Receives', number: true, sort: 'receive', cell: (p) => bytesPerSecond(p.rates?.receive_bytes) },
      { title: 'Utilization', number: true, sort: 'utilisation', term: 'utilization', cell: (p) => bar(p.utilisation) },
      { title: 'Credit wait', number: true, sort: 'waiting_share', term: 'credit wait', cell: (p) => p.state === 'active' ? waitBar(p.waiting_share) : '–' },
      { title: 'Symbol errors', number: true, cell: (p) => short(p.counters?.symbol_errors) },
      { title: 'Verdict', word: true, term: 'verdict', cell: (p) => verdict(p.verdict) }], ports.ports, sorting(view, 'guid')));
  };
}

export async function show(view) {
  const fill = view.rest.length > 0 ? one(view, view.rest[0]) : list(view);
  await fill();
  return fill;
}
