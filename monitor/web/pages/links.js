// Which channels are busy, and which wait?

import { get } from './api.js';
import { el, table, verdict } from './dom.js';
import { linkColumns } from './overview.js';
import { askedTime, nothingAt, ofTime, pastNote } from './timeline.js';

export function choice(view, name, title, choices) {
  const chosen = view.query.get(name) ?? choices[0][0];
  return el('label', {}, title + ' ', el('select', {
    onchange: (event) => view.go({ [name]: event.target.value === choices[0][0] ? null : event.target.value, after: null }),
  }, choices.map(([value, text]) => el('option', { value, selected: value === chosen }, text))));
}
export function search(view) {
  return el('label', {}, 'Name ', el('input', {
    type: 'search', value: view.query.get('name') ?? '',
    onchange: (event) => view.go({ name: event.target.value, after: null }),
  }));
}
export function more(view, list) {
  const parts = [];
  if (view.query.get('after')) parts.push(el('a', { href: view.link({ after: null }) }, 'Back to the first'));
  if (list.next) parts.push(el('a', { href: view.link({ after: list.next }) }, 'Further'));
  return el('p', { class: 'more' }, `${list.total} in all. `, parts);
}

const columns = (at) => [...linkColumns,
  { title: 'Users', cell: (l) => el('span', {},
    el('a', { href: `#/who/${l.guid}/${l.port}` + (at === null ? '' : `?at=${at}`) }, 'who?'), ' ',
    l.hot && l.kind === 'switch' ? el('a', { href: `#/advice?channel=${l.guid}:${l.port}` }, 'what helps?') : '') },
  { title: 'Cable', cell: (l) => verdict(l.verdict) }];

export async function show(view) {
  const list = el('div'), at = askedTime(view);
  const fill = async () => {
    const parameters = Object.fromEntries(view.query);
    let links;
    try {
      links = await get('links', { limit: 50, ...parameters });
    } catch (error) {
      if (at === null || error.status !== 404) throw error;
      list.replaceChildren(pastNote(view, nothingAt(at)));
      return;
    }
    list.replaceChildren(at === null ? '' : pastNote(view, ofTime(links) + '.'),
      table('Links, by direction', columns(at), links.links, {
        sorted: view.query.get('sort') ?? 'utilisation', link: (sort) => view.link({ sort, after: null }),
      }), more(view, links));
  };
  view.root.append(el('h1', {}, 'Links'), el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    choice(view, 'only', 'Show', [['all', 'all'], ['hot', 'above 80 % utilisation'],
      ['held_up', 'waiting for credits (congestion)'], ['bad', 'bad'], ['watch', 'to watch']]),
    choice(view, 'kind', 'Between', [['any', 'all'], ['switch', 'switches'], ['host', 'switch and host']]),
    search(view)), list);
  await fill();
  // What is past stays as it was.
  return at === null ? fill : undefined;
}
