/* SPDX-License-Identifier: MIT */
/* A sweep: one parameter over a range, the curves of all its cases as a fan through which a slider
 * walks, and a measure against the parameter. */
import { catalogue } from './catalogue.js';
import * as server from './server.js';
import { readNumber, writeNumber } from './values.js';

export function createSweep({ app, form, place, caseBox, views, runs, values }) {
  let sweep = null;  /* {name, parameter, cases: [value], measured} */
  let job = null;

  /* ---- the form ---- */

  function options(select, list, chosen) {
    const before = chosen ?? select.value;
    select.replaceChildren(...list.map(([value, text]) => {
      const made = document.createElement('option');
      made.value = value;
      made.textContent = text;
      return made;
    }));
    if (list.some(([value]) => value === before)) select.value = before;
  }

  function suggest() {
    const row = values.rows().find((r) => r.key === form.parameter.value);
    if (!row || !row.number) return;
    const { number, unit } = row.number;
    form.from.value = writeNumber(number / 3, unit);
    form.to.value = writeNumber(number * 3, unit);
  }

  function update() {
    const before = form.parameter.value;
    options(form.parameter, values.rows().filter((r) => r.number).map((r) => [r.key, r.key]));
    options(form.kind, [['', 'none']].concat(catalogue.measures
      .filter((m) => !['value', 'first-time', 'duration', 'formula'].includes(m.name))
      .map((m) => [m.name, m.name])));
    options(form.signal, runs.signals().map((s) => [s.name, s.name]));
    if (form.parameter.value !== before || !form.from.value) suggest();
  }
  form.parameter.onchange = suggest;

  /* ---- the work ---- */

  /* Under which its values stand in the table: a name of the language. */
  function measureName() {
    return form.kind.value.replaceAll('-', '_');
  }

  function order() {
    const compact = (text) => text.trim().replace(/\s+/g, '');
    const { parameter, from, to, count, scale, kind, signal } = form;
    const body = { ...app.model(), set: values.tried(), vary: {
      [parameter.value]: `${scale.value}${compact(from.value)}:${compact(to.value)}:${count.value}` } };
    delete body.set[parameter.value];
    if (kind.value && signal.value)
      body.measure = { [measureName()]: `${kind.value}(${signal.value})` };
    return body;
  }

  async function start() {
    if (!form.parameter.value) { app.told('the model has no parameter that is a number', 'error'); return; }
    if (job) return;
    const body = order();
    job = { lines: [], parameter: form.parameter.value,
      measured: body.measure ? measureName() : null };
    const mine = job;
    app.running(mine);
    try {
      await server.stream('sweep', body, (event) => hear(mine, event));
    } catch (error) {
      app.told(error.message, 'error');
    }
    job = null;
    app.running(null);
    app.summary(mine.lines.filter((line) => line !== 'linnet: done').join('\n'));
    app.ended(mine, [0, 4].includes(mine.status));
    if (mine.name && [0, 4].includes(mine.status)) await take(mine);
  }

  function hear(mine, event) {
    if (event.result) mine.name = event.result;
    if (event.done !== undefined) mine.status = event.done;
    const progress = /^progress: ([0-9.]+)$/.exec(event.line || '');
    if (progress) app.progress(Number(progress[1]));
    else if (event.line !== undefined) mine.lines.push(event.line);
  }

  function readTable(text) {
    const lines = text.trim().split('\n').map((line) => line.split(','));
    const head = lines[0].map((name) => name.replace(/^"|"$/g, ''));
    return { head, rows: lines.slice(1) };
  }

  async function take(mine) {
    const table = readTable(await server.text('table', { result: mine.name }));
    const at = (name) => table.head.indexOf(name);
    const good = table.rows.filter((row) => row[at('status')] === 'ok');
    if (sweep) server.post('drop', { result: sweep.name }).catch(() => {});
    sweep = { name: mine.name, parameter: mine.parameter, measured: mine.measured,
      cases: good.map((row) => ({ number: Number(row[0]), value: Number(row[1]),
        measure: mine.measured ? row[at(mine.measured)] : null })) };
    views.hidden = sweep.measured === null;
    showTable();
    await show(sweep.measured ? 'measure' : 'curves');
  }

  /* ---- what is seen ---- */

  function showTable() {
    place.replaceChildren();
    if (!sweep.measured) return;
    const table = document.createElement('table');
    const line = (cells, tag) => {
      const row = table.insertRow();
      for (const text of cells) {
        const cell = document.createElement(tag);
        cell.textContent = text;
        row.append(cell);
      }
    };
    line([sweep.parameter, `${form.kind.value}(${form.signal.value})`], 'th');
    for (const one of sweep.cases)
      line([Number(one.value.toPrecision(6)), Number(Number(one.measure).toPrecision(6))], 'td');
    place.append(table);
  }

  async function show(view) {
    for (const button of views.querySelectorAll('button'))
      button.classList.toggle('on', button.dataset.view === view);
    if (!sweep || !sweep.cases.length) return;
    const chosen = app.chosenSignals();
    const body = view === 'measure' ? { sweep: sweep.name, table: true }
      : { sweep: sweep.name, cases: sweep.cases.map((c) => c.number), signals: chosen };
    const graphs = await runs.plot(body, '');
    const slider = caseBox.querySelector('input');
    caseBox.hidden = view === 'measure' || !graphs.length;
    window.dispatchEvent(new Event('resize')); /* the slider has taken its room */
    slider.max = sweep.cases.length;
    slider.value = 0;
    slider.oninput = () => highlight(graphs, Number(slider.value));
    highlight(graphs, 0);
  }

  /* One case above the others; 0: all alike. */
  function highlight(graphs, which) {
    const one = sweep.cases[which - 1];
    caseBox.querySelector('output').textContent = one
      ? `${sweep.parameter} = ${Number(one.value.toPrecision(5))}` : 'all cases';
    for (const graph of graphs) {
      const series = {};
      sweep.cases.forEach((c, k) => {
        series[`c${k}`] = { strokeWidth: one && c !== one ? 0.35 : one ? 3 : 1.6 };
      });
      graph.updateOptions({ series });
    }
  }

  form.onsubmit = (event) => { event.preventDefault(); start(); };
  for (const button of views.querySelectorAll('button'))
    button.onclick = () => show(button.dataset.view);

  return {
    update,
    cancel() {
      if (job && job.name) server.post('stop', { result: job.name, force: job.asked }).catch(() => {});
      if (job) job.asked = true;
    },
    isRunning: () => job !== null,
    clear() {
      sweep = null;
      caseBox.hidden = views.hidden = true;
      place.replaceChildren();
      form.from.value = form.to.value = '';
    },
  };
}
