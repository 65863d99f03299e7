"""Random settings: a row for every key of `tributary help keys`, and the rules between keys."""
import re


def one(*values):
    return lambda r: str(r.choice(values))


def some(*names):
    """A list of some of the names, in any order; rarely it is empty."""
    def make(r):
        least = 0 if r.random() < .1 else 1
        return '[%s]' % ', '.join(r.sample(names, r.randint(least, len(names))))
    return make


METHODS = ('traced', 'lowe', 'lowe-soft', 'anchored', 'split', 'containment', 'runs',
           'lowe-matched', 'extent', 'verbatim')
LEAST_SQUARES = ('hals', 'ccd', 'mu', 'bpp', 'admm', 'als')
PENALTY = one(0, .1, 1, 10, 1e12, 1e-300, '[0.1, 0, 5]')

# How often each key is set, and to which values; CORPUS: by corpus.py. Small counts, for speed.
CORPUS = (0, None)
KEYS = {
    'preset': (.15, one('none', 'lowe-2018', 'charles-2023')),
    'name': (.3, one('gospels', 'a name', 'é', 'x.y')),
    'output': (.3, one('runs/{name}', 'runs/{name}-{hash8}', 'result')),
    'corpus.manifest': CORPUS,
    'corpus.glob': CORPUS,
    'corpus.library': CORPUS,
    'corpus.root': CORPUS,
    'corpus.target': CORPUS,
    'corpus.encoding': CORPUS,
    'corpus.strip': CORPUS,
    'corpus.order': (.25, one('any', 'by-date')),
    'corpus.on_invalid': (.3, one('error', 'replace')),
    'corpus.links': (.2, one('within', 'follow')),
    'corpus.on_error': (.5, one('refuse', 'skip', 'skip')),
    'corpus.notes': (.2, one('drop', 'keep', 'separate')),
    'corpus.join_hyphens': (.2, one('true', 'false', 'auto')),
    'corpus.reading': (.2, one('source', 'regularised')),
    'corpus.witness': (.2, one('', 'A', 'B')),
    'corpus.speakers': (.2, one('keep', 'drop')),
    'corpus.stage_directions': (.2, one('keep', 'drop')),
    'corpus.min_confidence': (.2, one(0, .5, 1)),
    'corpus.markup': (.1, one('markup.yaml')),
    'corpus.reference': (.3, one('bible-verse', 'act-scene', 'chapter', 'paragraph', 'line',
                                 'none', r'^\w+')),
    'corpus.title': (.1, one('Letters & "Laws"')),
    'corpus.editors': (.1, one('Brook, Ada; The Archive')),
    'corpus.license': (.1, one('CC-BY-4.0')),
    'corpus.address': (.1, one('https://example.org/site/')),
    'corpus.max_strip': (.2, one(.1, .5, 1)),
    'corpus.near_duplicate': (.3, one(0, .1, .5, 1)),
    'tokens.locale': (.2, one('en', 'auto', 'de', 'tr', 'ja', 'th', 'el', 'lt', 'zh-Hant',
                              'en_US_POSIX')),
    'tokens.normalize': (.3, one('none', 'nfc', 'nfkc')),
    'tokens.case': (.3, one('none', 'fold')),
    'tokens.equivalence': (.2, one('plain', 'none')),
    'tokens.apostrophes': (.3, one('straight', 'keep', 'split', 'join')),
    'tokens.hyphens': (.3, one('split', 'join', 'keep')),
    'tokens.numbers': (.3, one('drop', 'keep', 'class')),
    'tokens.break_at': (.25, some('sentence', 'paragraph')),
    'tokens.transform': (.2, one('auto', '"latin, han"', 'ligatures', 'russian', 'latin',
                                 'early-english', 'fold-accents', 'greek-bare', 'arabic-bare',
                                 'hebrew-bare', 'Latin-ASCII', 'rules.txt')),
    'tokens.variants': (.1, one('variants.tsv')),
    'tokens.stem': (.25, one('none', 'en', 'german', 'french', 'auto', 'auto')),
    'tokens.stop': (.2, one('stop.txt', 1, 3, 10, '{de: stop.txt}', '{en: 2, de: stop.txt}',
                            '{deu: 1, tr: 3, en: stop.txt}')),
    'vocabulary.size': (.25, one(1, 2, 5, 20, 100, 'all', 4294967294)),
    'vocabulary.min_count': (.15, one(1, 2, 3)),
    'vocabulary.min_documents': (.1, one(1, 2, 3)),
    'vocabulary.oov': (.3, one('break', 'wildcard')),
    'vocabulary.file': (.07, one('words.txt')),
    'tensor.n': (.6, one(1, 2, 2, 3, 4, 5, 8)),
    'tensor.skip': (.2, one(0, 1, 2, 8)),
    'tensor.format': (.7, one('auto', 'coo', 'coo-unsorted', 'hacoo', 'hicoo', 'rows', 'alto',
                              'linear', 'gcsr', 'gcsc', 'csf', 'csf-two', 'csf-all')),
    'tensor.hash': (.3, one('morton', 'morton-compact', 'digits', 'packed', 'mixed')),
    'tensor.load': (.2, one(.01, .1, 1, 16)),
    'tensor.buckets': (.2, one(1, 2, 3, 1000, 65536)),
    'tensor.block': (.2, one('auto', 1, 16, 128, 256)),
    'tensor.superblock': (.2, one('auto', 256, 1024, 2**30)),
    'tensor.fragment': (.3, one('auto', 'coo', 'linear', 'gcsr', 'gcsc', 'csf')),
    'tensor.reads': (.3, one('none', 'whole', 'points', 'regions', 'last')),
    'cp.solver': (.7, one('hals', 'ccd', 'mu', 'bpp', 'admm', 'als', 'fibre', 'apr')),
    'cp.start': (.5, one('auto', 'greedy', 'energy', 'random', 'corpus')),
    'cp.rank': (1, one(1, 2, 3, 4, 6, 10, 20, 'auto', 'lowe', 'holdout', 'all')),
    'cp.max_rank': (1, one(1, 4, 12)),
    'cp.sweeps': (.3, one(1, 2, 5, 20)),
    'cp.iterations': (1, one(1, 2, 5, 10, 30)),
    'cp.tolerance': (.3, one(0, 1, 1e-9, .1, 1e-300)),
    'cp.restarts': (.2, one(1, 2, 3)),
    'cp.seed': (.3, one(0, 1, 12345, 9223372036854775808, 18446744073709551615)),
    'cp.kkt': (.2, one(0, 1e-3, 1, 1e-12)),
    'cp.l1': (.12, PENALTY),
    'cp.l2': (.12, PENALTY),
    'cp.fixed': (.12, some('1', '2', '3', '4', '5', '6', '7', '8')),
    'cp.extrapolation': (.2, one('auto', 'none', 'nesterov')),
    'cp.precision': (.2, one('double', 'single')),
    'cp.lift': (.2, one(0, .01, .5)),
    'influence.methods': (.7, some(*METHODS)),
    'influence.headline': (1, one('auto', *METHODS)),
    'influence.threshold': (.3, one(0, .2, .5, 1, 2)),
    'influence.background': (.3, one('auto', 0, 1, 2, 5, 30)),
    'influence.background_of': (.3, one('auto', 'target', 'corpus')),
    'influence.floor': (.3, one('auto', 0, .005, .015, .5, 1)),
    'influence.formula': (.3, one(1, 2, 3, 100, 'none')),
    'influence.null': (.2, one('true', 'false')),
    'influence.bootstrap': (1, one(0, 1, 2, 7, 20)),
    'influence.shortlist': (.3, one(1, 2, 3, 'all', 1000000)),
    'influence.candidates': (.25, one(1, 2, 3, 'auto')),
    'influence.run': (.3, one(1, 2, 3, 6, 1000)),
    'report.formats': (.4, some('html', 'json', 'csv', 'factors', 'npy', 'tensors', 'sqlite',
                                'ktensor', 'trace', 'tei', 'alignments', 'phrasing')),
    'parallels.unit': (.3, one('none', 'phrases', 'lines', 'sentences', 'windows')),
    'parallels.feature': (.2, one('auto', 'lemmas', 'stems', 'letters', 'words')),
    'parallels.lemmas': (.02, one('null')),
    'parallels.language': (.2, one('auto', 'en', 'german')),
    'parallels.letters': (.2, one(1, 5, 100)),
    'parallels.spelling': (.2, one('written', 'latin')),
    'parallels.distance': (.2, one(0, 1.5, 100)),
    'parallels.window': (.2, one(2, 16, 200)),
    'parallels.top': (.2, one(1, 3, 1000000)),
    'translations.search': (.3, one('auto', 'all', 'none')),
    'translations.dictionary': (.02, one('null')),
    'translations.table': (.02, one('null')),
    'translations.power': (.1, one('true', 'false')),
    'report.top_phrases': (.3, one(0, 1, 3, 1000000)),
    'report.commonplace': (.3, one(0, .1, .5, 1)),
    'report.commonplaces': (.1, one('phrases.txt')),
    'report.context_words': (.3, one(0, 1, 12, 1000)),
    'report.target_pages': (.3, one('auto', 'all', 1, 20)),
    'report.doubtful': (.1, one('true', 'false')),
    'report.text': (.3, one('none', 'snippets', 'full')),
    'report.spreadsheet_safe': (.1, one('true', 'false')),
    'resources.threads': (.2, one('auto', 1, 2, 5)),
    'resources.memory': (.1, one('auto', '64 MiB', '1 GiB')),
    'resources.time': (.1, one('none', '10 min', '1 h')),
    'resources.unpacked': (.1, one('1 TiB', '64 MiB', '10 GB')),
    'resources.members': (.1, one(1048576, 20000)),
    'resources.parts': (.1, one(16384, 100000)),
    'resources.sandbox': (.1, one('true', 'false')),
    'resources.kernels': (.1, one('auto', 'portable')),
}


def names_in(value):
    return re.findall(r'[^\[\], ]+', value)


def obey(s):
    """Changes the settings so that they obey every rule of the program between two keys."""
    solver, n = s.get('cp.solver', 'hals'), int(s.get('tensor.n', 3))
    methods = names_in(s.get('influence.methods', ', '.join(METHODS[:6])))
    if s['cp.rank'] == 'all' or solver == 'fibre':
        solver = s['cp.solver'] = 'fibre'
        s['cp.rank'] = '8' if s['cp.rank'] in ('auto', 'holdout') else s['cp.rank']
    if s['cp.rank'] == 'holdout':  # it tries each rank four times
        s['cp.rank'], s['cp.max_rank'] = ('6', '12') if solver == 'apr' else ('holdout', '4')
    is_dense = ('cp.fixed' in s or s.get('cp.start') in ('random', 'corpus')
                or solver in ('mu', 'admm'))  # which set positive numbers to 0 never, or late
    takes_minutes = n > 5 and is_dense  # the distances of factors
    if solver == 'als' or takes_minutes:
        methods = [m for m in methods if not m.startswith('lowe')] or ['split']
        s['influence.methods'] = '[%s]' % ', '.join(methods)
    if solver == 'als':
        s.pop('cp.l1', None)
    if solver not in LEAST_SQUARES:
        for key in ('cp.l1', 'cp.l2', 'cp.fixed', 'cp.precision'):
            s.pop(key, None)
    if solver not in ('hals', 'ccd', 'bpp'):
        s['cp.extrapolation'] = 'auto'
    if s.get('cp.precision') == 'single':
        s['tensor.format'] = 'rows'
    for key in ('cp.l1', 'cp.l2'):
        if key in s and s[key].startswith('[') and n != 3:
            s[key] = '.1'
    if 'cp.fixed' in s:
        modes = [m for m in names_in(s['cp.fixed']) if int(m) <= n]
        s['cp.fixed'] = '[%s]' % ', '.join(modes[:n - 1])
    if 'vocabulary.file' in s:
        s.pop('preset', None)
        for key in ('vocabulary.size', 'vocabulary.min_count', 'vocabulary.min_documents'):
            s.pop(key, None)
    if s['influence.headline'] not in methods + ['auto'] and methods:
        s['influence.headline'] = methods[0]
    if s['influence.headline'] not in ('traced', 'runs') and s.get('tensor.skip', '0') != '0':
        s.pop('influence.null', None)


def draw(r):
    settings = {key: make(r) for key, (chance, make) in KEYS.items()
                if make and r.random() < chance}
    obey(settings)
    return settings


def uncovered(live, drawn):
    """Reports keys and choices that were not drawn.

    `live` is [(key, help)] of the program, `drawn` maps a key to the values seen.
    """
    findings = ['no row for the key %s' % key for key, _ in live if key not in KEYS]
    findings += ['%s is no key any more' % key for key in KEYS if key not in dict(live)]
    for key, text in live:
        if key == 'corpus.library':  # tests/golden/library has runs on libraries
            continue
        if key in KEYS and not drawn.get(key):
            findings.append('no experiment sets %s' % key)
        choices = re.search(r': ([\w-]+(?:\|[\w-]+)+); default', text)
        if key == 'resources.kernels':  # those of the processor
            continue
        for name in choices.group(1).split('|') if choices and key in KEYS else ():
            if name not in drawn.get(key, ()):
                findings.append('no experiment sets %s to %s' % (key, name))
    return findings
