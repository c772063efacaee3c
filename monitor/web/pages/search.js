// One search for hosts, switches, GUIDs, LIDs, ports and jobs.

import { get } from './api.js';
import { el, jobLink, nodeLink, portLink, table } from './dom.js';

/// The search box of the header: "/" moves the focus to it, Enter shows the results.
export function searchBox() {
  const input = el('input', { type: 'search', id: 'search', placeholder: 'Search ( / )', 'aria-label': 'Search for a host, switch, GUID, LID, port or job' });
  addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName);
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  return el('form', { role: 'search', onsubmit: (event) => {
    event.preventDefault();
    if (input.value.trim()) location.hash = '#/search?q=' + encodeURIComponent(input.value.trim());
  } }, input);
}

export async function show(view) {
  const text = view.query.get('q') ?? '';
  const found = await get('search', { q: text, limit: 100 });
  const links = () => [...view.root.querySelectorAll('td a')];
  const none = found.nodes.length + found.ports.length + found.jobs.length === 0;
  view.root.append(el('h1', {}, `Search: ${text}`),
    none ? el('p', {}, 'Nothing matches. Search for part of the name of a host, switch or job, the beginning of a GUID (0x…), a LID, or a port such as "leaf 3 port 17".') : '',
    found.ports.length ? table('Ports and cables', [{ title: 'Port', cell: portLink }, { title: 'Other end', cell: (p) => portLink(p.peer) }], found.ports) : '',
    found.nodes.length ? table('Hosts and switches', [{ title: 'Node', cell: nodeLink }, { title: 'Kind', cell: (n) => n.kind }, { title: 'GUID', cell: (n) => n.guid }], found.nodes) : '',
    found.jobs.length ? table('Jobs', [{ title: 'Job', cell: jobLink }, { title: 'User', cell: (j) => j.user ?? '–' }, { title: 'State', cell: (j) => j.state || '–' }], found.jobs) : '');
  view.root.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], all = links();
    if (!step || all.length === 0) return;
    event.preventDefault();
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
  });
  view.onShown = () => links()[0]?.focus();
}
