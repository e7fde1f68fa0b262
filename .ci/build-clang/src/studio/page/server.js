/* SPDX-License-Identifier: MIT */
/* Questions to the server. Paths are relative: the token in the page's own address comes with them. */

async function failure(response) {
  const text = await response.text();
  let told = text.trim();
  try { told = JSON.parse(text).error || told; } catch { /* no JSON: the text itself */ }
  const error = new Error(told || response.statusText);
  error.status = response.status;
  return error;
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (reason) {
    if (reason.name === 'AbortError') throw reason;
    throw new Error('the studio does not answer; is it still running in its terminal?');
  }
  if (!response.ok) throw await failure(response);
  return response;
}

function posting(body, signal) {
  return {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    signal,
  };
}

export async function get(path, query = {}) {
  const search = new URLSearchParams(query).toString();
  return (await ask(`api/${path}${search ? '?' + search : ''}`)).json();
}

export async function post(path, body, signal) {
  return (await ask(`api/${path}`, posting(body, signal))).json();
}

export async function text(path, query = {}) {
  return (await ask(`api/${path}?${new URLSearchParams(query)}`)).text();
}

/* Calls `hear` with each event of a run as it comes: {result}, {line}, {done}. */
export async function stream(path, body, hear) {
  const reader = (await ask(`api/${path}`, posting(body))).body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) hear(JSON.parse(line));
  }
}
