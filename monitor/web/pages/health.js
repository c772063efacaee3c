// Which cable?

import { get } from './api.js';
import { el, portLink, put, short, subject, table, time, verdict } from './dom.js';
import { choice, more } from './links.js';

export async function show(view) {
  const place = el('div');
  const fill = async () => {
    const [verdicts, errors, events] = await Promise.all([
      get('verdicts', { limit: 100, ...Object.fromEntries(view.query) }),
      get('ports', { sort: 'errors', limit: 15, fields: 'peer,counters' }), get('events', { limit: 20 })]);
    const total = (p) => Object.entries(p.counters ?? {}).filter(([name, value]) =>
      /error|downed|discard|drop|recover|overrun/.test(name) && typeof value === 'number');
    const words = (p) => total(p).filter(([, value]) => value > 0)
      .map(([name, value]) => `${short(value)} ${name.replaceAll('_', ' ')}`).join(', ');
    put(place,
      verdicts.has_verdicts ? table('Verdicts: damage first, congestion last', [
        { title: 'Verdict', word: true, cell: (v) => verdict(v.level) }, { title: 'Port', cell: portLink },
        { title: 'Cabled to', cell: (v) => portLink(v.peer) },
        { title: 'What', cell: (v) => subject(v.what) },
        { title: 'Because', cell: (v) => v.reason }, { title: 'Since', cell: (v) => time(v.since) }],
      verdicts.verdicts, { empty: 'All ports are good.' })
        : el('p', {}, 'No verdicts: this monitor does not judge. The totals below say what counted.'),
      verdicts.has_verdicts ? more(view, verdicts) : null,
      verdicts.maintenance.length ? table('In maintenance: nothing is said of these ports', [
        { title: 'Port', cell: (m) => m.port ? portLink(m) : el('a', { href: '#/node/' + m.guid }, m.guid) },
        { title: 'Until', cell: (m) => time(m.until) }, { title: 'Why', cell: (m) => m.why }], verdicts.maintenance) : null,
      table('Most errors since the counters were cleared', [{ title: 'Port', cell: portLink },
        { title: 'Cabled to', cell: (p) => portLink(p.peer) }, { title: 'Counted', cell: words }],
      errors.ports.filter((p) => words(p) !== ''), { empty: 'No port has counted an error.' }),
      table('Events', [{ title: 'Time', cell: (e) => time(e.time) }, { title: 'Kind', cell: (e) => e.kind.replaceAll('_', ' ') },
        { title: 'Where', cell: (e) => e.guid ? e.port ? portLink(e) : el('a', { href: '#/node/' + e.guid }, e.name || e.guid) : '–' },
        { title: 'What', cell: (e) => e.text }], events.events));
  };
  view.root.append(el('h1', {}, 'Health'), el('form', { class: 'filters', onsubmit: (e) => e.preventDefault() },
    choice(view, 'level', 'Show', [['any', 'all that is not good'], ['bad', 'bad'], ['watch', 'to watch'], ['unknown', 'unknown']])), place);
  await fill();
  return fill;
}
