// The token goes into a header once; what stays in the browser is a cookie that scripts cannot read.
const form = document.getElementById('form');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const message = document.getElementById('message');
  message.textContent = '';
  try {
    const answer = await fetch('/api/v1/session', {
      headers: { Authorization: 'Bearer ' + document.getElementById('token').value },
    });
    if (answer.ok) {
      location.href = '/';
    } else {
      message.textContent = (await answer.json()).error.message;
    }
  } catch {
    message.textContent = 'The monitor does not answer. Check that the service monitor_fabric runs and that this computer can reach it.';
  }
});
