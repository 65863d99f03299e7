"""One random experiment: it is made from its number, run, and repeated in ways that must agree."""
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess

import results
import settings
from corpus import Corpus

SECONDS = 300           # for one command
CPU_SECONDS = 240       # likewise; eight-grams of random letters take a minute
FILE_BYTES = 1 << 30    # for one file
REFUSALS = (3, 4, 6)    # such a run reports an error and leaves no results
RESULTS = ('influence', 'report', 'phrases', 'SHA256SUMS')
STOPPED = (0, 75, 130, 143)
STAGES = ('corpus', 'tokens', 'vocabulary', 'tensors', 'factors', 'distances', 'influence',
          'evidence')
ENVIRONMENT = {
    'LC_ALL': 'C.UTF-8', 'OMP_WAIT_POLICY': 'passive', 'OPENBLAS_NUM_THREADS': '1',
    'XDG_CACHE_HOME': 'cache-home',
    'ASAN_OPTIONS': 'detect_leaks=1:exitcode=99:allocator_may_return_null=1',
    'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1:exitcode=99',
    'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
}


class Experiment:
    def __init__(self, number):
        self.number = number
        self.random = r = random.Random(number)
        self.corpus = Corpus(r)
        self.settings = settings.draw(r)
        self.match_settings_and_texts(r)
        self.findings = []

    def match_settings_and_texts(self, r):
        """Chooses settings that depend on the texts, and texts that depend on the settings."""
        corpus, s = self.corpus, self.settings
        s.setdefault('name', 'e')
        roles = {d['id']: d.get('role', 'both') for d in corpus.documents}
        possible = [i for i in corpus.ids if roles.get(i, 'both') in ('both', 'target')]
        if not possible:
            del corpus.documents[0]['role']
            possible = corpus.ids[:1]
        chosen = r.sample(possible, r.randint(1, len(possible)))
        s['corpus.target'] = 'all' if r.random() < .3 else '[%s]' % ', '.join(chosen)
        if s.get('corpus.order') == 'by-date':
            if not corpus.documents:
                del s['corpus.order']
            for document in corpus.documents:
                document.setdefault('date', '%04d' % r.randint(1000, 1999))
        if corpus.encoding != 'utf-8' or corpus.is_auto:
            s['corpus.encoding'] = 'auto' if corpus.is_auto else corpus.encoding
        if corpus.is_stripped or r.random() < .05:
            s['corpus.strip'] = r.choice(['[gutenberg]', '[auto]'])
        words = [w for w in corpus.words if w.isalpha()]
        chosen = set(words[:r.choice([1, 5, 50])]) or {'a'}
        phrases = [' '.join(r.choice(corpus.words) for _ in range(3)) for _ in range(4)]
        corpus.files['words.txt'] = '\n'.join(sorted(chosen)).encode()
        variants = ['%s\t%s' % (w, r.choice(words)) for w in words[:r.choice([1, 20])]] or ['a\tb']
        corpus.files['variants.tsv'] = '\n'.join(['variant\tnorm'] + variants).encode()
        corpus.files['stop.txt'] = '\n'.join(words[:r.choice([1, 3])] or ['a']).encode()
        corpus.files['markup.yaml'] = b'- [b i, "", skip]\n- ["*", "@n", word]\n'
        corpus.files['rules.txt'] = b'a > e; o > ;'
        corpus.files['phrases.txt'] = '\n'.join(phrases).encode()

    # ---- files ----

    def configuration(self, section, values):
        """An experiment file; `section` lists the documents and begins the section `corpus`."""
        sections = {'': '', 'corpus': section}
        for key, value in values.items():
            head, _, name = key.rpartition('.')
            value = json.dumps(value) if key in ('name', 'output') else value
            line = '%s%s: %s\n' % ('  ' if head else '', name, value)
            sections[head] = sections.get(head, '') + line
        return 'tributary: 1\n' + sections.pop('') + ''.join(
            '%s:\n%s' % item for item in sections.items())

    def store(self, files):
        for path, data in files.items():
            path = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as file:
                file.write(data)

    def write(self, name, order=None, values=None):
        """Writes the experiment file `name`, its documents in another order or other settings."""
        order = order or range(len(self.corpus.documents))
        section, files = self.corpus.section(random.Random(self.number), order)
        text = self.configuration(section, self.settings if values is None else values)
        self.store(dict(files, **{name: text.encode()}))

    # ---- commands ----

    def do(self, *arguments, program=None, stop=None):
        """Runs a command of the program in the folder. `stop` is a signal and the number of seconds
        after which it is sent."""
        command = [*(program or self.program), '-q', *arguments]
        if stop:
            # Without --foreground, `timeout` sends SIGCONT too. That cancels the SIGSTOP by which
            # LeakSanitizer holds each thread at the end of a run, and the run never ends.
            command = ['timeout', '--foreground', '--preserve-status', '-s', stop[0],
                       '%.3f' % stop[1]] + command
        source = 'input' if self.corpus.reads_input else '/dev/null'
        with open(os.path.join(self.folder, 'repeat'), 'a') as script:
            script.write('%s <%s; echo "status $?"\n' % (shlex.join(command), source))
        self.command = ' '.join(command[len(command) - len(arguments):])
        with open(os.path.join(self.folder, source), 'rb') as stdin:
            process = subprocess.Popen(
                command, cwd=self.folder, env=dict(os.environ, **ENVIRONMENT), stdin=stdin,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit_process)
            try:
                self.output, self.errors = process.communicate(timeout=SECONDS)
                self.status = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                self.output, self.errors = process.communicate()
                self.status = 'none in %d s' % SECONDS
        self.errors = self.errors.decode('utf-8', 'replace')
        return self.status

    def expect(self, *statuses):
        """Whether the last command had one of these statuses, without an error of a sanitizer."""
        spoke = re.search(r'Sanitizer|runtime error|Assertion', self.errors)
        if self.status in statuses and not spoke:
            return True
        text = self.errors if spoke else self.errors[-1500:]
        self.report('%s: status %s\n%s' % (self.command, self.status, text[:2500]))
        return False

    def report(self, text):
        self.findings.append(text)

    def run(self, directory, *flags, config='e.yaml', statuses=(0,), **how):
        """Runs the experiment into a directory. Returns its files, or None after another status."""
        self.do('run', config, '-o', directory, *flags, **how)
        if not self.expect(*statuses):
            return None
        return results.read_tree(os.path.join(self.folder, directory))

    def compare(self, files, ignored=()):
        """Reports files of the last run that differ from those of the first."""
        paths = results.differing(self.first, files, ignored) if files is not None else []
        if paths:
            self.report('%s: other bytes in %s' % (self.command, ', '.join(paths[:6])))

    def warnings(self):
        return sorted(re.findall(r'warning: .*', self.errors))

    def check_unread(self, status):
        """A file in a format that is not read ends the run, and inputs.tsv names its format."""
        if not self.corpus.unread or self.corpus.is_damaged or status not in (0, 4):
            return
        kind, name, is_left_out = self.corpus.unread
        table = (self.first or {}).get('inputs.tsv', b'').decode()
        if not any(name in row and kind in row and ('not read' in row or 'say so' in row)
                   for row in table.split('\n')):
            self.report('%s, %s, is not named in inputs.tsv' % (name, kind))
        if status == 0 and not is_left_out and self.settings.get('corpus.on_error') != 'skip':
            self.report('%s, %s, is not refused' % (name, kind))

    def refusals(self):
        """The errors, without the directory, and without numbers in those about lack of memory."""
        errors = re.findall(r'error: .*', self.errors.replace('out-again', 'out'))
        return sorted(re.sub(r'\d+', '#', e) if 'out of memory' in e else e for e in errors)

    # ---- the whole ----

    def do_all(self, folder, programs, comparisons, n_comparisons):
        """Runs the experiment and some of the comparisons. Returns the status of the first run."""
        r = self.random
        self.folder, self.program, self.programs = folder, [programs['alone']], programs
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(os.path.join(folder, 'repeat'), 'w') as script:
            os.fchmod(script.fileno(), 0o755)
            script.write('#!/bin/sh -x\n# Repeats random experiment %d, command by command.\n'
                         'cd "$(dirname "$0")" || exit\nrm -rf out* cache* runs result\n'
                         % self.number)
            script.writelines('export %s=%s\n' % item for item in ENVIRONMENT.items())
        self.store(self.corpus.files)
        self.write('e.yaml')
        self.threads = str(r.randint(1, 3))
        self.first = self.run('out', '-j', self.threads, '--no-cache', statuses=(0, *REFUSALS))
        status, self.first_warnings = self.status, self.warnings()
        self.check_unread(status)
        if status in REFUSALS:
            self.check_refusal(status)
        elif self.first is not None:
            self.findings += ['out: ' + x for x in results.check_tree(self.first)]
            for compare in r.sample(comparisons, min(n_comparisons, len(comparisons))):
                compare(self)
        return status

    def check_refusal(self, status):
        """A rejected run reports an error, leaves no results, and ends alike with other threads."""
        errors = self.refusals()
        if not errors:
            self.report('status %s without an error' % status)
        left = [path for path in self.first or ()
                if path.startswith(RESULTS) or path.endswith('.tmp')]
        if left:
            self.report('left by a run of status %s: %s' % (status, ', '.join(left[:6])))
        threads = str(self.random.randint(1, 7))
        self.do('run', 'e.yaml', '-o', 'out-again', '--no-cache', '-j', threads)
        if self.expect(status):
            again = self.refusals()
            if again != errors:
                self.report('refused otherwise: %s\n%s' % ('\n'.join(errors), '\n'.join(again)))


def limit_process():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
