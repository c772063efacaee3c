// The nodes, and one of them with its ports.

import { get } from './api.js';
import { bar, bytesPerSecond, definitions, el, fitness, nodeLink, portLink, short, table, time, verdict } from './dom.js';
import { choice, more, search } from './links.js';

function list(view) {
  const place = el('div');
  const columns = [{ title: 'Node', cell: nodeLink }, { title: 'Kind', word: true, cell: (n) => n.kind },
    { title: 'LID', number: true, cell: (n) => String(n.lid) },
    { title: 'Active ports', number: true, cell: (n) => `${n.active_ports} of ${n.ports}` },
    { title: 'Sends', number: true, cell: (n) => bytesPerSecond(n.rates.transmit_bytes) },
    { title: 'Receives', number: true, cell: (n) => bytesPerSecond(n.rates.receive_bytes) },
    { title: 'Verdict', word: true, term: 'verdict', cell: (n) => verdict(n.verdict) },
    { title: 'Fit for jobs', word: true, cell: fitness }];
  view.root.append(el('h1', {}, 'Nodes'), el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    choice(view, 'kind', 'Kind', [['any', 'all'], ['switch', 'switches'], ['hca', 'adapters'], ['router', 'routers']]),
    search(view)), place);
  return async () => {
    const nodes = await get('nodes', { limit: 100, ...Object.fromEntries(view.query) });
    place.replaceChildren(table('Nodes', columns, nodes.nodes), more(view, nodes));
  };
}

/// A line for what the node was called before, where it was called something else.
function former(names) {
  if (names.length < 2) return [];
  const text = names.slice(0, -1).reverse()
    .map((each, i) => `${each.name} (${time(each.since)} to ${time(names[names.length - 1 - i].since)})`);
  return [['Was called', text.join(', ')]];
}

/// Whether its machine may get jobs, and why not.
function ofJobs(n) {
  if (!n.fit) return [];
  return [['Fit for jobs', el('span', {}, fitness(n), n.fit_reasons.length ? ' ' + n.fit_reasons.join('; ') : '')]];
}

function one(view, guid) {
  return async () => {
    const [node, ports] = await Promise.all([get('nodes/' + guid),
      get('ports', { node: guid, limit: 254 })]);
    const n = node.item;
    const state = (p) => p.state === 'active' ? p.status === 'read' ? 'active' : p.counters_reason : p.state;
    view.root.replaceChildren(el('h1', {}, n.name || n.guid), definitions([['Kind', n.kind],
      ['GUID', n.guid], ['LID', String(n.lid)], ['Ports', `${n.active_ports} of ${n.ports} active`],
      ['Sends', bytesPerSecond(n.rates.transmit_bytes)],
      ['Receives', bytesPerSecond(n.rates.receive_bytes)], ['Verdict', verdict(n.verdict)],
      ...ofJobs(n), ...former(node.names)]),
    table('Ports', [{ title: 'Port', cell: portLink }, { title: 'Cabled to', cell: (p) => portLink(p.peer) },
      { title: 'State', word: true, cell: state },
      { title: 'Rate', word: true, cell: (p) => p.width ? p.width + p.speed : '–' },
      { title: 'Sends', number: true, cell: (p) => bytesPerSecond(p.rates?.transmit_bytes) },
      { title: 'Receives', number: true, cell: (p) => bytesPerSecond(p.rates?.receive_bytes) },
      { title: 'Utilisation', number: true, term: 'utilisation', cell: (p) => bar(p.utilisation) },
      { title: 'Credit wait', number: true, term: 'credit wait', cell: (p) => bar(p.waiting_share) },
      { title: 'Symbol errors', number: true, cell: (p) => short(p.counters?.symbol_errors) },
      { title: 'Verdict', word: true, term: 'verdict', cell: (p) => verdict(p.verdict) }], ports.ports));
  };
}

export async function show(view) {
  const fill = view.rest.length > 0 ? one(view, view.rest[0]) : list(view);
  await fill();
  return fill;
}
