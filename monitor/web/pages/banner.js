// A line above every page warns if the monitor does not answer, or if its last sweep is older than two intervals. It also says what to do.

import { get } from './api.js';

const everyMs = 5000, waitMs = 10000;
const checkIt = 'Run "systemctl status monitor_fabric" and "journalctl -u monitor_fabric" on the host of the monitor.';

/// Returns a function that takes each status. `element` shows the time of the last sweep and its age, which grows between the answers.
export function sweepAge(element) {
  let began = null, known = null, received = 0;
  const print = () => {
    if (!known) return;
    const age = known.age_s + (performance.now() - received) / 1000;
    element.textContent = `Last sweep ${began.toLocaleTimeString()}, ${Math.round(age)} s ago (every ${known.interval_s} s).`;
  };
  setInterval(print, 1000);
  return (status) => {
    if (!status) return;
    [known, began, received] = [status, new Date(status.time), performance.now()];
    print();
  };
}

/// Requests the status every few seconds. `line`: the element for the warning. Calls `received` with each status, or with null without an
/// answer, and `back` when the monitor answers again.
export function watchFreshness(line, received, back) {
  let silentSince = null;
  const print = (text) => {
    if (line.textContent !== text) line.textContent = text;
    line.className = text ? 'problem' : '';
  };
  const ask = async () => {
    try {
      const status = await get('status', {}, AbortSignal.timeout(waitMs));
      if (silentSince) back();
      silentSince = null;
      const stale = status.age_s > 2 * status.interval_s;
      print(stale ? `Old data: the last sweep began ${Math.round(status.age_s)} s ago, but the sweep interval is ${status.interval_s} s. ${checkIt}` : '');
      received(status);
    } catch (error) {
      if (error.status === 503) {
        print(`No data yet: ${error.message}.`);
      } else {
        silentSince ??= new Date();
        print(`The monitor has not answered since ${silentSince.toLocaleTimeString()}; this page shows old data. ${checkIt}`);
      }
      received(null);
    }
  };
  const again = async () => {
    await ask();
    setTimeout(again, everyMs);
  };
  again();
}
