// Shows the page of the address, which contains the complete state of the page, so that users can send links:
//   #/links?sort=bytes&kind=switch
// A page is a module with show(view), which fills view.root. The function that show() returns is called after each sweep. view.go() changes
// parameters of the address and shows the page again; view.put() only changes the address. Modules are loaded when their page is first shown.

import { bytesPerSecond, el, grouped, percent, rememberFocus } from './dom.js';
import { follow, noAnswer } from './api.js';
import { sweepAge, watchFreshness } from './banner.js';
import { searchBox } from './search.js';

const node = () => import('./node.js');
const pages = { overview: () => import('./overview.js'), map: () => import('./map.js'), links: () => import('./links.js'), nodes: node, node,
  port: () => import('./port.js'), jobs: () => import('./jobs.js'), job: () => import('./job.js'), who: () => import('./who.js'),
  health: () => import('./health.js'), manager: () => import('./manager.js'), reroutes: () => import('./reroutes.js'),
  record: () => import('./record.js'), advice: () => import('./advice.js'), incident: () => import('./incident.js'), search: () => import('./search.js') };
const menu = [['overview', 'Overview'], ['map', 'Fabric'], ['links', 'Links'], ['nodes', 'Nodes'], ['jobs', 'Jobs'],
  ['health', 'Health'], ['manager', 'Subnet manager'], ['reroutes', 'Reroutes'], ['record', 'Record'], ['advice', 'Advice']];

// If a page takes longer than this number of milliseconds, its title and empty lines are shown first.
const slow = 80;
const main = document.getElementById('main');
let refresh = null, leave = null, waiting = 0, turn = 0, current = '';
/// What repairs a page that could not be shown; null if the page is shown.
let again = null;

/// The decoded part of an address; the part itself if its escapes are broken.
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
  // Browsers may remember that a module was not found, so only a new document loads it.
  again = error.isModule ? () => location.reload() : show;
  main.replaceChildren(el('p', { class: 'problem', role: 'alert' }, error.message), el('button', { type: 'button', onclick: again }, 'Try again'));
}

async function load(page) {
  try {
    return await page();
  } catch (error) {
    console.warn(error.message);
    throw Object.assign(new Error(noAnswer), { isModule: true });
  }
}

/// Shows the title of a page, empty lines, and how long the page has been loading.
function skeleton(name) {
  const since = Date.now(), note = el('p', { class: 'note', role: 'status' }, 'Loading …');
  main.replaceChildren(el('div', { class: 'skeleton', 'aria-busy': 'true' }, el('h1', {}, menu.find(([page]) => page === name)?.[1] ?? 'Loading'), note,
    [1, 2, 3, 4, 5].map(() => el('div', { class: 'line' }))));
  waiting = setInterval(() => {
    note.textContent = `Loading for ${Math.round((Date.now() - since) / 1000)} s. The monitor is computing the answer, which takes longer on a busy host.`;
  }, 1000);
}

async function show() {
  const mine = ++turn, { name, rest, query } = address();
  clearTimeout(waiting);
  if (leave) leave();
  refresh = leave = again = null;
  const path = [name, ...rest].join('/'), restore = path === current ? rememberFocus(main) : () => {};
  current = path;
  for (const link of document.querySelectorAll('#nav a')) {
    if (link.dataset.page === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const page = pages[name];
  if (!page) return report(new Error(`There is no page "${name}". Choose a page from the menu.`));
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
    const update = await (await load(page)).show(view);
    if (mine !== turn) return;
    main.replaceChildren(root);
    restore();
    refresh = update;
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
    ? `Sweep ${status.sweep}: ${grouped(figures.answered)} of ${grouped(figures.asked)} ports answered in ` +
      `${figures.duration_ms.toFixed(0)} ms. The management packets of the monitor use ` +
      `${bytesPerSecond(status.overhead.mad_bytes_per_s)}, ${percent(status.overhead.share_of_own_link)} of the link of its host.` : '';
}

async function swept() {
  if (!refresh) return;
  try {
    await refresh();
  } catch (error) {
    // The page keeps the old data; the next sweep tries again.
    console.warn(error.message);
  }
}

for (const [name, title] of menu) {
  document.getElementById('nav').append(el('a', { href: '#/' + name, 'data-page': name }, title));
}
document.querySelector('header').append(searchBox());
addEventListener('hashchange', async () => {
  await show();
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
});
follow(swept);
const age = sweepAge(document.getElementById('age'));
watchFreshness(document.getElementById('live'), (status) => {
  age(status);
  cost(status);
}, () => again?.());
show();
