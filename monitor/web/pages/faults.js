// Faults and congestion as pages name them.

import { el, portName, subject } from './dom.js';

const kinds = { unreachable: 'Fabric unreachable', node_down: 'Node down', link_down: 'Link down', not_responding: 'Not responding', cabling: 'Not cabled as planned',
  width: 'Link width degraded', speed: 'Link speed degraded' };
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/// "Symbol errors", "Link down"
export function faultKind(fault) {
  const what = subject(fault.findings[0].what);
  return kinds[fault.kind] ?? (fault.kind === 'no_data' ? `Counter full: ${what}` : capital(what));
}
/// "leaf 3 port 17 to spine 1 port 4"
export const faultEnds = (fault) => fault.end === null ? 'the monitor reaches no switch' : portName(fault.end) + (fault.peer ? ` to ${portName(fault.peer)}` : '');
/// A fault, or a group of congestion.
export const incidentTitle = (i) => i.kind === 'congestion' ? capital(i.summary) : `${faultKind(i)}: ${faultEnds(i)}`;
export const faultLink = (i) => el('a', { href: '#/incident/' + i.id }, incidentTitle(i));
