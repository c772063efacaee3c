// A slider that selects the time that a page shows. The address contains the time as `at`; without `at` the page is live.

import { el, time } from './dom.js';

const day = 86400e3;
// The length of the slider, and its step in milliseconds.
const spans = [['3600', 'last hour', 10e3], ['21600', 'last 6 hours', 60e3], ['86400', 'last 24 hours', 300e3],
  ['1209600', 'last 14 days', 3600e3], ['all', 'whole history', 3600e3]];
// The page asks for a time when the slider has not moved for this number of milliseconds.
const rest = 120;

export const askedTime = (view) => Number(view.query.get('at')) || null;

/// The time that an answer is about.
export function ofTime(answer) {
  if (!answer.level) return 'live';
  if (answer.since === answer.until) return `${time(answer.until)}, a single reading`;
  const lasted = (answer.until - answer.since) / 1000;
  const grain = { raw: 'between two sweeps', memory: 'between two sweeps', '5min': 'mean of five minutes', hour: 'mean of an hour' };
  return `${time(answer.until)} and the ${lasted < 120 ? lasted.toFixed(1) + ' s' : Math.round(lasted / 60) + ' min'} before, ${grain[answer.level]}`;
}

export const nothingAt = (at) => `Nothing was read at ${time(at)}.`;

/// A line for pages without a slider: the time that they show, and a link to the live page.
export function pastNote(view, text) {
  return el('p', { class: 'note past', role: 'status' }, text, ' ', el('a', { href: view.link({ at: null, after: null }) }, 'Live'));
}

/// `oldest`, `interval_s`: of the status. `changed(at)` shows that time, or live data if it is null, and returns the text for the label.
export function timeline(view, { oldest, interval_s: interval }, changed) {
  let timer = 0, begin = 0, end = 0, reachesNow = true;
  const label = el('output', { class: 'of', role: 'status' });
  const slider = el('input', { type: 'range', 'aria-label': 'Time', oninput: () => moved(rest), onchange: () => moved(0) });
  const live = el('button', { type: 'button', onclick: () => go(null) }, 'Live');
  const reach = el('select', { 'aria-label': 'How far back', onchange: () => {
    view.put({ span: reach.value === spans[0][0] ? null : reach.value });
    place();
  } }, spans.map(([value, text]) => el('option', { value, selected: value === (view.query.get('span') ?? spans[0][0]) }, text)));

  function place() {
    const at = askedTime(view), now = Date.now();
    const [value, , wide] = spans.find((each) => each[0] === reach.value) ?? spans[0];
    const length = value === 'all' ? Math.max(now - oldest, day / 24) : Number(value) * 1000;
    const step = Math.min(Math.max(wide, interval * 1000), length / 20);
    end = at === null || at > now - length || value === 'all' ? now : Math.min(now, at + length / 2);
    reachesNow = end === now;
    begin = Math.max(Math.min(oldest || now, end - step), end - length);
    // The value is the number of steps back from the end.
    const steps = Math.max(1, Math.floor((end - begin) / step));
    slider.min = String(-steps);
    slider.max = '0';
    slider.step = '1';
    slider.dataset.step = String(step);
    slider.value = String(at === null ? 0 : Math.round((at - end) / step));
    slider.setAttribute('aria-valuetext', at === null ? 'live' : time(at));
    live.setAttribute('aria-pressed', String(at === null));
  }
  function moved(wait) {
    const steps = Number(slider.value);
    const at = steps === 0 && reachesNow ? null : Math.round(end + steps * Number(slider.dataset.step));
    label.textContent = at === null ? 'live' : time(at);
    slider.setAttribute('aria-valuetext', label.textContent);
    clearTimeout(timer);
    timer = setTimeout(() => go(at, true), wait);
  }
  async function go(at, bySlider) {
    clearTimeout(timer);
    if (at === askedTime(view)) return report(await changed(at));
    view.put({ at });
    if (bySlider) live.setAttribute('aria-pressed', String(at === null));
    else place();
    report(await changed(at));
  }
  function report(text) {
    if (text) label.textContent = text;
  }
  place();
  return {
    element: el('div', { class: 'filters timeline' }, el('label', {}, 'Time ', reach), slider, live, label),
    report,
    /// While the page is live, the end of the slider is the current time.
    tick() {
      if (askedTime(view) === null && document.activeElement !== slider) place();
    },
    end() { clearTimeout(timer); },
  };
}
