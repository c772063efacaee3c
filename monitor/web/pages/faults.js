// Faults and congestion as pages name them.

import { capital, count, el, portName, subject } from './dom.js';

const kinds = { unreachable: 'Fabric unreachable', node_down: 'Node down', link_down: 'Link down', not_responding: 'Not responding', cabling: 'Not cabled as planned',
  width: 'Link width degraded', speed: 'Link speed degraded' };

/// Names of counters in the InfiniBand specification and in perfquery.
const counterNames = { symbol_errors: 'SymbolErrorCounter', link_error_recoveries: 'LinkErrorRecoveryCounter', link_downed: 'LinkDownedCounter',
  receive_errors: 'PortRcvErrors', receive_remote_physical_errors: 'PortRcvRemotePhysicalErrors', receive_switch_relay_errors: 'PortRcvSwitchRelayErrors',
  transmit_discards: 'PortXmitDiscards', transmit_constraint_errors: 'PortXmitConstraintErrors', receive_constraint_errors: 'PortRcvConstraintErrors',
  local_link_integrity_errors: 'LocalLinkIntegrityErrors', excessive_buffer_overruns: 'ExcessiveBufferOverrunErrors', vl15_dropped: 'VL15Dropped',
  transmit_wait: 'PortXmitWait' };
/// "symbol errors (SymbolErrorCounter)"
export const counterTitle = (what) => subject(what) + (counterNames[what] ? ` (${counterNames[what]})` : '');

/// "Symbol errors", "Link down"
export function faultKind(fault) {
  const what = subject(fault.findings[0].what);
  return kinds[fault.kind] ?? (fault.kind === 'no_data' ? `Counter full: ${what}` : capital(what));
}
/// The ends of the cable of a fault, or its node; first the end whose port counted the errors.
export function endsOf(fault) {
  const { end, peer, findings: [counted] } = fault;
  return peer && peer.guid === counted.guid && peer.port === counted.port ? [peer, end] : [end, peer];
}
/// "leaf 3 port 17 to spine 1 port 4"
export const faultEnds = (fault) => fault.end === null ? 'the monitor reaches no switch' : endsOf(fault).filter(Boolean).map(portName).join(' to ');
/// What the list of jobs of a fault contains.
export const jobsTitle = (fault) => /_down$/.test(fault.kind) ? 'Jobs when it went down' : fault.peer ? 'Jobs on either direction' : 'Jobs affected';
/// A fault, or a group of congestion.
export const incidentTitle = (i) => i.kind === 'congestion' ? capital(i.summary) : `${faultKind(i)}: ${faultEnds(i)}`;
export const faultLink = (i) => el('a', { href: '#/incident/' + i.id }, incidentTitle(i));

/// Whether the fabric is healthy, in one line.
export function healthSentence({ summary, manager, standby_managers }, incidents) {
  if (!summary.has_verdicts) return 'Not known yet: the monitor needs two sweeps.';
  const { bad, watch, unknown } = incidents.faults_by_level;
  const causes = incidents.congestion.length, down = summary.lost_links;
  const found = [bad ? count(bad, 'bad fault') : '', watch ? count(watch, 'fault to watch', 'faults to watch') : '',
    unknown ? count(unknown, 'unknown state') : ''].filter(Boolean).join(', ');
  const verdict = bad ? `Not healthy: ${found}` : found ? `No bad faults, but ${found}` : 'No faults';
  return verdict + (down ? ` (${count(down, 'link')} down)` : '') + (causes ? `, ${count(causes, 'congestion cause')}.` : '.') +
    (manager && standby_managers === 0 ? ' No standby subnet manager.' : '');
}
