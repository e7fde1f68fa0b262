/* SPDX-License-Identifier: MIT */
/* Runs: started, watched, cancelled; their curves in one plot, for which the program chooses panels,
 * units and colours (linnet plot). */
import * as server from './server.js';

const KEPT = 12; /* runs in the list */

export function describe(set) {
  return Object.entries(set).map(([name, text]) => `${name} = ${text}`).join(', ');
}

/* `app`: model(), how of showing: dark(), told(text), progress(part or null), summary(text). */
export function createRuns({ app, places }) {
  const runs = [];            /* {name, label, shown, pinned, signals, isTry} */
  const chosen = new Map();   /* signal -> shown, as the user chose */
  let running = null, next = null, number = 0, drawing = 0;
  let graphs = [];

  /* ---- running ---- */

  /* Starts a run with values in place of the text's; while one works, the last asked for waits. */
  async function run({ set = {}, isTry = false } = {}) {
    if (running) {
      next = { set, isTry };
      if (running.isTry) cancel();
      return;
    }
    const job = { isTry, set, lines: [], name: null, cancelled: false };
    running = job;
    app.running(job);
    try {
      await server.stream('run', { ...app.model(), set }, (event) => hear(job, event));
    } catch (error) {
      app.told(error.message, 'error');
    }
    running = null;
    app.running(null);
    await finish(job);
    if (next) {
      const wanted = next;
      next = null;
      await run(wanted);
    }
  }

  function hear(job, event) {
    if (event.result) job.name = event.result;
    if (event.result && job.cancelled) stop(job);
    if (event.done !== undefined) job.status = event.done;
    if (event.line === undefined) return;
    const progress = /^progress: ([0-9.]+)$/.exec(event.line);
    if (progress) app.progress(Number(progress[1]));
    else job.lines.push(event.line);
  }

  function stop(job, force) {
    server.post('stop', { result: job.name, force }).catch((e) => app.told(e.message, 'error'));
  }

  /* Asked twice, the run is ended whatever it is doing. */
  function cancel() {
    if (!running) return;
    const again = running.cancelled;
    running.cancelled = true;
    if (running.name) stop(running, again);
  }

  async function finish(job) {
    const summary = job.lines.filter((line) => !/^linnet: done$/.test(line)).join('\n');
    if (!job.isTry || job.status) app.summary(summary);
    let listed = null;
    if (job.name && [0, 4, 130].includes(job.status))
      listed = await server.get('signals', { result: job.name }).catch(() => null);
    if (job.cancelled && job.isTry) { drop(job.name); return; }
    app.ended(job, listed !== null && listed.rows > 0);
    if (!listed || !listed.rows) return;
    add(job, listed.signals);
  }

  function drop(name) {
    if (name) server.post('drop', { result: name }).catch(() => {});
  }

  /* A new run takes the place of the last one on the plot; one that tries values stands beside it. */
  function add(job, signals) {
    for (const old of runs) if (!old.pinned && (old.isTry || !job.isTry)) old.shown = false;
    if (job.isTry) for (const old of runs.filter((r) => r.isTry && !r.pinned)) forget(old);
    number++;
    const set = describe(job.set);
    runs.push({ name: job.name, label: set || `run ${number}`, shown: true, pinned: false,
      isTry: job.isTry, signals, cut: job.status !== 0 });
    while (runs.length > KEPT) forget(runs.find((r) => !r.pinned) || runs[0]);
    show();
  }

  function forget(run) {
    runs.splice(runs.indexOf(run), 1);
    drop(run.name);
  }

  /* ---- what is shown ---- */

  function names() {
    const all = new Map();
    for (const run of runs.filter((r) => r.shown))
      for (const signal of run.signals) all.set(signal.name, signal.unit);
    return all;
  }

  function isChosen(name, at) {
    return chosen.get(name) ?? at < 6;
  }

  function chip(label, on, title) {
    const made = document.createElement('button');
    made.className = 'chip' + (on ? ' on' : '');
    made.textContent = label;
    made.title = title || '';
    made.setAttribute('aria-pressed', on);
    return made;
  }

  function showRuns() {
    places.runs.replaceChildren(...runs.map((run) => {
      const made = chip(run.label + (run.cut ? ' (cut off)' : ''), run.shown,
        'show or hide; double click: keep beside later runs');
      made.classList.toggle('pinned', run.pinned);
      made.onclick = () => { run.shown = !run.shown; run.pinned = run.shown && run.pinned; show(); };
      made.ondblclick = () => { run.pinned = !run.pinned; run.shown = true; show(); };
      const pin = document.createElement('i'), close = document.createElement('i');
      pin.textContent = run.pinned ? '★' : '☆';
      pin.title = 'keep beside later runs';
      pin.onclick = (e) => { e.stopPropagation(); run.pinned = !run.pinned; run.shown = true; show(); };
      close.textContent = '×';
      close.title = 'remove';
      close.onclick = (e) => { e.stopPropagation(); forget(run); show(); };
      made.append(pin, close);
      return made;
    }));
    if (!runs.length) return;
    const link = document.createElement('a');
    const last = runs.filter((r) => r.shown).pop() || runs[runs.length - 1];
    link.href = `api/download?result=${last.name}`;
    link.textContent = 'CSV';
    link.className = 'chip';
    link.title = `the numbers of “${last.label}”`;
    places.runs.append(link);
  }

  function showSignals(all) {
    let at = 0;
    places.signals.replaceChildren(...[...all].map(([name, unit]) => {
      const on = isChosen(name, at++);
      const made = chip(name, on, unit);
      made.onclick = () => { chosen.set(name, !on); show(); };
      return made;
    }));
  }

  async function show() {
    const all = names();
    showRuns();
    showSignals(all);
    const wanted = runs.filter((r) => r.shown);
    const signals = [...all.keys()].filter((name, at) => isChosen(name, at));
    await plot({ results: wanted.map((r) => r.name), signals },
      wanted.length === 0 ? 'No run is shown.' : signals.length === 0 ? 'No signal is chosen.' : '');
  }

  /* Draws panels; what was asked for last is what stands there in the end. */
  async function plot(body, empty) {
    const turn = ++drawing;
    app.caseShown(false);
    if (empty) { write(empty); return []; }
    try {
      const panels = await server.post('plot', { ...body,
        how: { ...body.how, dark: app.dark() } });
      if (turn !== drawing) return [];
      for (const panel of panels)
        for (const curve of panel.curves) curve.name = labelled(curve.name);
      clear();
      graphs = window.linnetPlot(places.plot.id, panels);
      window.dispatchEvent(new Event('resize')); /* the keys have taken their room by now */
      places.runs.classList.toggle('faded', Boolean(body.sweep));
      app.plotted(panels);
    } catch (error) {
      if (turn === drawing) write(error.message);
    }
    return graphs;
  }

  function labelled(name) {
    return (name || '').replace(/\brun-\d+$/, (found) =>
      runs.find((run) => run.name === found)?.label ?? found);
  }

  function clear() {
    for (const graph of graphs) graph.destroy();
    graphs = [];
    places.plot.replaceChildren();
  }

  function write(text) {
    clear();
    const line = document.createElement('p');
    line.className = 'empty';
    line.textContent = text;
    places.plot.append(line);
    places.runs.classList.remove('faded');
    app.plotted([]);
  }

  return {
    run, cancel, show, plot,
    isRunning: () => running !== null,
    signals: () => [...names()].map(([name, unit]) => ({ name, unit })),
    /* Another model: its runs are others. */
    clear() {
      if (running) cancel();
      next = null;
      while (runs.length) forget(runs[0]);
      chosen.clear();
      number = 0;
      places.runs.replaceChildren();
      places.signals.replaceChildren();
      write('Run the model to see its curves.');
    },
  };
}
