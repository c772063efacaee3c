// The terms of the pages with their definitions. A tooltip shows a definition while the mouse is over the button beside the term or the
// button has the focus. Escape hides it.

const terms = {
  throughput: 'Bytes per second that one direction of a link carried between the last two sweeps. Counter: PortXmitData × 4; if the port ' +
    'was not read, PortRcvData of the other end.',
  utilization: 'Throughput / data rate of the link, for one direction. Counters: PortXmitData, or PortRcvData of the other end. ' +
    'Saturated: above 80 %. The times of readings are uncertain by a network round trip, so values are capped at 100 %.',
  'credit wait': 'Share of the time in which a port had packets to send but no credits from the other end. Formula: W / (W + D), where D is ' +
    'PortXmitData and W the data that the port could have sent during PortXmitWait. Congestion: above 30 %. Unknown: the counter is full or the node does not have it.',
  saturated: 'Directions of links with a utilization above 80 % in the last sweep (PortXmitData / data rate).',
  waiting: 'Ports with a credit wait above 30 % in the last sweep (PortXmitWait). Packets are delayed, but not lost.',
  'not responding': 'Active ports whose node did not answer the last request for counters (PerfMgt Get), repeated once.',
  'links down': 'Links that the monitor has seen active and that are down now (PortState). Disabled links do not count.',
  faults: 'Cables and nodes with a verdict other than congestion: down, not responding, degraded width or speed, or error counters above ' +
    'the limits of the section [verdicts] of the configuration.',
  verdict: 'good: no limit is exceeded. watch: check it in working hours. bad: repair or replace it. unknown: a counter is full or cannot be read.',
  'fit for jobs': 'Whether the host of the adapter can run jobs. watch: yes, but it has a fault. no: do not schedule jobs on it. Switches have no answer.',
  LID: 'Local identifier: the address of a port in the subnet.',
  priority: 'The subnet manager with the highest priority (0 to 15) becomes the master; among equals, the one with the lowest GUID.',
  'activity count': 'SMInfo:ActCount. It increases while the subnet manager works. If it stops, the manager hangs.',
  'jobs affected': 'Running jobs with routes over this node or either direction of this cable. If it is down: the jobs with routes over it before.',
  'links of jobs': 'Links between switches to which the job contributes at least 1 % of the bytes, with a utilization above 80 % or a credit wait above 30 %.',
  'possible links': 'Links between switches on the routes between the hosts of the job, and to hosts without a job.',
  share: 'The most probable share of the job in the bytes of this direction of the link.',
  'certain range': 'The share is in this range whatever the traffic of other jobs was: the counters of hosts and links exclude all other values.',
  interval: '95 % confidence interval of the share, from the activity of the job over time.',
  evidence: 'only user: no other job can have used the link. time series: the share follows from the activity of the job over time. ' +
    'estimate: nothing distinguishes the job from others, so every share in the certain range is possible.',
  unexplained: 'Share of the bytes that the traffic of no job explains.',
  moved: 'Pairs of hosts whose packets take another path than before.',
  longer: 'Pairs of hosts whose new path has more hops.',
  lost: 'Pairs of hosts that had a route before the change and have none after it.',
  gained: 'Pairs of hosts that have a route only since the change.',
  'without route': 'Pairs of hosts that had no route while the switches were updated, and the longest time of a pair. Their packets were dropped.',
  'in a loop': 'Pairs of hosts whose packets circulated while the switches were updated, and the longest time of a pair.',
};

let tip = null;
function place(button) {
  if (!tip) {
    tip = document.body.appendChild(document.createElement('div'));
    tip.id = 'tip';
    tip.popover = 'manual';
  }
  tip.textContent = terms[button.dataset.term];
  tip.showPopover();
  const at = button.getBoundingClientRect(), gap = 6;
  tip.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - tip.offsetWidth - gap))}px`;
  const below = at.bottom + gap + tip.offsetHeight < innerHeight;
  tip.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - tip.offsetHeight)}px`;
}
const hide = () => tip?.hidePopover();
addEventListener('keydown', (event) => event.key === 'Escape' && hide());
addEventListener('hashchange', hide);

/// A button that explains a term; `name` is a key of `terms`. Its label contains the definition, for screen readers.
export function explain(name) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'info';
  button.dataset.term = name;
  button.textContent = '?';
  button.setAttribute('aria-label', `${name}: ${terms[name]}`);
  for (const event of ['mouseenter', 'focus', 'click']) button.addEventListener(event, () => place(button));
  for (const event of ['mouseleave', 'blur']) button.addEventListener(event, hide);
  return button;
}
