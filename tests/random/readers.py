"""Reads the files that a run writes for other programs, as those programs do, without our code.
Every check returns a list of findings."""
import csv
import io
import re
import sqlite3
import tempfile
import xml.etree.ElementTree as ElementTree

GRAPHML = '{http://graphml.graphdrawing.org/xmlns}'


def read_rows(data):
    return list(csv.DictReader(io.StringIO(data.decode(), newline='')))


def plain(text):
    """A cell without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return text[1:] if text[:2] in ("'=", "'+", "'-", "'@", "'\t", "'\r") else text


def clean(text):
    """A text as a table shows it: characters that are unfit for a terminal are escaped."""
    return re.sub('[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]', lambda m:
                  ('\\x%02X' if ord(m[0]) < 0x100 else '\\u{%04X}') % ord(m[0]), text)


def check_documents(result, data):
    """documents.csv has a row for each document of influence.json, in its order."""
    rows = read_rows(data)
    targets = {x['target'] for x in result['targets']}
    expected = [(x['id'], clean(x['title']), clean(x['author']), x['date'] or '', str(x['words']),
                 str(x['ngrams']), str(x['id'] in targets).upper(), str(x['bytes']), x['sha256'])
                for x in result['documents']]
    columns = ('id', 'title', 'author', 'date', 'words', 'ngrams', 'is_target', 'bytes', 'sha256')
    found = [tuple(plain(x[column]) for column in columns) for x in rows]
    return ['documents.csv has %r, influence.json %r' % (a, b)
            for a, b in zip(found, expected) if a != b] + (
                ['documents.csv has %d rows, not %d' % (len(found), len(expected))]
                if len(found) != len(expected) else [])


def check_graphml(result, data):
    """influence.graphml has every document as a node and every edge of the graph, with its type."""
    root = ElementTree.fromstring(data)
    types = {x.get('id'): x.get('attr.type') for x in root.iter(GRAPHML + 'key')}
    read = {'int': int, 'long': int, 'double': float, 'string': str,
            'boolean': {'true': True, 'false': False}.__getitem__}

    def values(element):
        return {x.get('key'): read[types[x.get('key')]](x.text) for x in element}

    nodes = {x.get('id'): values(x) for x in root.iter(GRAPHML + 'node')}
    edges = {(x.get('source'), x.get('target')): values(x) for x in root.iter(GRAPHML + 'edge')}
    findings = []
    for document in result['documents']:
        node = nodes.pop(document['id'], {})
        if (node.get('words'), node.get('ngrams')) != (
                document['words'] or None, document['ngrams'] or None):
            findings.append('influence.graphml: node %s has %r' % (document['id'], node))
    findings += ['influence.graphml: node %s is no document' % x for x in nodes]
    expected = {(x['source'], x['target']): x['share'] for x in result['graph']['edges']}
    if expected != {key: value['weight'] for key, value in edges.items()}:
        findings.append('influence.graphml has other edges than influence.json')
    return findings


def check_database(result, data):
    """results.sqlite has shares, documents and passages of influence.json, to the last digit; of
    passages it may have more, as passages.tsv has."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        base = sqlite3.connect('file:%s?mode=ro' % file.name, uri=True)
        try:
            return compare_database(result, base)
        finally:
            base.close()


def compare_database(result, base):
    def rows(query):
        return sorted(base.execute(query), key=repr)

    shares = [(t['target'], x['source'], name, x['share'], x.get('low'), x.get('high'),
               int(x.get('below_floor', False)), x.get('group'))
              for t in result['targets'] for name, method in t['methods'].items()
              for x in method['shares']]
    passages = [(t['target'], e['source'], p['shared'], p['mass'], p['target']['first'],
                 p['source']['words']) for t in result['targets']
                for e in t.get('evidence', []) for p in e.get('passages', [])]
    documents = [(x['id'], x['title'], x['author'] or None, x['date'], x['words'], x['ngrams'])
                 for x in result['documents']]
    pairs = (
        ('shares', "SELECT * FROM shares WHERE source NOT IN ('author', 'formula')", shares),
        ('passages',
         'SELECT target, source, shared, mass, target_word, source_words FROM passages',
         passages),
        ('documents', 'SELECT id, title, author, date, words, ngrams FROM documents', documents),
        ('integrity', 'PRAGMA integrity_check', [('ok',)]))
    # passages.tsv, and so the table, has passages that influence.json leaves out
    more = {name: set(rows(query)) - set(expected) if name == 'passages' else set()
            for name, query, expected in pairs}
    return ['results.sqlite: %s: %r' %
            (name, sorted(set(rows(query)) ^ set(expected) ^ more[name], key=repr)[:2])
            for name, query, expected in pairs
            if sorted(set(rows(query)) - more[name], key=repr) != sorted(set(expected), key=repr)]


def read_ktensor(data):
    """Reads a ktensor as pyttb's import_data does: weights, and the rows of each mode's matrix."""
    lines = iter(data.decode().split('\n'))

    def shape():
        n = int(next(lines))
        sizes = [int(x) for x in next(lines).split()]
        if len(sizes) != n:
            raise ValueError('%d dimensions, not %d' % (len(sizes), n))
        return sizes

    if next(lines) != 'ktensor':
        raise ValueError('no ktensor')
    dims, rank = shape(), int(next(lines))
    weights = [float(x) for x in next(lines).split()]
    modes = []
    for dim in dims:
        if next(lines) != 'matrix' or shape() != [dim, rank]:
            raise ValueError('no matrix of %d x %d' % (dim, rank))
        modes.append([[float(x) for x in next(lines).split()] for _ in range(dim)])
    if list(lines) != [''] or len(weights) != rank:
        raise ValueError('more or fewer numbers than the header says')
    return weights, modes


def check_ktensors(files):
    """Every ktensor can be read, and its names are those of its rows and columns."""
    findings = []
    for path, data in files.items():
        if not path.endswith('.ktensor'):
            continue
        weights, modes = read_ktensor(data)
        names = files[path.replace('.ktensor', '.names.tsv')].decode().split('\n')[1:-1]
        rows = [x.split('\t')[2] for x in names if x.startswith('row')]
        columns = [float(x.split('\t')[3]) for x in names if x.startswith('column')]
        if columns != weights or any(len(rows) != len(x) for x in modes):
            findings.append('%s: other rows or weights than its names' % path)
    return findings


CHECKS = {'results.sqlite': check_database,
          'documents.csv': check_documents, 'influence.graphml': check_graphml}


def check(result, files):
    findings = check_ktensors(files)
    for path, function in CHECKS.items():
        if path in files:
            findings += function(result, files[path])
    return findings
