// The map of the fabric, now or at a time of the history: switches by tree level (or in the grid of a mesh), parallel cables as one line.
// Thickness and dashes repeat the meaning of colors. Hosts are not drawn; the list beside the map shows the hosts of the selected switch.

import { get } from './api.js';
import { bar, busyShare, el, hotShare, nodeLink, percent, portLink, table, verdict } from './dom.js';
import { choice } from './links.js';
import { askedTime, nothingAt, ofTime, timeline } from './timeline.js';

const classes = [
  { from: hotShare, name: `over ${percent(hotShare)}`, color: '--hot', width: 6 },
  { from: busyShare, name: `${100 * busyShare} to ${percent(hotShare)}`, color: '--busy', width: 4.5 },
  { from: 0.3, name: `30 to ${percent(busyShare)}`, color: '--some', width: 3 },
  { from: 0.01, name: '1 to 30 %', color: '--little', width: 2 },
  { from: 0, name: 'idle', color: '--idle', width: 1, dashed: true },
  { from: -1, name: 'unknown', color: '--idle', width: 1, dotted: true },
];
const levels = { bad: 0, watch: 2, good: 3, unknown: 5 };

function loadLibrary() {
  if (window.cytoscape) return Promise.resolve();
  // cytoscape.js writes this style sheet itself if no element has its id, which the content security policy forbids.
  document.head.append(el('link', { rel: 'stylesheet', href: 'cytoscape.css', id: '__________cytoscape_stylesheet' }));
  return new Promise((done, failed) => {
    const script = el('script', { src: 'cytoscape.min.js' });
    script.addEventListener('load', done);
    script.addEventListener('error', () => failed(new Error('The library of the map could not be loaded. Reload the page.')));
    document.head.append(script);
  });
}

/// Shares of a job by "switch switch", the largest of parallel cables and of both directions.
async function sharesOfJob(id, topology) {
  const ids = new Map(topology.nodes.map((n) => [n.guid, n.id]));
  const shares = new Map();
  const { links } = await get(`jobs/${encodeURIComponent(id)}/links`, { limit: 1000 });
  for (const link of links) {
    const ends = [ids.get(link.guid), ids.get(link.peer?.guid)].sort((a, b) => a - b).join(' ');
    shares.set(ends, Math.max(shares.get(ends) ?? 0, link.share));
  }
  return shares;
}

function shareOf(link, by) {
  if (by === 'job') return link.of_job ?? 0;

  const shares = (by === 'waiting' ? link.waiting_share : link.utilisation).filter((s) => s !== null);
  return shares.length ? Math.max(...shares) : -1;
}
function classOf(link, by) {
  if (by === 'errors') return classes[levels[link.verdict] ?? 5];
  const share = shareOf(link, by);
  return classes.find((each) => share >= each.from);
}

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/// The class of an edge in the style sheet; a style for each of thousands of edges would be slow.
function lineClass(link, by) {
  const found = classOf(link, by);
  return { name: 'c' + classes.indexOf(found), width: found.width * Math.min(2.5, Math.sqrt(link.cables)) };
}

function baseStyle() {
  return [
    { selector: 'node', style: { width: 22, height: 22, shape: 'round-rectangle',
      'background-color': color('--switch'), 'border-width': 1.5, 'border-color': color('--text'),
      color: color('--text'), 'text-valign': 'bottom' } },
    { selector: 'node[label]', style: { label: 'data(label)', 'font-size': 'data(fontSize)', 'text-margin-y': 'data(below)',
      'text-background-color': color('--card'), 'text-background-opacity': 0.75, 'z-index': 99 } },
    { selector: 'node[hosts > 0]', style: { shape: 'ellipse' } },
    { selector: 'node[verdict = "bad"]', style: { 'border-width': 5, 'border-color': color('--hot') } },
    { selector: 'node[verdict = "watch"]', style: { 'border-width': 4, 'border-color': color('--busy') } },
    { selector: 'node:selected', style: { 'background-color': color('--accent'), 'border-width': 4 } },
    { selector: 'edge', style: { 'curve-style': 'haystack', opacity: 0.85, width: 'data(width)' } },
    ...classes.map(({ color: name, width, dashed, dotted }, i) => ({ selector: 'edge.c' + i, style: { 'line-color': color(name),
      'line-style': dotted ? 'dotted' : dashed ? 'dashed' : 'solid', 'z-index': Math.round(width * 10) } })),
    // Beside the line of the cables that are there, not below it.
    { selector: 'edge.missing', style: { 'curve-style': 'unbundled-bezier', 'control-point-distances': 24, 'control-point-weights': 0.5,
      'line-color': color('--hot'), 'line-style': 'dashed', 'z-index': 90 } },
    { selector: '.aside', style: { opacity: 0.12 } },
  ];
}

// Of a name on the screen, in pixels: so many are read easily, and no more are drawn.
const letters = { size: 11, wide: 6.3, most: 22 };
const drawnName = (name) => name.length > letters.most ? name.slice(0, letters.most - 1) + '…' : name;

/// Names of switches where there is room, whatever the zoom: the chosen one first, then those with a verdict, then switches
/// without hosts, of which there are few. Each name has the same size on the screen.
function nameWhatFits(chart) {
  const zoom = chart.zoom(), wide = chart.width(), high = chart.height();
  const urgency = (node) => node.selected() ? 0 : node.data('verdict') === 'bad' ? 1 : node.data('verdict') === 'watch' ? 2
    : node.data('hosts') === 0 ? 3 : 4;
  const nodes = chart.nodes().map((node) => ({ node, rank: urgency(node), at: node.renderedPosition() }))
    .filter(({ at }) => at.x > 0 && at.x < wide && at.y > 0 && at.y < high).sort((a, b) => a.rank - b.rank);
  const taken = [], named = new Map();
  for (const { node, at } of nodes) {
    const text = drawnName(node.data('name') || node.data('guid'));
    const half = text.length * letters.wide / 2 + 2, top = at.y + 11 * zoom;
    const box = [at.x - half, top, at.x + half, top + letters.size + 4];
    if (taken.some((b) => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) continue;
    taken.push(box);
    named.set(node.id(), text);
  }
  chart.batch(() => {
    for (const node of chart.nodes()) {
      const text = named.get(node.id());
      if (text) node.data({ label: text, fontSize: letters.size / zoom, below: 2 / zoom });
      else if (node.data('label') !== undefined) node.removeData('label');
    }
  });
}

function elements(topology, by) {
  const nodes = topology.nodes.map((node) => ({
    data: { ...node, id: 's' + node.id },
    position: node.x === undefined ? undefined : { x: node.x, y: node.y },
  }));
  const edges = topology.links.map((link) => {
    const { name, width } = lineClass(link, by);
    return { data: { id: `l${link.a}-${link.b}`, source: 's' + link.a, target: 's' + link.b, width }, classes: name };
  });
  const missing = topology.missing.map((each) => ({ classes: 'missing',
    data: { id: `m${each.a}-${each.b}`, source: 's' + each.a, target: 's' + each.b, width: 2.5 * Math.min(2.5, Math.sqrt(each.cables)) } }));
  return [...nodes, ...edges, ...missing];
}

function legend(by, topology) {
  const named = by === 'errors'
    ? [[classes[0], 'bad'], [classes[2], 'to watch'], [classes[3], 'good'], [classes[5], 'unknown']]
    : by === 'job' ? classes.slice(0, 5).map((each) => [each, each.from ? each.name : 'less, or none'])
      : classes.map((each) => [each, each.name]);
  return el('ul', { class: 'legend' }, named.map(([each, name], i) => el('li', {},
    el('span', { class: 'swatch c' + classes.indexOf(each) }), name)),
  topology.missing.length ? el('li', {}, el('span', { class: 'swatch missing' }), 'planned cable that is missing') : null,
  el('li', {}, 'circle: switch with hosts; thicker line: more cables'));
}

/// The topology without measured values.
const unread = (topology) => ({ ...topology,
  links: topology.links.map((link) => ({ ...link, utilisation: [null, null], waiting_share: [null, null], verdict: 'unknown' })),
  nodes: topology.nodes.map((node) => ({ ...node, verdict: 'unknown' })) });

/// Equal for topologies with the same drawing.
const shapeOf = (topology) => JSON.stringify([topology.nodes.map((n) => [n.id, n.guid, n.x, n.y]), topology.links.map((l) => [l.a, l.b, l.cables]), topology.missing]);

async function about(place, node, topology, at) {
  const { hosts } = at !== null && !topology.level ? { hosts: [] } : await get('topology', { hosts_of: node.guid, at });
  const lines = topology.links.filter((l) => l.a === node.id || l.b === node.id);
  const byId = new Map(topology.nodes.map((n) => [n.id, n]));
  place.replaceChildren(el('h2', {}, nodeLink(node), ' ', verdict(node.verdict)),
    el('p', { class: 'note' }, el('a', { href: `#/links?node=${node.guid}${at === null ? '' : '&at=' + at}` },
      at === null ? 'Links of this switch' : 'Links of this switch at that time')),
    table('Cables to other switches', [
      { title: 'To', cell: (l) => nodeLink(byId.get(l.a === node.id ? l.b : l.a)) },
      { title: 'Cables', number: true, cell: (l) => String(l.cables) },
      { title: 'Out', number: true, cell: (l) => percent(l.utilisation[l.a === node.id ? 0 : 1]) },
      { title: 'In', number: true, cell: (l) => percent(l.utilisation[l.a === node.id ? 1 : 0]) }], lines),
    table('Hosts', [{ title: 'Host', cell: portLink },
      { title: 'To the host', number: true, cell: (h) => bar(h.utilisation[0]) },
      { title: 'From the host', number: true, cell: (h) => bar(h.utilisation[1]) }], hosts));
}

export async function show(view) {
  const by = view.query.get('by') ?? 'used';
  let topology = null, problem = null, turn = 0;
  /// Without data of that time, the current map without colors. Returns false if a newer request has begun.
  const fetchTime = async (at) => {
    const mine = ++turn;
    let found, missing = null;
    try {
      found = await get('topology', { at });
    } catch (error) {
      if (at === null || ![400, 404].includes(error.status)) throw error;
      missing = error.status === 404 ? nothingAt(at) : error.message;
      found = unread(topology ?? await get('topology'));
      delete found.level;
    }
    if (mine !== turn) return false;
    topology = found;
    problem = missing;
    return true;
  };
  const [status] = await Promise.all([get('status'), fetchTime(askedTime(view)), loadLibrary()]);
  const job = view.query.get('job'), shares = by === 'job' && job ? await sharesOfJob(job, topology) : null;
  const markShares = () => {
    if (!shares) return;
    for (const link of topology.links) link.of_job = shares.get([link.a, link.b].sort((a, b) => a - b).join(' '));
  };
  markShares();
  const canvas = el('div', { class: 'canvas', role: 'img',
    'aria-label': `Map of ${topology.nodes.length} switches; the list of switches and the Links page have the same as text.` });
  let key = legend(by, topology);
  const side = el('aside', { class: 'side', 'aria-live': 'polite' }, el('p', { class: 'note' },
    'Choose a switch on the map or in the list to see its cables and hosts.'));
  let chart = null, left = false;
  const zoom = (factor) => chart?.zoom({ level: chart.zoom() * factor,
    renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
  const pick = el('select', { onchange: (event) => view.go({ node: event.target.value }) },
    el('option', { value: '' }, 'choose'), [...topology.nodes].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
      .map((n) => el('option', { value: n.guid, selected: view.query.get('node') === n.guid }, n.name || n.guid)));
  view.root.append(el('h1', {}, 'Fabric'), el('div', { class: 'filters' },
    choice(view, 'by', 'Color by', [['used', 'utilization'], ['waiting', 'credit wait'], ['errors', 'errors'],
      ...(job ? [['job', 'share of job ' + job]] : [])]),
    el('label', {}, 'Switch ', pick),
    el('button', { onclick: () => zoom(1.4), 'aria-label': 'zoom in' }, '+'),
    el('button', { onclick: () => zoom(1 / 1.4), 'aria-label': 'zoom out' }, '−'),
    el('button', { onclick: () => chart?.fit(undefined, 20) }, 'Show all')),
  el('div', { class: 'timebox' }), key, el('div', { class: 'mapbox' }, canvas, side));

  const paint = () => chart.batch(() => {
    for (const link of topology.links) {
      const edge = chart.getElementById(`l${link.a}-${link.b}`), { name, width } = lineClass(link, by);
      if (edge.data('width') !== width) edge.data('width', width);
      if (!edge.hasClass(name)) edge.classes(edge.hasClass('aside') ? [name, 'aside'] : name);
    }
    for (const node of topology.nodes) chart.getElementById('s' + node.id).data('verdict', node.verdict);
  });
  const draw = () => {
    const placed = topology.nodes.every((n) => n.x !== undefined);
    chart?.destroy();
    chart = window.cytoscape({ container: canvas, elements: elements(topology, by), style: baseStyle(),
      layout: placed ? { name: 'preset', fit: true, padding: 20 }
        : { name: topology.nodes.length < 250 ? 'cose' : 'concentric', animate: false },
      hideEdgesOnViewport: topology.links.length > 3000, textureOnViewport: topology.links.length > 1500,
      pixelRatio: 'auto', autoungrabify: true, boxSelectionEnabled: false, minZoom: 0.01, maxZoom: 8 });
    chart.on('tap', 'node', (event) => view.go({ node: event.target.data('guid') }));
    const chosen = topology.nodes.find((n) => n.guid === view.query.get('node'));
    if (chosen) {
      const node = chart.getElementById('s' + chosen.id);
      node.select();
      chart.elements().difference(node.closedNeighborhood()).addClass('aside');
    }
    let waits = false;
    const name = () => {
      waits = false;
      if (!left && !chart.destroyed()) nameWhatFits(chart);
    };
    chart.on('resize', () => chart.fit(undefined, 20));
    chart.on('viewport', () => {
      if (!waits) requestAnimationFrame(name);
      waits = true;
    });
    name();
    window.fabricMap = chart;
  };
  const describe = () => {
    const chosen = topology.nodes.find((n) => n.guid === view.query.get('node'));
    if (chosen) return about(side, chosen, topology, askedTime(view));
    if (view.query.get('node')) side.replaceChildren(el('p', { class: 'note' }, 'The fabric did not contain this switch at that time.'));
    return null;
  };
  const update = async (at) => {
    const shape = shapeOf(topology);
    if (!await fetchTime(at) || left) return null;
    markShares();
    if (shapeOf(topology) === shape) paint();
    else {
      draw();
      const next = legend(by, topology);
      key.replaceWith(next);
      key = next;
    }
    await describe();
    return problem ?? ofTime(topology);
  };
  const slider = timeline(view, status, update);
  slider.report(problem ?? ofTime(topology));
  view.root.querySelector('.timebox').replaceWith(slider.element);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', draw);
  view.onLeave(() => {
    left = true;
    slider.end();
    scheme.removeEventListener('change', draw);
    chart?.destroy();
    delete window.fabricMap;
  });
  view.onShown = draw;
  await describe();
  return async () => {
    slider.tick();
    if (askedTime(view) === null) await update(null);
  };
}
