"""The ways in which an experiment is repeated.

Each function takes an experiment whose first run succeeded, and reports findings to it.
"""
import os
import signal

import results
import settings
from experiment import STAGES, STOPPED

NOT_CACHED = '--no-cache'
LISTED = ('config.resolved.yaml', 'SHA256SUMS')  # files that depend on how documents are listed
# The status when a signal arrived before the program handled it.
TOO_EARLY = (128 + signal.SIGUSR1, 128 + signal.SIGHUP)


def some_threads(x):
    return ['-j', str(x.random.randint(1, 7))]


def any_cache(x, directory):
    return x.random.choice([[NOT_CACHED], ['--cache-dir', directory]])


def with_threads(x):
    files = x.run('out-threads', NOT_CACHED, *some_threads(x))
    x.compare(files)
    if files is not None and x.warnings() != x.first_warnings:
        x.report('%s: other warnings\n%s\n%s' % (x.command, x.first_warnings, x.warnings()))


def with_cache(x):
    """A run that fills the cache, and a run that reads it."""
    x.compare(x.run('out-cold', '--cache-dir', 'cache', *some_threads(x)))
    x.compare(x.run('out-warm', '--cache-dir', 'cache', *some_threads(x)))


def may_change(key):
    return settings.KEYS[key][1] and key not in ('name', 'output', 'preset')


def with_cache_of_others(x):
    """A cache filled under other settings: results that depend on them must not be used."""
    r = x.random
    changed = dict(x.settings)
    for key in r.sample([k for k in settings.KEYS if may_change(k)], 3):
        changed[key] = settings.KEYS[key][1](r)
    settings.obey(changed)
    x.write('other.yaml', values=changed)
    x.run('out-other', '--cache-dir', 'cache-other', config='other.yaml', statuses=(0, 3, 4, 6))
    x.compare(x.run('out-after-other', '--cache-dir', 'cache-other', *some_threads(x)))


def until_a_stage(x):
    stage = x.random.choice(STAGES)
    cache = any_cache(x, 'cache-until')
    x.run('out-until', '--until', stage, *cache)
    x.compare(x.run('out-until', '--resume', *cache, *some_threads(x)))


def resume_until_done(x, directory, flags, stop):
    """A run that is stopped, and resumed with another number of threads."""
    files = x.run(directory, *flags, *some_threads(x), statuses=(*STOPPED, *TOO_EARLY), stop=stop)
    if files is None:
        return
    if x.status in TOO_EARLY and os.path.exists(os.path.join(x.folder, directory)):
        x.report('%s: status %s' % (x.command, x.status))
    if x.status != 0:
        if 'influence.json' in files and 'SHA256SUMS' in files:
            x.report('%s: stopped, but complete' % x.command)
        files = x.run(directory, '--resume', *flags, *some_threads(x))
    x.compare(files)


def stopped_by_signal(x):
    stop = (x.random.choice(['INT', 'TERM', 'USR1', 'HUP']), x.random.uniform(0.02, .4))
    resume_until_done(x, 'out-stopped', any_cache(x, 'cache-stopped'), stop)


def stopped_by_time(x):
    """A time limit of one second. With many resamples, some experiments reach it."""
    values = dict(x.settings, **{'influence.bootstrap': '3000'})
    values.pop('resources.time', None)
    x.write('long.yaml', values=values)
    whole = x.run('out-long', NOT_CACHED, config='long.yaml')
    if whole is None:
        return
    first, x.first = x.first, whole
    limit = ['--set', 'resources.time=1 s']
    files = x.run('out-limited', NOT_CACHED, *limit, config='long.yaml', statuses=STOPPED)
    if files is not None and x.status != 0:
        files = x.run('out-limited', NOT_CACHED, '--resume', config='long.yaml')
    x.compare(files)
    x.first = first


def permuted(x):
    """The order in which documents are listed does not change the results."""
    order = list(range(len(x.corpus.documents)))
    x.random.shuffle(order)
    x.write('permuted.yaml', order=order)
    x.compare(x.run('out-permuted', NOT_CACHED, config='permuted.yaml'), ignored=LISTED)


def as_plain_text(x):
    """A text gives the same results in every form and encoding, except with damaged files, unusual
    characters, or where the ends of lines, sentences or paragraphs matter."""
    corpus, s = x.corpus, x.settings
    if corpus.is_odd or corpus.is_damaged or corpus.is_stripped or corpus.is_auto:
        return
    if 'tokens.break_at' in s or s.get('corpus.notes', 'drop') != 'drop':
        return
    if s.get('corpus.join_hyphens') in ('true', 'auto'):
        return
    values = {k: v for k, v in x.settings.items() if k != 'corpus.encoding'}
    text = x.configuration(x.corpus.plain_section(), values)
    x.store(dict(x.corpus.plain, **{'plain.yaml': text.encode()}))
    files = x.run('out-plain', NOT_CACHED, config='plain.yaml')
    if files is not None and files.get('influence.csv') != x.first.get('influence.csv'):
        x.report('%s: other shares than from the forms %s' % (x.command, x.corpus.forms))


def from_printed_settings(x):
    """The configuration that `check --print-config` prints is the same experiment, except that it
    does not mention files of a folder, or parts of a file, that are not read."""
    x.do('check', 'e.yaml', '--print-config')
    if not x.expect(0):
        return
    x.store({'printed.yaml': x.output})
    files = x.run('out-printed', NOT_CACHED, config='printed.yaml')
    ignored = LISTED
    if x.corpus.leaves_out or (x.corpus.unread and x.corpus.unread[2]):
        ignored += ('inputs.tsv', *(p for p in x.first if p.endswith(('.json', '.html'))))
    x.compare(files, ignored=ignored)


def from_flags(x):
    """Settings may be given by --set instead of the file."""
    moved = [k for k in x.settings if may_change(k)]
    moved = x.random.sample(moved, x.random.randint(1, len(moved)))
    x.write('bare.yaml', values={k: v for k, v in x.settings.items() if k not in moved})
    flags = [part for k in moved for part in ('--set', '%s=%s' % (k, x.settings[k]))]
    x.compare(x.run('out-flags', NOT_CACHED, *flags, config='bare.yaml'))


def into_its_own_directory(x):
    """Without -o, the run is in the directory that the configuration names, which is printed."""
    x.do('run', 'e.yaml', NOT_CACHED)
    if x.expect(0):
        directory = x.output.decode().splitlines()[0]
        x.compare(results.read_tree(os.path.join(x.folder, directory)))


def read_by_commands(x):
    """Commands that read a run agree with its results and do not change it."""
    if 'influence.json' in x.first:
        x.do('compare', 'out', 'out')
        x.expect(0)
        x.do('explain', 'out', '--json')
        if x.expect(0):
            result, shown = map(results.read_json, (x.first['influence.json'], x.output))
            x.findings += results.check_explained(result, shown)
        for command in x.random.sample([('explain', 'out'), ('cite', 'out'), ('report', 'out'),
                                        ('kwic', 'out', x.corpus.words[0])], 2):
            x.do(*command)
            x.expect(0, *((2, 3, 4) if command[0] == 'kwic' else ()))
    x.do('check', 'e.yaml')
    x.expect(0)
    # `report` may have written pages that the settings do not ask for, and their checksums.
    tree = results.read_tree(os.path.join(x.folder, 'out'))
    pages = [path for path in set(tree) - set(x.first)
             if path.endswith('.html') or path.startswith(('targets/', 'read/'))]
    x.compare(tree, ignored=(*pages, 'SHA256SUMS') if pages else ())
    x.do('run', 'e.yaml', '-o', 'out', NOT_CACHED)
    x.expect(0)
    again = results.read_tree(os.path.join(x.folder, 'out'))
    x.compare(again, ignored=(*pages, 'SHA256SUMS') if pages else ())
    x.do('verify', 'out')
    x.expect(0)


def by_processes(x):
    n = x.random.randint(2, 4)
    program = ['env', 'ASAN_OPTIONS=detect_leaks=0:exitcode=99', 'mpirun', '--oversubscribe',
               '--bind-to', 'none', '-n', str(n), x.programs['mpi'], '-j', '1']
    if x.corpus.reads_input:  # which ends the run, or is skipped
        x.run('out-mpi', NOT_CACHED, program=program, statuses=(0, 4))
        if 'standard input reaches one process alone' not in x.errors:
            x.report('%s: standard input is not refused' % x.command)
        return
    cache = any_cache(x, 'cache-mpi')
    x.compare(x.run('out-mpi', *cache, program=program))
    if cache != [NOT_CACHED]:
        x.compare(x.run('out-mpi-warm', *cache, program=program))


def by_another_processor(x):
    """The program built for another processor gives the same bytes, except for the core
    consistency of a search for the rank, which OpenBLAS computes."""
    searched = x.settings.get('cp.rank') == 'auto'
    x.compare(x.run('out-foreign', NOT_CACHED, program=x.programs['foreign']),
              ignored=('ranks.csv', 'influence.json', 'SHA256SUMS') if searched else ())


ALONE = [with_threads, with_cache, with_cache_of_others, until_a_stage, stopped_by_signal,
         stopped_by_time, permuted, as_plain_text, from_printed_settings, from_flags,
         into_its_own_directory, read_by_commands]
