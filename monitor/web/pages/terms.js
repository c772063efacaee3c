// The terms of the pages with their definitions. A tooltip shows a definition while the mouse is over the button beside the term or the
// button has the focus. Escape hides it.

const terms = {
  throughput: 'Bytes per second that one direction of a link carried between the last two sweeps. Counter: PortXmitData x 4; if the port ' +
    'was not read, PortRcvData of the other end.',
  utilisation: 'Throughput / data rate of the link, for one direction. Counters: PortXmitData, or PortRcvData of the other end. ' +
    'Saturated: above 80 %. The times of readings are uncertain by a network round trip, so values are capped at 100 %.',
  'credit wait': 'Share of the time in which a port had packets to send but no credits from the other end. Formula: W / (W + D), where D is ' +
    'PortXmitData and W the data that the port could have sent during PortXmitWait. Congestion: above 30 %.',
  saturated: 'Directions of links with a utilisation above 80 % in the last sweep (PortXmitData / data rate).',
  waiting: 'Ports whose credit wait exceeded 30 % in the last sweep (PortXmitWait). Packets are delayed, and none are lost.',
  'not responding': 'Active ports whose node did not answer the last request for counters (PerfMgt Get), repeated once.',
  'links down': 'Links that were active within the last 24 hours and are not now (PortState). Links that somebody disabled are left out.',
  faults: 'Cables and nodes with a verdict other than congestion: down, not responding, degraded width or speed, or error counters above ' +
    'the limits of the section [verdicts] of the configuration.',
  verdict: 'good: no limit is exceeded. watch: look at it in working hours. bad: replace or repair. unknown: a counter is full or cannot be read.',
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
