// Requests to the monitor, and the stream of sweeps.

export const noAnswer = 'The monitor does not answer. Check that the service monitor_fabric runs and that this computer can reach it. ' +
  'The page tries again automatically.';

/// `signal`: an AbortSignal that ends the request.
export const get = (path, parameters, signal) => ask('GET', path, parameters, signal);
/// For clients with the token of the monitor, which can change something.
export const post = (path, parameters) => ask('POST', path, parameters);

async function ask(method, path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, value);
  }
  const text = query.toString();
  let answer;
  try {
    answer = await fetch('/api/v1/' + path + (text ? '?' + text : ''), { method, signal });
  } catch {
    throw new Error(noAnswer);
  }
  if (answer.status === 401) {
    location.href = '/login.html';
    throw new Error('The monitor requires a token.');
  }
  const body = await answer.json();
  if (!answer.ok) {
    const error = new Error(body.error.message + ': ' + body.error.hint);
    error.status = answer.status;
    throw error;
  }
  return body;
}

/// Calls `sweep` for each sweep. EventSource reconnects by itself, unless the answer was an error.
export function follow(sweep) {
  let source;
  const open = () => {
    source = new EventSource('/api/v1/stream?topics=sweep');
    source.addEventListener('sweep', (event) => sweep(JSON.parse(event.data)));
    source.addEventListener('gap', () => sweep(null));
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 5000);
    });
  };
  open();
}
