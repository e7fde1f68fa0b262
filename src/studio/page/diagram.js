/* SPDX-License-Identifier: MIT */
/* The diagram: the picture that `linnet diagram` makes of the text, in which blocks are selected,
 * moved, turned, joined and deleted. Nothing is changed in the picture: each change is one of the
 * text, of which the picture is then drawn anew. */
import * as joins from './joins.js';
import * as server from './server.js';
import * as source from './source.js';

const GRID = 10;         /* of positions, as linnet diagram rounds them */
const NEAR = 14;         /* px in which a port is met */
const WIDEST = 12;       /* and no farther than this in the picture: half a small symbol */
const LARGEST = 1.7, SMALLEST = 0.1; /* scales */
const READABLE = 0.5;    /* below it names cannot be read: a picture is then first shown from its beginning */
const SVG = 'http://www.w3.org/2000/svg';

function snap(value) {
  return Math.round(value / GRID) * GRID;
}

/* `app`: model(), dark(), told(text, kind), selected(what). `edit(changes)` changes the text. */
export function createDiagram({ app, place, editor, edit }) {
  let svg = null, wanted = 0, asking = null;
  let view = null;       /* {x, y, scale}: what stands in the middle */
  let chosen = null;     /* {block} or {link} */
  let hand = null;       /* what the pointer does */
  let loops = false;
  let held = null;       /* a picture that waits for the pointer to come up */

  function parsed() {
    return source.parse(editor.getValue());
  }

  /* ---- drawing ---- */

  /* Nothing but shapes comes into the page, whatever a model is called. */
  function cleaned(text) {
    const read = new DOMParser().parseFromString(text, 'image/svg+xml');
    const root = read.documentElement;
    if (root.localName !== 'svg') return null;
    for (const element of root.querySelectorAll('script, foreignObject, a, image, use, iframe'))
      element.remove();
    for (const element of [root, ...root.querySelectorAll('*')])
      for (const a of [...element.attributes])
        if (/^on|href$/i.test(a.name)) element.removeAttribute(a.name);
    return document.importNode(root, true);
  }

  async function draw() {
    const turn = ++wanted;
    asking?.abort();
    asking = new AbortController();
    try {
      const told = await server.post('diagram', { ...app.model(), loops }, asking.signal);
      if (turn !== wanted) return;
      const made = told.wrote ? cleaned(told.wrote) : null;
      place.classList.toggle('stale', made === null);
      if (made && hand) held = made;
      else if (made) show(made);
    } catch (error) {
      if (error.name !== 'AbortError') app.told(error.message, 'error');
    }
    if (turn === wanted) place.classList.remove('busy');
  }

  function show(made) {
    const box = (made.getAttribute('viewBox') || '0 0 400 300').split(' ').map(Number);
    made.removeAttribute('width');
    made.removeAttribute('height');
    made.dataset.box = box.join(' ');
    if (svg) svg.remove();
    svg = made;
    place.prepend(svg);
    place.classList.toggle('blank', !svg.querySelector('.block'));
    setTheme();
    if (!view) begin();
    else showView();
    mark();
  }

  /* The picture follows the page's looks, not the system's. */
  function setTheme() {
    const style = svg?.querySelector('style');
    for (const rule of style?.sheet?.cssRules || [])
      if (rule.media && /prefers-color-scheme|^(not )?all$/.test(rule.media.mediaText))
        rule.media.mediaText = app.dark() ? 'all' : 'not all';
  }

  /* ---- the view ---- */

  function showView() {
    const { clientWidth: w, clientHeight: h } = place;
    if (!svg || !w || !h) return;
    svg.setAttribute('viewBox', [view.x - w / 2 / view.scale, view.y - h / 2 / view.scale,
      w / view.scale, h / view.scale].join(' '));
  }

  function fit() {
    const [x, y, w, h] = svg ? svg.dataset.box.split(' ').map(Number) : [0, 0, 300, 200];
    if (!place.clientWidth || !place.clientHeight) { view = null; return; }
    const scale = Math.min(place.clientWidth / (w + 40), place.clientHeight / (h + 40), LARGEST);
    view = { x: x + w / 2, y: y + h / 2, scale };
    showView();
  }

  /* How a picture is first seen: all of it, or of a large one as much as can be read, from the upper left. */
  function begin() {
    fit();
    if (!view || view.scale >= READABLE) return;
    const [x, y, w, h] = svg.dataset.box.split(' ').map(Number);
    const seen = { w: place.clientWidth / READABLE, h: place.clientHeight / READABLE };
    view = { x: w > seen.w ? x + seen.w / 2 : x + w / 2, y: h > seen.h ? y + seen.h / 2 : y + h / 2, scale: READABLE };
    showView();
  }

  function zoom(factor, event) {
    if (!view) return;
    const before = pointOf(event);
    view.scale = Math.min(8, Math.max(SMALLEST, view.scale * factor));
    showView();
    const after = pointOf(event);
    view.x += before.x - after.x;
    view.y += before.y - after.y;
    showView();
  }

  /* The pointer in the picture's own lengths. */
  function pointOf(event) {
    const box = place.getBoundingClientRect();
    const v = view || { x: 0, y: 0, scale: 1 };
    return { x: v.x + (event.clientX - box.left - box.width / 2) / v.scale,
      y: v.y + (event.clientY - box.top - box.height / 2) / v.scale };
  }

  /* ---- what is there ---- */

  function groupOf(id) {
    return svg ? [...svg.querySelectorAll('.block')].find((g) => g.dataset.block === id) : null;
  }

  function positionOf(group) {
    const found = /translate\(([-0-9.]+),([-0-9.]+)\)/.exec(group.getAttribute('transform') || '');
    return found ? { x: Number(found[1]), y: Number(found[2]) } : { x: 0, y: 0 };
  }

  /* The nearest port within reach: {id, port, domain, x, y}. */
  function portNear(point) {
    let best = null, least = Math.min(NEAR / Math.min(view.scale, 1.4), WIDEST);
    for (const group of svg.querySelectorAll('.block')) {
      const at = positionOf(group);
      for (const port of group.querySelectorAll('[data-port]')) {
        const x = at.x + Number(port.getAttribute('cx')), y = at.y + Number(port.getAttribute('cy'));
        const distance = Math.hypot(point.x - x, point.y - y);
        if (distance < least) {
          least = distance;
          best = { id: group.dataset.block, port: port.dataset.port, domain: port.dataset.domain, x, y };
        }
      }
    }
    return best;
  }

  function endOf(model, port) {
    const element = port && joins.findBlock(model, port.id);
    return element ? { element, port: port.port } : null;
  }

  /* ---- selection ---- */

  function mark() {
    if (!svg) return;
    for (const one of svg.querySelectorAll('.chosen')) one.classList.remove('chosen');
    if (chosen?.block) groupOf(chosen.block)?.classList.add('chosen');
    if (chosen?.link)
      for (const one of svg.querySelectorAll('.link'))
        one.classList.toggle('chosen', one.dataset.link === chosen.link);
  }

  function choose(what, { quiet = false } = {}) {
    chosen = what;
    mark();
    if (!quiet) app.selected(chosen);
  }

  /* ---- changes ---- */

  /* Where blocks are arranged by hand all of them get a place, or the others would be laid out anew
   * around each that is moved. `moved`: {id: "x,y,turn"}. */
  function arrange(model, moved) {
    const changes = [];
    for (const element of joins.blocksOf(model)) {
      const id = source.value(element, 'id'), group = groupOf(id);
      if (!moved[id] && (source.attribute(element, 'at') || !group)) continue;
      const { x, y } = group ? positionOf(group) : {};
      changes.push(source.setAttribute(element, 'at',
        moved[id] || `${snap(x)},${snap(y)},${group.dataset.turn || 0}`));
    }
    return changes;
  }

  function move(id, x, y) {
    const model = parsed(), group = groupOf(id);
    if (!joins.findBlock(model, id)) { tellElsewhere(group); return draw(); }
    return edit(arrange(model, { [id]: `${snap(x)},${snap(y)},${group.dataset.turn || 0}` }));
  }

  function tellElsewhere(group) {
    app.told(`${group?.dataset.block ?? 'this'} is no element of the model itself; change the text`
      + `${group?.dataset.line ? `, line ${group.dataset.line}` : ''}`, 'error');
  }

  /* A quarter of a turn, or left and right exchanged, as it is seen. */
  function turn(mirror) {
    const group = chosen?.block && groupOf(chosen.block), model = parsed();
    if (!group || !joins.findBlock(model, chosen.block)) return;
    const found = /^(\d+)(m?)$/.exec(group.dataset.turn || '0') || ['', '0', ''];
    const angle = mirror ? (360 - Number(found[1])) % 360 : (Number(found[1]) + 90) % 360;
    const mirrored = mirror ? (found[2] ? '' : 'm') : found[2];
    const { x, y } = positionOf(group);
    edit(arrange(model, { [chosen.block]: `${snap(x)},${snap(y)},${angle}${mirrored}` }));
  }

  function remove() {
    const model = parsed();
    const element = chosen?.block && joins.findBlock(model, chosen.block);
    const changes = element ? joins.deleteBlock(model, element)
      : chosen?.link ? joins.deleteLink(model, chosen.link) : [];
    if (chosen?.block && !element) tellElsewhere(groupOf(chosen.block));
    if (!changes.length) return;
    choose(null);
    edit(changes);
  }

  function joinEnds(a, b) {
    const model = parsed();
    const one = endOf(model, a);
    const two = endOf(model, b);
    if (!one || !two) { tellElsewhere(groupOf((one ? b : a).id)); return; }
    const { changes, error } = joins.join(model, one, two);
    if (error) app.told(error, 'error');
    else if (changes.length) edit(changes);
  }

  /* A wire dropped on a block takes a free port of it, on a link that link. */
  function dropWire(from, event) {
    const point = pointOf(event), to = portNear(point);
    if (to && (to.id !== from.id || to.port !== from.port)) { joinEnds(from, to); return; }
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const group = under.map((e) => e.closest?.('.block')).find((g) => g && g.dataset.block !== from.id);
    const link = under.map((e) => e.closest?.('.link')).find(Boolean);
    const model = parsed(), end = endOf(model, from);
    if (group) {
      const element = joins.findBlock(model, group.dataset.block);
      const role = end && joins.portOf(end.element, end.port)?.role;
      const port = element && joins.freePort(model, element, from.domain,
        role === 'output' ? 'input' : role === 'input' ? 'output' : 'port');
      if (port) joinEnds(from, { id: group.dataset.block, port });
      else app.told(`${group.dataset.block} has no free ${from.domain} port`, 'error');
    } else if (link && end) {
      const name = link.dataset.link, before = joins.linkAt(model, end.element, end.port);
      if (before === name) return;
      edit(before && from.domain !== 'signal' ? joins.renameLink(model, before, name)
        : [joins.setPort(end.element, end.port, name)]);
    }
  }

  /* ---- the pointer ---- */

  function down(event) {
    if (!svg || !view || event.button > 1) return;
    place.focus({ preventScroll: true });
    const point = pointOf(event), port = portNear(point);
    const group = event.target.closest?.('.block'), link = event.target.closest?.('.link');
    place.setPointerCapture(event.pointerId);
    if (port && event.button === 0) hand = { kind: 'wire', port, line: makeLine(port) };
    else if (group && event.button === 0) {
      choose({ block: group.dataset.block });
      hand = { kind: 'move', group, from: point, at: positionOf(group), moved: false };
    } else {
      if (link) choose({ link: link.dataset.link });
      else choose(null);
      hand = { kind: 'pan', from: { x: event.clientX, y: event.clientY }, view: { ...view } };
    }
  }

  function makeLine(port) {
    const line = document.createElementNS(SVG, 'line');
    line.setAttribute('class', 'rubber');
    for (const end of ['1', '2']) {
      line.setAttribute(`x${end}`, port.x);
      line.setAttribute(`y${end}`, port.y);
    }
    svg.append(line);
    return line;
  }

  function pointerMoved(event) {
    if (!svg || !view) return;
    const point = pointOf(event);
    const near = portNear(point);
    place.classList.toggle('at-port', Boolean(near) && hand?.kind !== 'move' && hand?.kind !== 'pan');
    if (!hand) return;
    if (hand.kind === 'wire') {
      const end = near || point;
      hand.line.setAttribute('x2', end.x);
      hand.line.setAttribute('y2', end.y);
      hand.moved = true;
    } else if (hand.kind === 'move') {
      const x = snap(hand.at.x + point.x - hand.from.x), y = snap(hand.at.y + point.y - hand.from.y);
      if (x === snap(hand.at.x) && y === snap(hand.at.y) && !hand.moved) return;
      hand.moved = true;
      hand.to = { x, y };
      hand.group.setAttribute('transform', `translate(${x},${y})`);
      place.classList.add('moving');
    } else {
      view.x = hand.view.x - (event.clientX - hand.from.x) / view.scale;
      view.y = hand.view.y - (event.clientY - hand.from.y) / view.scale;
      showView();
    }
  }

  function up(event) {
    const done = hand;
    hand = null;
    place.classList.remove('moving');
    if (held) show(held);
    held = null;
    if (!done) return;
    if (done.kind === 'wire') {
      done.line.remove();
      if (done.moved) dropWire(done.port, event);
      else choose({ block: done.port.id });
    } else if (done.kind === 'move' && done.moved) move(done.group.dataset.block, done.to.x, done.to.y);
  }

  function key(event) {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const step = { ArrowLeft: [-GRID, 0], ArrowRight: [GRID, 0], ArrowUp: [0, -GRID],
      ArrowDown: [0, GRID] }[event.key];
    const group = chosen?.block && groupOf(chosen.block);
    if (!plain && event.key === 'z') event.shiftKey ? editor.redo() : editor.undo();
    else if (!plain && event.key === 'y') editor.redo();
    else if (plain && (event.key === 'Delete' || event.key === 'Backspace')) remove();
    else if (plain && event.key === 'r') turn(false);
    else if (plain && event.key === 'm') turn(true);
    else if (plain && event.key === 'f') fit();
    else if (plain && event.key === 'Escape') choose(null);
    else if (plain && step && group) {
      const { x, y } = positionOf(group);
      move(chosen.block, x + step[0], y + step[1]);
    } else return;
    event.preventDefault();
  }

  place.addEventListener('pointerdown', down);
  place.addEventListener('pointermove', pointerMoved);
  place.addEventListener('pointerup', up);
  place.addEventListener('pointercancel', () => { hand?.line?.remove(); hand = null; draw(); });
  place.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
  }, { passive: false });
  place.addEventListener('keydown', key);
  place.addEventListener('dblclick', (event) => {
    if (event.target.closest?.('.block')) app.selected(chosen, true);
    else fit();
  });
  new ResizeObserver(() => (view ? showView() : svg && begin())).observe(place);

  return {
    draw, fit, choose, remove, turn,
    setTheme,
    pointOf,
    /* A free place in the middle of what is seen, as "x,y". */
    freePlace(event) {
      const middle = event ? pointOf(event) : view || { x: 0, y: 0 };
      const taken = svg ? [...svg.querySelectorAll('.block')].map(positionOf) : [];
      let x = snap(middle.x), y = snap(middle.y);
      while (taken.some((p) => Math.abs(p.x - x) < 40 && Math.abs(p.y - y) < 40)) x += 80;
      return { x, y };
    },
    /* The text has changed: the picture is not yet its own. */
    outdated() { place.classList.add('busy'); },
    /* All blocks get a place, before one is added by hand. */
    arrangeAll: (model) => arrange(model, {}),
    setLoops(on) { loops = on; draw(); },
    chosen: () => chosen,
    /* Another model: its own picture and view. */
    clear() {
      wanted++;
      asking?.abort();
      svg?.remove();
      svg = view = null;
      choose(null);
    },
  };
}
