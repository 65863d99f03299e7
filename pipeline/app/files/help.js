/* help.js - the documents of the program as pages, made from the Markdown that they are written in:
 * headings, paragraphs, lists, tables, code, links and pictures by their names. Text stays text. */
'use strict';

const DOCUMENTS = {app: 'The application', interpretation: 'What a share means',
    tutorial: 'From a folder of texts to a sentence in a paper'};
const anchorOf = text => text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');

/* Code, a picture, a link, emphasis. */
const SPANS = RegExp('`([^`]+)`|!\\[([^\\]]*)\\]\\([^)]*\\)|' +
    '\\[((?:`[^`]*`|[^\\]])+)\\]\\(([^)]+)\\)|(\\*\\*?)(?=\\S)(.+?)\\5', 'g');

/* A line of text with its code, links and emphasis. */
function spans(text, name) {
    const parts = [];
    const linkTo = (label, to) => {
        const [, file, anchor] = /^([^#]*)#?(.*)$/.exec(to), other = file.replace(/\.md$/, '');
        const href = /^https?:/.test(to) ? to : !file || DOCUMENTS[other] ?
            `#/help/${other || name}${anchor ? `/${anchor}` : ''}` : null;
        return href ? make('a', {href, ...href === to ? {target: '_blank', rel: 'noreferrer'} : {}},
            ...spans(label, name)) : make('span', {title: `docs/${to}, beside the program`},
            ...spans(label, name));
    };
    let at = 0;
    for (const m of text.matchAll(SPANS)) {
        const [all, code, picture, label, to, stars, strong] = m;
        parts.push(text.slice(at, m.index), code !== undefined ? make('code', {textContent: code}) :
            picture !== undefined ? make('em', {className: 'note', textContent:
                `Picture: ${picture}`}) : label !== undefined ? linkTo(label, to) :
                make(stars === '*' ? 'em' : 'strong', {}, ...spans(strong, name)));
        at = m.index + all.length;
    }
    return [...parts, text.slice(at)].filter(x => x);
}

/* Blocks, each from its first line to its last. */
function blocks(text, name) {
    const lines = text.split('\n'), made = [];
    const cells = line => line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map(c => c.trim());
    const isItem = line => /^(\*|-|\d+\.) /.test(line);
    const take = test => {
        const from = i;
        while (i < lines.length && test(lines[i], i - from)) i++;
        return lines.slice(from, i);
    };
    let i = 0;
    while (i < lines.length) {
        const line = lines[i], head = /^(#+) (.*)/.exec(line);
        if (!line.trim()) i++;
        else if (head) {
            made.push(make(`h${head[1].length}`, {id: anchorOf(head[2]), tabIndex: -1},
                ...spans(head[2], name)));
            i++;
        } else if (/^```/.test(line)) {
            const code = take((one, k) => !k || !/^```/.test(one)).slice(1);
            made.push(make('pre', {tabIndex: 0}, make('code', {textContent: code.join('\n')})));
            i++;
        } else if (/^\|/.test(line)) {
            const [first, , ...rest] = take(one => /^\|/.test(one)).map(cells);
            const row = (kind, all) => make('tr', {}, ...all.map(c => make(kind, {},
                ...spans(c, name))));
            made.push(make('div', {className: 'scroll', tabIndex: 0}, make('table', {}, make(
                'thead', {}, row('th', first)), make('tbody', {}, ...rest.map(all => row('td',
                all))))));
        } else if (isItem(line)) {
            const list = make(/^\d/.test(line) ? 'ol' : 'ul');
            while (i < lines.length && isItem(lines[i])) {
                const item = take((one, k) => !k || /^ +\S/.test(one));
                list.append(make('li', {}, ...spans(item.map(one => one.replace(
                    /^((\*|-|\d+\.) | +)/, '')).join(' '), name)));
                while (i + 1 < lines.length && !lines[i].trim() && isItem(lines[i + 1])) i++;
            }
            made.push(list);
        } else made.push(make('p', {}, ...spans(take((one, k) => !k || one.trim() &&
            !/^(#|```|\||(\*|-|\d+\.) )/.test(one)).join(' '), name)));
    }
    return made;
}

async function showHelp(name, anchor, isStill) {
    const answer = await fetch(`/help/${encodeURIComponent(name)}`, {cache: 'no-store'});
    if (!answer.ok) throw new Error('There is no such page of help.');
    const text = await answer.text();
    if (!isStill()) return;
    next('Read, then close this page, or go back to the one that you came from.');
    element('main').replaceChildren(make('nav', {className: 'tools', 'aria-label': 'Help'},
        ...Object.entries(DOCUMENTS).map(([to, title]) => make('a', {href: `#/help/${to}`,
            textContent: title, ...to === name ? {'aria-current': 'page'} : {}}))),
    make('article', {className: 'help'}, ...blocks(text, name)));
    const place = anchor ? element(anchor) : null;
    place?.scrollIntoView();
    place?.focus({preventScroll: true});
}
/* A link to the explanation of a number, in a page of its own. */
const why = (text, to) => make('a', {href: `#/help/${to}`, target: '_blank', className: 'why',
    textContent: text});
