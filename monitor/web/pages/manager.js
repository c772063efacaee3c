// Which subnet manager is the master, and did that change?

import { get } from './api.js';
import { el, managerSince, put, table, time } from './dom.js';

const changes = (count) => count === 0 ? 'The master has not changed since the monitor started.'
  : `Changes of the master since the monitor started: ${count}.`;

export async function show(view) {
  const fill = async () => {
    const [manager, events] = await Promise.all([get('manager'), get('events', { limit: 1000 })]);
    const own = events.events.filter((e) => /manager|standby|tables/.test(e.kind));
    const isAlone = manager.managers.length > 0 && manager.managers.every((m) => m.state !== 'standby');
    put(view.root, el('h1', {}, 'Subnet manager'), el('p', {}, changes(manager.changes)),
      isAlone ? el('p', { class: 'verdict watch' }, '▲ No standby subnet manager was found.') : null,
      table('Subnet managers', [{ title: 'Node', cell: (m) => m.name || m.guid }, { title: 'State', cell: (m) => m.state },
        { title: 'Priority', number: true, term: 'priority', cell: (m) => String(m.priority) },
        { title: 'LID', number: true, term: 'LID', cell: (m) => String(m.lid) },
        { title: 'Activity count', number: true, term: 'activity count', cell: (m) => String(m.act_count) },
        { title: 'In this state since', cell: managerSince }], manager.managers, { empty: 'The monitor has not found a subnet manager yet.' }),
      table('Changes of managers and forwarding tables', [{ title: 'Time', word: true, cell: (e) => time(e.time) },
        { title: 'Kind', cell: (e) => e.kind.replaceAll('_', ' ') }, { title: 'Event', cell: (e) => e.text }], own,
      { empty: 'No changes since the monitor started.' }));
  };
  await fill();
  return fill;
}
