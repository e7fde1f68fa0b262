/* SPDX-License-Identifier: MIT */
/* The page: its parts, and what one of them tells the others. */
import { loadCatalogue, loadOwnTypes } from './catalogue.js';
import { change, createEditor, readMessages, showMessages } from './editor.js';
import { createFiles } from './files.js';
import { createPalette, freshId, freshParameters, lastBlock } from './palette.js';
import { createRuns } from './runs.js';
import * as server from './server.js';
import * as source from './source.js';
import { createSweep } from './sweep.js';
import { createValues } from './values.js';

const at = (id) => document.getElementById(id);
const pane = (name) => document.querySelector(`[data-pane="${name}"]`);

let panels = [];   /* as they are drawn */

const app = {
  model: () => files.model(),
  dark: () => document.documentElement.classList.contains('dark'),
  told: showState,
  progress: showProgress,
  running: showRunning,
  ended: showEnd,
  summary: (text) => { at('summary').textContent = text; },
  opened: onOpened,
  named: showFile,
  plotted: (drawn) => { panels = drawn; sweep.update(); },
  caseShown: (on) => { at('case').hidden = !on; },
  chosenSignals: () => [...at('signals').querySelectorAll('.chip.on')].map((c) => c.textContent),
};

const editor = createEditor(at('text'));
const files = createFiles({ app, editor, dialog: at('dialog'),
  lists: { files: pane('files'), examples: pane('examples') } });
const values = createValues({ place: at('values'), search: at('values-search'),
  onEdit: editValue, onTry: tryValues });
const runs = createRuns({ app, places: { runs: at('runs'), signals: at('signals'), plot: at('plot') } });
const sweep = createSweep({ app, form: at('sweep'), place: at('table'), caseBox: at('case'),
  views: at('sweep-views'), runs, values });

const palette = createPalette({ place: at('palette'), search: at('palette-search'),
  onChoose: insertBlock });

/* ---- what is told ---- */

function showState(text, kind = '') {
  at('state').textContent = text;
  at('state').title = text;
  at('state').className = `state ${kind}`;
}

function showFile(name, title, dirty) {
  at('file-name').textContent = name;
  at('file-name').title = title;
  at('unsaved').hidden = !dirty;
  document.title = `${dirty ? '• ' : ''}${name} – Linnet studio`;
}

function showProgress(part) {
  at('progress').hidden = part === null;
  at('progress').firstElementChild.style.width = `${100 * (part || 0)}%`;
  if (part !== null) showState(`running, ${Math.floor(100 * part)} %`);
}

function showRunning(job) {
  const quiet = !job || job.isTry;
  at('run').hidden = !quiet;
  at('cancel').hidden = quiet;
  if (!job) at('progress').hidden = true;
  else if (!quiet) { showProgress(0); showState('running'); }
}

function showEnd(job, hasRows) {
  const last = job.lines[job.lines.length - 1] || '';
  if (job.status === 0) showState('done', 'good');
  else if (job.cancelled || job.asked || job.status === 130)
    showState(`cancelled${hasRows ? '; what was computed is shown' : ''}`, 'error');
  else showState(last.replace(/^linnet: /, '') || `ended with status ${job.status}`, 'error');
  const messages = readMessages(job.lines.join('\n'));
  if (job.status !== 0 && messages.length) tellMessages(messages);
}

/* ---- checking ---- */

let checking = null, wanted = 0;

function tellMessages(messages) {
  showMessages(editor, messages);
  at('messages').replaceChildren(...messages.map((message) => {
    const line = document.createElement('button');
    line.className = `message ${message.severity}`;
    const where = message.own ? `line ${message.line}` : message.file && `${message.file}:${message.line}`;
    line.textContent = `${where ? where + ': ' : ''}${message.text}`;
    if (message.own)
      line.onclick = () => { editor.setCursor(message.line - 1, 0); editor.focus(); };
    return line;
  }));
}

/* The model as it stands is checked; what is typed meanwhile starts it anew. */
async function check() {
  const turn = ++wanted;
  checking?.abort();
  checking = new AbortController();
  const model = files.model();
  try {
    const told = await server.post('check', model, checking.signal);
    if (turn !== wanted) return;
    const messages = readMessages(told.said);
    tellMessages(messages);
    document.body.dataset.check = told.status === 0 ? 'good' : 'bad';
    if (told.status !== 0) return;
    if (files.isXml()) await loadOwnTypes(model);
    if (turn !== wanted) return;
    values.update(source.parse(model.text));
    sweep.update();
    if (at('live').checked) runs.run({ set: values.tried() });
  } catch (error) {
    if (error.name !== 'AbortError') showState(error.message, 'error');
  }
}

function later(work, milliseconds) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(work, milliseconds); };
}
const checkSoon = later(check, 250);

function onText() {
  files.showName();
  values.update(source.parse(editor.getValue()));
  checkSoon();
}

function onOpened() {
  runs.clear();
  sweep.clear();
  values.forget();
  at('summary').textContent = '';
  showState('');
  onText();
}

/* A block of the type, written behind the last one; its ports are to be joined. */
function insertBlock(type) {
  const parsed = source.parse(editor.getValue());
  if (!parsed.root || parsed.broken >= 0) { showState('mend the text first', 'error'); return; }
  const ports = Object.fromEntries(type.ports.filter((p) => !p.optional).map((p) => [p.name, '']));
  const id = freshId(parsed, type);
  const xml = source.element(type.name, { id, ...ports, ...freshParameters(type) });
  const made = source.insertChild(parsed.text, parsed.root, lastBlock(parsed), xml);
  change(editor, [made]);
  const first = made.insert.indexOf('=""');
  editor.setCursor(editor.posFromIndex(made.from + (first >= 0 ? first + 2 : made.insert.length)));
  editor.focus();
}

/* ---- values ---- */

/* The element is looked up anew: the text may have changed since the table was drawn. */
function editValue(row, text) {
  const parsed = source.parse(editor.getValue());
  const now = parsed.elements.find((e) => e.name === row.element.name
    && source.value(e, 'id') === source.value(row.element, 'id')
    && source.value(e, 'name') === source.value(row.element, 'name'));
  if (!now) return;
  change(editor, [text === '' ? source.removeAttribute(parsed.text, now, row.attribute)
    : source.setAttribute(now, row.attribute, text)]);
}

function tryValues() {
  const set = values.tried();
  if (Object.keys(set).length) runs.run({ set, isTry: true });
}

/* ---- the parts of the page ---- */

function setUpTabs() {
  for (const tabs of document.querySelectorAll('.tabs')) {
    const buttons = [...tabs.querySelectorAll('[data-tab]')];
    const show = (name) => {
      for (const button of buttons) {
        button.classList.toggle('on', button.dataset.tab === name);
        pane(button.dataset.tab).hidden = button.dataset.tab !== name;
      }
    };
    for (const button of buttons) button.onclick = () => show(button.dataset.tab);
    show(buttons[0].dataset.tab);
  }
}

/* Grips between the columns. */
function setUpGrips() {
  for (const grip of document.querySelectorAll('.grip'))
    grip.onpointerdown = (down) => {
      grip.setPointerCapture(down.pointerId);
      const nav = document.querySelector('nav').getBoundingClientRect().width;
      const right = at('results').getBoundingClientRect().width;
      grip.onpointermove = (move) => {
        const by = move.clientX - down.clientX;
        const width = grip.dataset.grip === 'nav' ? nav + by : right - by;
        document.body.style.setProperty(`--${grip.dataset.grip}`, `${Math.max(120, width)}px`);
        editor.refresh();
        window.dispatchEvent(new Event('resize'));
      };
      grip.onpointerup = () => { grip.onpointermove = null; };
    };
}

function setTheme(dark) {
  document.documentElement.classList.toggle('dark', dark);
  try { localStorage.setItem('dark', dark); } catch { /* it is asked for again next time */ }
}

function setUpTheme() {
  let stored = null;
  try { stored = localStorage.getItem('dark'); } catch { /* none */ }
  setTheme(stored !== null ? stored === 'true' : matchMedia('(prefers-color-scheme: dark)').matches);
  at('theme').onclick = () => { setTheme(!app.dark()); runs.show(); };
}

function runNow() {
  if (!runs.isRunning() && !sweep.isRunning()) runs.run({ set: values.tried() });
}

function setUpButtons() {
  at('new').onclick = () => files.fresh();
  at('save').onclick = () => files.save(false);
  at('save-as').onclick = () => files.save(true);
  at('undo').onclick = () => editor.undo();
  at('redo').onclick = () => editor.redo();
  at('run').onclick = runNow;
  at('cancel').onclick = () => { runs.cancel(); sweep.cancel(); };
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const action = { s: () => files.save(false), Enter: runNow }[event.key];
    if (action) { event.preventDefault(); action(); }
  });
}

async function begin() {
  setUpTheme();
  setUpTabs();
  setUpGrips();
  setUpButtons();
  try {
    const start = await server.get('start');
    await loadCatalogue();
    palette.draw();
    document.querySelector('.brand').title = `Linnet ${start.version}, in ${start.folder}`;
    await files.list();
    if (start.model) await files.open('folder', start.model);
    else await files.fresh();
    editor.on('changes', onText);
  } catch (error) {
    showState(error.message, 'error');
  }
  document.body.dataset.ready = 'yes';
}

window.linnetStudio = { editor, panels: () => panels }; /* for tests */
begin();
