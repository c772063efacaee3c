// Which page is shown: the address says all of it, so that a link to a view can be sent.
//   #/links?sort=bytes&kind=switch
// A page is a module with show(view): it fills view.root, and what it returns is called with each
// sweep. view.go() changes a parameter of the address and shows that; view.put() changes the address alone.

import { bytesPerSecond, el, percent } from './dom.js';
import { follow } from './api.js';
import { watchFreshness } from './banner.js';
import * as overview from './overview.js';
import * as map from './map.js';
import * as links from './links.js';
import * as node from './node.js';
import * as port from './port.js';
import * as job from './job.js';
import * as who from './who.js';
import * as record from './record.js';
import * as advice from './advice.js';
import * as health from './health.js';
import * as manager from './manager.js';
import * as reroutes from './reroutes.js';
import * as incident from './incident.js';
import * as search from './search.js';

const pages = { overview, map, links, nodes: node, node, port, jobs: job, job, who, health, manager, reroutes, record, advice, incident, search };
const menu = [['overview', 'Overview'], ['map', 'Fabric'], ['links', 'Links'], ['nodes', 'Nodes'], ['jobs', 'Jobs'],
  ['health', 'Health'], ['manager', 'Subnet manager'], ['reroutes', 'Reroutes'], ['record', 'Record'], ['advice', 'Advice']];

// If a page takes longer than this number of milliseconds, its title and empty lines are shown first.
const slow = 80;
const main = document.getElementById('main');
let refresh = null, leave = null, waiting = 0, turn = 0, failed = false;

/// A part of the address as it was meant; one that is no escape is meant as it stands.
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function address() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, ...rest] = (path || 'overview').split('/').map(decoded);
  return { name, rest, query: new URLSearchParams(query) };
}

function report(error) {
  failed = true;
  main.replaceChildren(el('p', { class: 'problem', role: 'alert' }, error.message), el('button', { type: 'button', onclick: show }, 'Try again'));
}

/// Shows the title of a page, empty lines, and how long the page has been loading.
function skeleton(name) {
  const since = Date.now(), note = el('p', { class: 'note', role: 'status' }, 'Loading …');
  main.replaceChildren(el('div', { class: 'skeleton', 'aria-busy': 'true' }, el('h1', {}, menu.find(([page]) => page === name)?.[1] ?? 'Loading'), note,
    [1, 2, 3, 4, 5].map(() => el('div', { class: 'line' }))));
  waiting = setInterval(() => {
    note.textContent = `Loading for ${Math.round((Date.now() - since) / 1000)} s: the monitor is still computing the answer. A busy machine takes longer; the page appears by itself.`;
  }, 1000);
}

async function show() {
  const mine = ++turn, { name, rest, query } = address();
  clearTimeout(waiting);
  if (leave) leave();
  refresh = leave = null;
  failed = false;
  for (const link of document.querySelectorAll('#nav a')) {
    if (link.dataset.page === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const page = pages[name];
  if (!page) return report(new Error('There is no page ' + name + '.'));
  const root = el('div', { class: 'page ' + name });
  const view = {
    root, rest, query,
    link(changes) {
      const changed = new URLSearchParams(query);
      for (const [key, value] of Object.entries(changes)) {
        if (value === null || value === '') changed.delete(key);
        else changed.set(key, value);
      }
      const text = changed.toString();
      return '#/' + [name, ...rest.map(encodeURIComponent)].join('/') + (text ? '?' + text : '');
    },
    go(changes) { location.hash = view.link(changes); },
    /// Changes the address of what the page shows already.
    put(changes) {
      const link = view.link(changes);
      for (const name of Object.keys(changes)) query.delete(name);
      for (const [key, value] of new URLSearchParams(link.split('?')[1])) query.set(key, value);
      history.replaceState(null, '', link);
    },
    onLeave(action) { leave = action; },
  };
  waiting = setTimeout(() => skeleton(name), slow);
  try {
    const again = await page.show(view);
    if (mine !== turn) return;
    main.replaceChildren(root);
    refresh = again;
    if (view.onShown) view.onShown();
  } catch (error) {
    if (mine === turn) report(error);
  } finally {
    if (mine === turn) clearTimeout(waiting);
  }
}

function cost(status) {
  const figures = status?.sweep_figures;
  document.getElementById('cost').textContent = status
    ? `Sweep ${status.sweep}: ${figures.answered} of ${figures.asked} ports in ` +
      `${figures.duration_ms.toFixed(0)} ms, ${figures.mads} packets. The monitor costs ` +
      `${bytesPerSecond(status.overhead.mad_bytes_per_s)}, ` +
      `${percent(status.overhead.share_of_own_link)} of its link.` : '';
}

async function swept() {
  if (!refresh) return;
  try {
    await refresh();
  } catch (error) {
    // A page that could not be brought up to date keeps what it shows; the next sweep tries again.
    console.warn(error.message);
  }
}

for (const [name, title] of menu) {
  document.getElementById('nav').append(el('a', { href: '#/' + name, 'data-page': name }, title));
}
document.querySelector('header').append(search.searchBox());
addEventListener('hashchange', async () => {
  await show();
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
});
follow(swept);
watchFreshness(document.getElementById('live'), cost, () => failed && show());
show();
