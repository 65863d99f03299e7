/* project.js - what the pages of a project share, and the page of questions to its texts. Each page
 * (texts.js, settings.js, run.js) is a function that fills #main; `leaving` undoes what must not
 * go on when another page is shown. What the program says is shown in its own words. */
'use strict';

let project = null, leaving = [];
const leave = () => {
    leaving.forEach(f => f());
    leaving = [];
};
const every = (ms, work) => {
    const timer = setInterval(work, ms);
    leaving.push(() => clearInterval(timer));
};
/* Calls `work` when nothing was typed for a moment. */
const settled = (ms, work) => {
    let timer = 0;
    const call = () => {
        clearTimeout(timer);
        timer = setTimeout(work, ms);
    };
    leaving.push(() => clearTimeout(timer));
    return call;
};
/* Other pages of this browser that show the same project. */
const others = new BroadcastChannel('tributary');

const heading = (text, ...more) => [make('h1', {textContent: text, dir: 'auto'}),
    make('p', {id: 'said', className: 'said', role: 'status'}), ...more];
const messagesOf = messages => make('ul', {className: 'messages'}, ...messages.map(m => make('li', {
    className: m.severity === 'warning' ? 'warning' : 'wrong', dir: 'auto',
    textContent: typeof m === 'string' ? m : m.text})));

async function readProject(id) {
    project = await get(of(id, ''));
    project.runs = project.runs.filter(r => r.report).sort((a, b) => (b.time || 0) - (a.time || 0));
}
async function showProject(id, name, more, isStill) {
    await readProject(id);
    if (isStill()) await pages[name](id, more, isStill);
}

/* ---- Ask ---- */
const wordRuns = text => [...text.matchAll(/[\p{L}\p{N}\p{M}'\u2019]+/gu)];

/* A passage, with the words that a place holds marked in its colour. */
function marked(text, runs) {
    const words = wordRuns(text), isIn = new Set();
    runs.forEach(([from, , n]) => { for (let i = 0; i < n; i++) isIn.add(from + i); });
    const p = make('p', {className: 'passage', dir: 'auto'});
    let at = 0;
    words.forEach((w, i) => {
        if (!isIn.has(i + 1)) return;
        const end = isIn.has(i + 2) && words[i + 1] ? words[i + 1].index : w.index + w[0].length;
        p.append(text.slice(at, w.index), make('mark', {textContent: text.slice(w.index, end)}));
        at = end;
    });
    p.append(text.slice(at));
    return p;
}
const cite = (...parts) => parts.filter(x => x).join(', ');

async function showAsk(id, more, isStill) {
    const area = make('textarea', {id: 'passage', rows: 5, dir: 'auto', value: more});
    const found = make('div', {id: 'found'});
    const kind = make('select', {id: 'ask-kind'}, ...[['', 'by its length'], ['passage',
        'as a passage'], ['word', 'as a word or phrase']].map(([value, textContent]) =>
        make('option', {value, textContent})));
    let asked = 0;

    const passages = (text, answer) => {
        const list = answer.found || [];
        say(list.length ? `${counted(list.length, 'place')} with words of it.` :
            'No text of this project holds words of it.');
        const holds = list.map((f, i) => make('li', {className: `s${i % 8 + 1}`},
            make('h2', {}, make('span', {className: 'k', textContent: i + 1}), ' ', make('bdi', {
                textContent: cite(f.author, f.title || f.id, f.date)})),
            make('p', {className: 'note'}, why(`${f.equal} of ${answer.words} words`,
                'app/what-the-numbers-say'), cite('', f.reference || (f.line ? ` line ${f.line}` :
                ''))),
            make('div', {className: 'two'}, marked(text, f.runs || []),
                make('blockquote', {dir: 'auto', textContent: f.text}))));
        const often = (answer.frequent || []).length;
        found.replaceChildren(make('ol', {className: 'answers-of'}, ...holds), ...often ? [make('p',
            {className: 'note', textContent: `${counted(often, 'phrase')} of it stand in so many ` +
                'places that they are not listed.'})] : []);
    };
    const places = answer => {
        const texts = (answer.documents || []).filter(d => d.hits.length);
        const n = texts.reduce((sum, d) => sum + d.hits.length, 0);
        say(n ? `${counted(n, 'place')} in ${counted(texts.length, 'text')}.` :
            'It stands in no text of this project.');
        const line = h => make('li', {dir: 'auto'}, make('span', {className: 'before', textContent:
            h.before}), make('mark', {textContent: h.keyword}), make('span', {className: 'after',
            textContent: h.after}), make('small', {textContent: ` ${h.reference || ''}`}));
        /* The first of a list, and a button that shows the others. */
        const some = (list, most, made, what) => [...list.slice(0, most).map(made),
            ...list.length > most ? [make(what === 'place' ? 'li' : 'p', {}, button('Show all ' +
                counted(list.length, what), e => e.target.parentNode.replaceWith(...list.slice(most)
                .map(made))))] : []];
        found.replaceChildren(...some(texts, 30, d => make('section', {}, make('h2', {dir: 'auto',
            textContent: `${d.title || d.id} (${d.hits.length})`}), make('ul', {className: 'kwic'},
            ...some(d.hits, 20, line, 'place'))), 'text'));
    };
    const ask = async () => {
        const text = area.value.trim(), mine = ++asked;
        if (!text) return void found.replaceChildren();
        const how = kind.value || (wordRuns(text).length > 6 ? 'passage' : 'word');
        try {
            const answer = await post(of(id, '/ask'), {text, kind: how});
            if (mine !== asked || !isStill()) return;
            if (how === 'passage') passages(text, answer);
            else places(answer);
        } catch (error) {
            if (mine === asked) failed(error);
        }
        found.dataset.asked = text;
    };
    const askSoon = settled(300, ask);
    area.addEventListener('input', askSoon);
    kind.addEventListener('change', ask);
    next('Paste a passage, or write a word: the texts that hold it are shown below.');
    element('main').replaceChildren(...heading('Ask the texts'), make('p', {}, make('label', {
        htmlFor: 'passage', textContent: 'A passage, a paragraph of yours, a word or a phrase'})),
    area, make('p', {className: 'tools'}, make('label', {htmlFor: 'ask-kind', textContent:
        'Look it up'}), kind, button('Ask', ask, {className: 'main'})), found);
    area.focus();
    if (more) await ask();
}

const pages = {texts: showTexts, settings: showSettings, run: showRun, ask: showAsk};
