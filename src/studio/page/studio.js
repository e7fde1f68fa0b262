/* SPDX-License-Identifier: MIT */
/* The page: its parts, and what one of them tells the others. */
import { catalogue, loadCatalogue, loadOwnTypes } from './catalogue.js';
import { change, createEditor, readMessages, showMessages } from './editor.js';
import { createDiagram } from './diagram.js';
import { createFiles } from './files.js';
import { createInspector } from './inspector.js';
import { findBlock, blocksOf } from './joins.js';
import { createPalette, freshId, freshParameters, lastBlock } from './palette.js';
import { createRuns } from './runs.js';
import * as server from './server.js';
import * as source from './source.js';
import { createSweep } from './sweep.js';
import { createValues } from './values.js';

const at = (id) => document.getElementById(id);
const pane = (name) => document.querySelector(`[data-pane="${name}"]`);

let panels = [];   /* as they are drawn */
const page = Math.random().toString(36).slice(2, 14); /* tells this page from another of the studio */

const app = {
  model: () => ({ ...files.model(), page }),
  dark: () => document.documentElement.classList.contains('dark'),
  told: showState,
  progress: showProgress,
  running: showRunning,
  ended: showEnd,
  summary: (text) => { at('summary').textContent = ofFile(text); },
  opened: onOpened,
  named: showFile,
  plotted: (drawn) => { panels = drawn; sweep.update(); },
  caseShown: (on) => { at('case').hidden = !on; },
  selected: showSelected,
  renamed: (what) => diagram.choose(what, { quiet: true }),
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

const edit = (changes) => change(editor, changes);
const diagram = createDiagram({ app, place: at('diagram'), editor, edit });
const inspector = createInspector({ app, place: at('inspector'), editor, edit, actions: {
  turn: ['a quarter clockwise (R)', () => diagram.turn(false)],
  mirror: ['left and right exchanged (M)', () => diagram.turn(true)],
  delete: ['(Del)', () => diagram.remove()],
} });
const palette = createPalette({ place: at('palette'), search: at('palette-search'),
  onChoose: (type) => insertBlock(type) });

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
  const model = app.model();
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
const drawSoon = later(() => { if (shown !== 'text') diagram.draw(); }, 80);

function onText() {
  files.showName();
  values.update(source.parse(editor.getValue()));
  inspector.update();
  checkSoon();
  if (shown !== 'text') diagram.outdated();
  drawSoon();
}

/* What the program says of the text that it was given, under the name of the file; its result has none to be told. */
function ofFile(text) {
  const name = at('file-name').textContent;
  return text.replace(/^-(?=:\d+: )/mg, name).replace(/^standard input$/mg, name)
    .replace(/^( *result +)\S*linnet-studio\S*: /mg, '$1');
}

function onOpened() {
  runs.clear();
  sweep.clear();
  values.forget();
  at('summary').textContent = '';
  showState('');
  diagram.clear();
  onText();
}

/* A block of the type, written behind the last one: in the diagram at a place, its ports to be joined
 * by wires; in the text with its ports to be filled in. */
function insertBlock(type, event) {
  const parsed = source.parse(editor.getValue());
  if (!parsed.root || parsed.broken >= 0) { showState('mend the text first', 'error'); return; }
  if (shown !== 'text') { placeBlock(parsed, type, event); return; }
  const ports = Object.fromEntries(type.ports.filter((p) => !p.optional).map((p) => [p.name, '']));
  const id = freshId(parsed, type);
  const xml = source.element(type.name, { id, ...ports, ...freshParameters(type) });
  const made = source.insertChild(parsed.text, parsed.root, lastBlock(parsed), xml);
  change(editor, [made]);
  const first = made.insert.indexOf('=""');
  editor.setCursor(editor.posFromIndex(made.from + (first >= 0 ? first + 2 : made.insert.length)));
  editor.focus();
}

function placeBlock(parsed, type, event) {
  const { x, y } = diagram.freePlace(event);
  const id = freshId(parsed, type);
  const xml = source.element(type.name, { id, ...freshParameters(type), at: `${x},${y},0` });
  edit([...diagram.arrangeAll(parsed), source.insertChild(parsed.text, parsed.root,
    lastBlock(parsed), xml)]);
  diagram.choose({ block: id });
}

/* ---- the diagram ---- */

let shown = 'both';

function show(view) {
  shown = view;
  at('work').dataset.shown = view;
  for (const button of at('views').querySelectorAll('button'))
    button.classList.toggle('on', button.dataset.view === view);
  editor.refresh();
  if (view !== 'text') diagram.draw();
}

/* What is selected in the diagram is shown as a form, and in the text. */
function showSelected(what, focus) {
  inspector.show(what, focus);
  if (!what) return;
  showTab('selected');
  const element = what.block && findBlock(source.parse(editor.getValue()), what.block);
  if (!element) return;
  const from = editor.posFromIndex(element.start);
  following = true;
  editor.setCursor(from);
  editor.scrollIntoView(from, 60);
  following = false;
}

let following = false;

/* The block in whose element the cursor stands is selected in the diagram. */
function followCursor() {
  if (following || shown !== 'both' || !editor.hasFocus()) return;
  const index = editor.indexFromPos(editor.getCursor());
  const element = blocksOf(source.parse(editor.getValue()))
    .find((e) => e.start <= index && index <= e.end);
  const id = element ? source.value(element, 'id') : null;
  if (id === (diagram.chosen()?.block ?? null)) return;
  diagram.choose(id ? { block: id } : null, { quiet: true });
  inspector.show(diagram.chosen());
}

function setUpDiagram() {
  for (const button of at('views').querySelectorAll('button'))
    button.onclick = () => show(button.dataset.view);
  at('fit').onclick = () => diagram.fit();
  at('loops').onchange = () => diagram.setLoops(at('loops').checked);
  at('inspector').onsubmit = (event) => event.preventDefault();
  at('diagram').addEventListener('dragover', (event) => event.preventDefault());
  at('diagram').addEventListener('drop', (event) => {
    event.preventDefault();
    const type = catalogue.types.get(event.dataTransfer.getData('text/linnet-type'));
    if (type) insertBlock(type, event);
  });
  const grip = document.querySelector('.grip-row');
  grip.onpointerdown = (down) => {
    grip.setPointerCapture(down.pointerId);
    const height = at('diagram').getBoundingClientRect().height;
    grip.onpointermove = (move) => {
      document.body.style.setProperty('--diagram', `${Math.max(80, height + move.clientY - down.clientY)}px`);
      editor.refresh();
    };
    grip.onpointerup = () => { grip.onpointermove = null; };
  };
  show('both');
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

/* Opens a pane beside whose tab its neighbours close. */
function showTab(name) {
  const tabs = document.querySelector(`[data-tab="${name}"]`).parentElement;
  for (const button of tabs.querySelectorAll('[data-tab]')) {
    button.classList.toggle('on', button.dataset.tab === name);
    pane(button.dataset.tab).hidden = button.dataset.tab !== name;
  }
}

function setUpTabs() {
  for (const tabs of document.querySelectorAll('.tabs')) {
    const buttons = [...tabs.querySelectorAll('[data-tab]')];
    for (const button of buttons) button.onclick = () => showTab(button.dataset.tab);
    showTab(buttons[0].dataset.tab);
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
  at('theme').onclick = () => { setTheme(!app.dark()); diagram.setTheme(); runs.show(); };
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
  setUpDiagram();
  try {
    const start = await server.get('start');
    await loadCatalogue();
    palette.draw();
    document.querySelector('.brand').title = `Linnet ${start.version}, in ${start.folder}`;
    await files.list();
    if (start.model) await files.open('folder', start.model);
    else await files.fresh();
    editor.on('changes', onText);
    editor.on('cursorActivity', followCursor);
  } catch (error) {
    showState(error.message, 'error');
  }
  document.body.dataset.ready = 'yes';
}

window.linnetStudio = { editor, panels: () => panels, list: files.list }; /* for tests */
begin();
