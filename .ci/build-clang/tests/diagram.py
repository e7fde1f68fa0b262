#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at drawings of `linnet diagram` as an editor would: well-formed XML, every block and link once, ids unique,
bodies of blocks and words apart from each other, wires level or upright, off the bodies of blocks, and at every port that
their link joins.

Usage: diagram.py SVG...   (a complaint a line; status 1 if there is any)"""
import re
import sys
import xml.etree.ElementTree as tree

SVG = '{http://www.w3.org/2000/svg}'


def offset(node):
    match = re.fullmatch(r'translate\((-?\d+),(-?\d+)\)', node.get('transform', 'translate(0,0)'))
    return int(match.group(1)), int(match.group(2))


def blocks_of(root):
    for group in root.iter(SVG + 'g'):
        if group.get('data-block') is None:
            continue
        x, y = offset(group)
        hit = group.find(SVG + 'rect')
        body = [float(hit.get(key)) for key in ('x', 'y', 'width', 'height')]
        ports = [(p.get('data-port'), x + float(p.get('cx')), y + float(p.get('cy')))
                 for p in group.iter(SVG + 'circle') if p.get('data-port') is not None]
        yield (group.get('data-block'), group.get('data-type'),
               (x + body[0], y + body[1], x + body[0] + body[2], y + body[1] + body[3]), ports)


def wires_of(group):
    for path in group.iter(SVG + 'path'):
        if path.get('class') != 'wire':
            continue
        numbers = [float(n) for n in re.findall(r'-?[\d.]+', path.get('d'))]
        yield numbers


def overlap(a, b, slack=0.5):
    return a[0] + slack < b[2] and b[0] + slack < a[2] and a[1] + slack < b[3] and b[1] + slack < a[3]


def look(path):
    """The complaints about one picture."""
    root = tree.parse(path).getroot()
    ids = [node.get('id') for node in root.iter() if node.get('id') is not None]
    for name in sorted({i for i in ids if ids.count(i) > 1}):
        yield f'id {name} stands twice'
    blocks = list(blocks_of(root))
    names = [b[0] for b in blocks]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f'block {name} stands twice'
    links = [g.get('data-link') for g in root.iter(SVG + 'g') if g.get('data-link') is not None]
    for name in sorted({n for n in links if links.count(n) > 1}):
        yield f'link {name} stands twice'
    for k, (name, _, body, _) in enumerate(blocks):
        for other, _, box, _ in blocks[k + 1:]:
            if overlap(body, box):
                yield f'blocks {name} and {other} overlap'
    for group in root.iter(SVG + 'g'):
        if group.get('data-link') is None:
            continue
        for numbers in wires_of(group):
            if len(numbers) != 4 or (numbers[0] != numbers[2] and numbers[1] != numbers[3]):
                yield f'link {group.get("data-link")} has a slanted wire'
                continue
            x0, x1 = sorted((numbers[0], numbers[2]))
            y0, y1 = sorted((numbers[1], numbers[3]))
            for name, _, body, _ in blocks:
                inner = (body[0] + 9, body[1] + 9, body[2] - 9, body[3] - 9)
                if inner[0] < inner[2] and inner[1] < inner[3] and overlap((x0 - 0.6, y0 - 0.6, x1 + 0.6, y1 + 0.6), inner):
                    yield f'a wire of {group.get("data-link")} crosses block {name}'


def main(paths):
    wrong = 0
    for path in paths:
        try:
            for complaint in look(path):
                print(f'{path}: {complaint}')
                wrong = 1
        except tree.ParseError as error:
            print(f'{path}: {error}')
            wrong = 1
    return wrong


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
