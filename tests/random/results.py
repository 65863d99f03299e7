"""Checks of a run directory. Every check returns a list of findings."""
import csv
import io
import json
import math
import os
import re
import struct

import readers

VARIES = ('log.jsonl', 'status')  # files that contain times and hosts
CLOSE = 1e-9
FLAGS = {'TRUE': True, 'FALSE': False}  # as R and pandas read them


def read_tree(directory):
    """The files of a run directory by relative path, without those that vary from run to run."""
    files = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, directory)
            if relative not in VARIES:
                with open(path, 'rb') as file:
                    files[relative] = file.read()
    return files


def differing(a, b, ignored=()):
    paths = (set(a) | set(b)) - set(ignored)
    return sorted(path for path in paths if a.get(path) != b.get(path))


def refuse_constant(name):
    raise ValueError('a number that is not finite: ' + name)


def read_json(data):
    return json.loads(data, parse_constant=refuse_constant)


def read_csv(data):
    return list(csv.DictReader(io.StringIO(data.decode(), newline='')))


def check_numbers(path, data):
    """No file contains a number that is not finite."""
    if path.endswith('.npy'):
        header = data[10:10 + struct.unpack('<H', data[8:10])[0]]
        if b"'<f8'" in header:
            values = memoryview(data[10 + len(header):]).cast('d')
            if not all(map(math.isfinite, values)):
                return ['%s holds a number that is not finite' % path]
    elif path.endswith('.json'):
        try:
            read_json(data)
        except ValueError as problem:
            return ['%s: %s' % (path, problem)]
    elif path.endswith(('.csv', '.ktns')):
        found = re.search(rb'(?:^|[\s,])([-+]?(?:nan|inf|infinity))(?:[\s,]|$)', data, re.I)
        if found and path != 'phrases.csv':  # where it may be a word
            return ['%s holds %s' % (path, found.group(1).decode())]
    return []


def check_share(where, share, low, high):
    findings = []
    if not 0 <= share <= 1 + CLOSE:
        findings.append('%s: share %r' % (where, share))
    if low is not None and not 0 <= low <= share + 1e-15 <= high + 2e-15 <= 1 + CLOSE:
        findings.append('%s: share %r outside its interval [%r, %r]' % (where, share, low, high))
    return findings


def share_rows(result):
    """Shares of influence.json by target, source and method: (share, low, high, below_floor)."""
    rows = {}
    for target in result['targets']:
        for name, method in target['methods'].items():
            for x in method['shares']:
                row = (x['share'], x.get('low'), x.get('high'), x.get('below_floor', False))
                rows[target['target'], x['source'], name] = row
            rows[target['target'], 'author', name] = (method['author'], None, None, False)
            if method.get('formula') is not None:
                rows[target['target'], 'formula', name] = (method['formula'], None, None, False)
    return rows


def check_shares(result):
    findings = []
    sums_to_one = {m['name'] for m in result['methods'] if m['sums_to_one']}
    for key, (share, low, high, _) in share_rows(result).items():
        findings += check_share(' '.join(key), share, low, high)
    for target in result['targets']:
        for name, method in target['methods'].items():
            where = '%s %s' % (target['target'], name)
            total = method['author'] + sum(x['share'] for x in method['shares'])
            total += method.get('formula') or 0
            total += (method.get('left_out') or {}).get('share', 0)
            if name in sums_to_one and abs(total - 1) > CLOSE:
                findings.append('%s: the shares sum to %r' % (where, total))
            own, common, author = (method.get(part) for part in ('own', 'common', 'author'))
            if None not in (own, common) and abs(own + common - author) > CLOSE:
                findings.append('%s: own %r, common %r, author %r' % (where, own, common, author))
        findings += check_evidence(target, result['headline'])
    return findings


def check_evidence(target, headline):
    """Phrases occur in both texts and add up to at most the share that they are evidence for."""
    findings = []
    shares = {x['source']: x['share'] for x in target['methods'][headline]['shares']}
    for evidence in target.get('evidence', []):
        where = '%s %s' % (target['target'], evidence['source'])
        explained, share = evidence['share'], shares.get(evidence['source'])
        if headline == 'traced' and explained != share:
            findings.append('%s: evidence of %r, not of %r' % (where, explained, share))
        for kind in ('phrases', 'factors'):
            mass = sum(x['mass'] for x in evidence.get(kind, []))
            if mass > explained + CLOSE:
                findings.append('%s: %s of mass %r for %r' % (where, kind, mass, explained))
        for phrase in evidence.get('phrases', []):
            if phrase['target_count'] < 1 or phrase['source_count'] < 1 or phrase['mass'] < 0:
                findings.append('%s: the phrase %r' % (where, phrase))
    return findings


def check_csv(result, data):
    """influence.csv has the rows of influence.json, with the same numbers to the last digit."""
    rows = share_rows(result)
    table = {(x['target'], x['source'], x['method']): x for x in read_csv(data)}
    findings = ['influence.csv and influence.json differ in the row %s' % ' '.join(key)
                  for key in set(rows) ^ set(table)]
    for key in set(rows) & set(table):
        texts = [table[key].get(column) for column in ('share', 'low', 'high')]
        floor = FLAGS.get(table[key]['below_floor'])
        cells = (*(float(text) if text else None for text in texts), floor)
        if cells != rows[key]:
            findings.append('%s: influence.csv has %r, influence.json %r'
                              % (' '.join(key), cells, rows[key]))
    return findings


def check_explained(result, explained):
    """`explain --json` shows the shares of the headline method."""
    findings = []
    for target, shown in zip(result['targets'], explained['targets']):
        method = target['methods'][result['headline']]
        expected = {x['source']: x['share'] for x in method['shares']}
        for x in shown['shares']:
            if x['share'] != expected.get(x['source']):
                findings.append('%s %s: explain says %r, influence.json %r' % (
                    target['target'], x['source'], x['share'], expected.get(x['source'])))
    return findings


def check_page(path, data):
    """A page contains titles only as text, and no control characters."""
    page = data.decode()
    findings = ['a script of a title in %s' % path] if '<script>alert' in page else []
    if re.search('[\x00-\x08\x0b\x0c\x0e-\x1f]', page):
        findings.append('a control character in %s' % path)
    return findings


def check_tree(files):
    findings = []
    for path, data in files.items():
        findings += check_numbers(path, data)
        if path.endswith('.html'):
            findings += check_page(path, data)
        if path.endswith(('.tmp', '.part')):
            findings.append('%s was left behind' % path)
    if not findings and 'influence.json' in files:
        result = read_json(files['influence.json'])
        findings += check_shares(result)
        if 'influence.csv' in files:
            findings += check_csv(result, files['influence.csv'])
        findings += readers.check(result, files)
    return findings
