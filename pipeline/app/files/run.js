/* run.js - the page on which the texts of a project are compared: the run, and its report. */
'use strict';

const busy = job => job && /^(running|paused)$/.test(job.state);
const duration = s => s < 90 ? counted(Math.max(1, Math.round(s)), 'second') :
    s < 5400 ? counted(Math.round(s / 60), 'minute') : counted(Math.round(s / 3600), 'hour');

const STAGES = {corpus: 'Looking at the files', tokens: 'Reading the texts', vocabulary:
    'Numbering the words', tensors: 'Counting the phrases', candidates: 'Choosing the sources',
    factors: 'Looking for patterns', distances: 'Comparing the patterns', influence:
    'Comparing the texts', evidence: 'Gathering the phrases', parallels: 'Looking for allusions',
    report: 'Writing the report'};
/* What a run is about, from the lines that it writes: its stages, how much is left, and what is
 * wrong. */
function jobOf(said) {
    const job = Object.assign({stages: [], errors: [], doing: '', left: 0}, said);
    const lines = (said.progress || '').split('\n');
    if (busy(said)) lines.pop(); // it is being written
    for (const line of lines.filter(x => x)) {
        let one = {level: 'error', message: line};
        try {
            one = JSON.parse(line);
        } catch (error) { // words of the system
        }
        const last = job.stages.at(-1);
        if (one.stage && one.stage !== last?.name) {
            if (last) last.done = 1;
            const title = STAGES[one.stage] || one.stage;
            job.stages.push({name: one.stage, title, done: 0, since: one.seconds});
            Object.assign(job, {left: 0, doing: title});
        }
        if (one.share !== undefined && job.stages.length) {
            const now = job.stages.at(-1);
            now.done = one.share;
            if (now.done > .01) job.left = (one.seconds - now.since) * (1 - now.done) / now.done;
        }
        if (one.message && /^(error|warning)$/.test(one.level))
            job.errors.push(messageOf(one.message, one.level));
    }
    return job;
}

async function showRun(id, more, isStill) {
    const box = make('section', {id: 'job', className: 'job', 'aria-label': 'The run'});
    const report = make('section', {id: 'report', 'aria-label': 'The report'});
    const estimate = make('span', {id: 'estimate', className: 'note'});
    let shown = '', wasBusy = false;

    const open = (name, isNew) => {
        const run = project.runs.find(r => r.name === name);
        if (!run || shown === name && !isNew) return;
        shown = name;
        const at = `${state.runs_origin}/run/${id}/${encodeURIComponent(name)}/`;
        const kept = of(id, `/runs/${encodeURIComponent(name)}/judgements`);
        const frame = make('iframe', {title: `The report of ${name}`, src: at + run.report,
            'data-judgements': kept});
        const file = (text, part) => make('li', {}, make('a', {href: `${at}${part}?save`,
            textContent: text}));
        const publish = button('Publish', async () => {
            publish.disabled = true;
            try {
                const {site} = await post(of(id, `/runs/${encodeURIComponent(name)}/publish`));
                say(`A folder to put on a web server: ${project.path}/${site}`);
            } catch (error) {
                failed(error);
            }
            publish.disabled = false;
        }, {id: 'publish', hidden: state.read_only || !(state.commands && state.commands.publish)});
        const judgements = button('Judgements (CSV)', async () => {
            const all = await get(kept);
            const url = URL.createObjectURL(new Blob([csvOf(merged(all, {own: {}}))],
                {type: 'text/csv'}));
            make('a', {href: url, download: `${name}-judgements.csv`}).click();
            setTimeout(() => URL.revokeObjectURL(url), 60000);
        }, {id: 'save-judgements'});
        const cited = make('section', {id: 'cited', hidden: true});
        const cite = button('Cite', async () => {
            try {
                const said = await get(of(id, `/runs/${encodeURIComponent(name)}/cite`));
                const copied = (kind, text) => [make(kind, {dir: 'auto', textContent: text,
                    tabIndex: 0}), make('p', {}, button('Copy', () => navigator.clipboard.writeText(
                    text).then(() => say('Copied.'), failed)))];
                cited.replaceChildren(make('h2', {textContent: 'For your paper'}),
                    ...copied('p', said.methods), ...copied('pre', said.bibtex));
                cited.hidden = false;
                cited.querySelector('p').focus();
            } catch (error) {
                failed(error);
            }
        }, {id: 'cite', hidden: state.read_only});
        report.replaceChildren(
            make('div', {className: 'tools'}, button('The answer', () => {
                frame.src = at + run.report;
            }), make('details', {className: 'menu', id: 'export'},
                make('summary', {textContent: 'Export'}), make('ul', {},
                file('Shares (CSV)', 'influence.csv'), file('Passages (TSV)', 'passages.tsv'),
                file('Phrases (CSV)', 'phrases.csv'), file('Everything (JSON)', 'influence.json'),
                file('The report (HTML)', 'report.html'), make('li', {}, judgements))), cite,
            publish,
            make('a', {href: at + run.report, target: '_blank', textContent:
                'In a window of its own'}), 'What does it mean:', ...Object.entries({
                'a share': 'a-share-of-31-with-a-floor-of-02', 'the floor': 'below-the-floor',
                'an interval': 'what-an-interval-says', 'a find': 'finds-and-judging-them'}).map(
                ([text, part]) => why(text, `interpretation/${part}`))), cited,
            frame);
        next('Read the answer, then the finds.' + (state.read_only ? '' : ' Accept or reject ' +
            'them: what you judge is kept in the folder of the project.'));
        box.hidden = true;
    };

    const act = action => post(of(id, '/job'), {action}).then(look).catch(failed);
    const pause = button('Pause', () => act(pause.textContent === 'Pause' ? 'pause' : 'resume'),
        {id: 'pause'});
    const stop = button('Stop', () => act('stop'), {id: 'stop'});
    const stages = make('ul', {className: 'stages'}), doing = make('p', {id: 'doing'});
    const errors = make('ul', {className: 'messages', id: 'errors'});
    const controls = make('p', {}, pause, ' ', stop);
    box.append(doing, stages, controls, errors);

    const draw = job => {
        box.hidden = !job.state || job.state === 'finished' && !job.errors.length;
        start.disabled = busy(job);
        if (!job.state) return;
        box.dataset.state = job.state;
        controls.hidden = !busy(job);
        pause.textContent = job.state === 'paused' ? 'Go on' : 'Pause';
        doing.textContent = job.state === 'paused' ? 'Paused. Nothing is lost.' :
            job.state === 'stopped' ? 'Stopped. What was computed is kept: Compare goes on from ' +
                'there.' : job.state === 'failed' ? 'The run found a mistake, named below.' :
                (job.doing || 'It begins \u2026') + (job.left ?
                    ` \u2013 about ${duration(job.left)} left` : '');
        job.stages.forEach((s, i) => {
            const li = stages.children[i] || stages.appendChild(make('li', {}, make('span'),
                make('progress')));
            li.firstChild.textContent = s.title;
            li.lastChild.setAttribute('aria-label', s.title);
            li.lastChild.value = s.done;
        });
        while (stages.children.length > job.stages.length) stages.lastChild.remove();
        runErrors[id] = Object.fromEntries(job.errors.filter(e => e.file).map(e =>
            [e.file, e.text]));
        errors.replaceChildren(...job.errors.map(e => make('li', {className: 'wrong',
            dir: 'auto'}, e.text, ...e.file ? [' ', make('a', {href: `#/${id}/texts/` +
                encodeURIComponent(e.file), textContent: 'To its row'})] : [])));
        if (job.state === 'failed') next('Mend what the program says below, then press Compare.');
        if (job.state === 'paused') next('Press \u201cGo on\u201d when you like.');
        if (job.state === 'running') next('The program compares. You may go to other pages.');
        if (job.state === 'stopped') next('Press Compare to go on.');
    };
    const look = async () => {
        const job = jobOf(await get(of(id, '/job')).catch(() => ({})));
        if (!isStill()) return;
        draw(job);
        if (wasBusy && job.state === 'finished') {
            await readProject(id);
            if (!isStill()) return;
            listRuns();
            open(job.run || (project.runs[0] || {}).name, true);
            say('Finished.');
            keepFocus();
        }
        wasBusy = !!busy(job);
    };
    const start = button('Compare', async () => {
        start.disabled = true;
        report.replaceChildren();
        shown = '';
        errors.replaceChildren();
        say('');
        try {
            await post(of(id, '/run'));
            wasBusy = true;
        } catch (error) {
            start.disabled = false;
            failed(error);
            errors.replaceChildren(make('li', {className: 'wrong', textContent: error.message}));
        }
        look();
    }, {id: 'start', className: 'main', hidden: state.read_only});
    const runs = make('ul', {className: 'projects'});
    const listRuns = () => runs.replaceChildren(...project.runs.map(r => make('li', {}, make('a', {
        href: `#/${id}/run/${encodeURIComponent(r.name)}`, dir: 'auto', textContent: r.name}),
    make('small', {textContent: r.time ? new Date(r.time * 1000).toLocaleString() : ''}))));

    listRuns();
    next(project.runs.length ? 'Press Compare after a change, or read the report below.' :
        'Press Compare.');
    element('main').replaceChildren(...heading('Compare', make('p', {className: 'tools'}, start,
        estimate)), box,
        report, ...project.runs.length > 1 ? [make('section', {}, make('h2', {textContent:
            'Runs of this project'}), runs)] : []);
    const job = jobOf(state.read_only ? {} : await get(of(id, '/job')));
    if (!isStill()) return;
    wasBusy = busy(job);
    draw(job);
    const name = more || (project.runs[0] || {}).name;
    if (name && !wasBusy) open(name);
    every(500, () => { if (wasBusy) look(); });
    if (!state.read_only) get(of(id, '/check')).then(({estimate: e}) => {
        if (isStill()) estimate.replaceChildren(...e ? [
            `About ${duration(e.seconds_on_one_core)}, ${size(e.memory_bytes)} of memory. `,
            why('How is it estimated?', 'app/what-the-numbers-say')] :
            ['There are mistakes to mend first.']);
    }).catch(failed);
}

