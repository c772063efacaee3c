// Who manages the subnet, and did that change?

import { get } from './api.js';
import { el, table, time } from './dom.js';

export async function show(view) {
  const fill = async () => {
    const [manager, events] = await Promise.all([get('manager'), get('events', { limit: 1000 })]);
    const own = events.events.filter((e) => /manager|standby|tables/.test(e.kind));
    view.root.replaceChildren(el('h1', {}, 'Subnet manager'),
      el('p', {}, `The master changed ${manager.changes} times since the monitor started.`),
      table('Managers', [{ title: 'Node', cell: (m) => m.name || m.guid }, { title: 'State', cell: (m) => m.state },
        { title: 'Priority', number: true, cell: (m) => String(m.priority) },
        { title: 'LID', number: true, cell: (m) => String(m.lid) },
        { title: 'Activity count', number: true, cell: (m) => String(m.act_count) },
        { title: 'Since', cell: (m) => time(m.since) }], manager.managers, { empty: 'No subnet manager is known yet.' }),
      table('History', [{ title: 'Time', cell: (e) => time(e.time) }, { title: 'Event', cell: (e) => e.kind.replaceAll('_', ' ') },
        { title: 'What', cell: (e) => e.text }], own, { empty: 'Nothing happened since the monitor started.' }));
  };
  await fill();
  return fill;
}
