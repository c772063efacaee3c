// Questions to the monitor, and the stream of its sweeps.

export const get = (path, parameters) => ask('GET', path, parameters);
/// Where the monitor lets those with its token change something.
export const post = (path, parameters) => ask('POST', path, parameters);

async function ask(method, path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, value);
  }
  const text = query.toString();
  const answer = await fetch('/api/v1/' + path + (text ? '?' + text : ''), { method });
  if (answer.status === 401) {
    location.href = '/login.html';
    throw new Error('a token is needed');
  }
  const body = await answer.json();
  if (!answer.ok) {
    const error = new Error(body.error.message + ': ' + body.error.hint);
    error.status = answer.status;
    throw error;
  }
  return body;
}

/// Calls `sweep` for each sweep, and `state` with null while the stream runs, else with the time of
/// its break. EventSource comes back by itself, unless the answer was an error.
export function follow(sweep, state) {
  let source, broken = null;
  const open = () => {
    source = new EventSource('/api/v1/stream?topics=sweep');
    source.addEventListener('open', () => {
      broken = null;
      state(null);
    });
    source.addEventListener('sweep', (event) => sweep(JSON.parse(event.data)));
    source.addEventListener('gap', () => sweep(null));
    source.addEventListener('error', () => {
      broken ??= new Date();
      state(broken);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 5000);
    });
  };
  open();
}
