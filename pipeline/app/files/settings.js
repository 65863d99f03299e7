/* settings.js - the settings of a project, as a list with their help and as YAML, and how one key
 * of the YAML is read and changed: all else in it stays. */
'use strict';

/* The line of a key in YAML, and where a value stands in it. Only blocks, as people write them. */
const indentOf = line => line.search(/\S/);
const findKey = (lines, path) => {
    let from = 0, depth = -1, at = -1;
    for (const part of path.split('.')) {
        at = -1;
        let inner = -1;
        for (let i = from; i < lines.length; i++) {
            if (!/\S/.test(lines[i]) || /^\s*(#|---)/.test(lines[i])) continue;
            const indent = indentOf(lines[i]);
            if (indent <= depth) break;
            if (inner < 0) inner = indent;
            if (indent === inner && lines[i].slice(indent).match(/^["']?([\w.]+)["']?\s*:/)?.[1] ===
                part) {
                at = i;
                break;
            }
        }
        if (at < 0) return -1;
        depth = indentOf(lines[at]);
        from = at + 1;
    }
    return at;
};
const valueAt = RegExp('^(\\s*[^:]+:)(\\s*)((?:"(?:[^"\\\\]|\\\\.)*"|' + // before; quoted,
    "'(?:[^']|'')*'|\\[[^\\]]*\\]|[^#\\s](?:[^#]|\\S#)*?)?)" + // a list, plain
    '(\\s*(?:\\s#.*)?)$'); // a comment
const yamlValue = (text, path) => {
    const lines = text.split('\n'), at = findKey(lines, path);
    return at < 0 ? null : (lines[at].match(valueAt) || [])[3] ?? null;
};
/* Where the entry of a key ends, with all that belongs to it: before the next line that is not
 * deeper and is no item of its list. Comments and empty lines before that stay. */
const endOf = (lines, at) => {
    let end = at + 1;
    for (let i = end; i < lines.length; i++) {
        if (!/\S/.test(lines[i]) || /^\s*#/.test(lines[i])) continue;
        if (indentOf(lines[i]) < indentOf(lines[at]) + !/^\s*-( |$)/.test(lines[i])) break;
        end = i + 1;
    }
    return end;
};
/* The text with another value of a key, or null where the key is written in another manner. An
 * empty value takes the key out: then its default holds. */
const withValue = (text, path, value) => {
    const lines = text.split('\n'), at = findKey(lines, path);
    if (at >= 0) {
        const m = lines[at].match(valueAt), end = endOf(lines, at);
        if (value !== '' && (!m || end > at + 1 || /^[{|>&*[][^\]}]*$/.test(m[3]))) return null;
        if (value === '') lines.splice(at, end - at);
        else lines[at] = `${m[1]} ${value}${m[4]}`;
        return lines.join('\n');
    }
    if (value === '') return text;
    const parts = path.split('.'), name = parts.pop(), parent = parts.join('.');
    if (!parent) lines.splice(lines[lines.length - 1] === '' ? lines.length - 1 : lines.length, 0,
        `${name}: ${value}`);
    else {
        const up = findKey(lines, parent);
        if (up < 0) {
            const grown = withValue(text, parent, ' ');
            return grown && withValue(grown.replace(/[ \t]+$/gm, ''), path, value);
        }
        const m = lines[up].match(valueAt);
        if (m && m[3]) return null;
        const first = lines.slice(up + 1).find(l => /\S/.test(l) && !/^\s*#/.test(l)) || '';
        const deep = indentOf(lines[up]);
        const inner = indentOf(first) > deep ? indentOf(first) : deep + 2;
        lines.splice(up + 1, 0, `${' '.repeat(inner)}${name}: ${value}`);
    }
    return lines.join('\n');
};

/* The same, also where the key has a list or a block, which goes. Null where its section is written
 * in braces. */
const setKey = (text, path, value) => withValue(text, path, value) ??
    withValue(withValue(text, path, ''), path, value);

const GROUPS = {Words: /^(corpus|tokens|vocabulary|tensor)\./, Comparison:
    /^(cp|influence|parallels)\./, Report: /./}; // the first that holds a key has it

async function showSettings(id, more, isStill) {
    const [{text}, keys] = await Promise.all([get(of(id, '/yaml')), get('/api/keys')]);
    if (!isStill()) return;
    const list = keys.filter(({key}) => // the table of texts writes these
        !/^corpus\.(manifest|glob|library|root|target)$/.test(key));
    const yaml = make('textarea', {id: 'yaml', value: text, spellcheck: false, dir: 'ltr',
        readOnly: state.read_only});
    const messages = make('div', {id: 'messages', role: 'status'});
    const inputs = [];

    const check = async () => {
        const sent = yaml.value;
        try {
            const answer = await request('PUT', of(id, '/yaml'), {text: sent, save: true});
            if (yaml.value !== sent) return;
            const found = messagesIn(answer), errors = found.filter(m =>
                m.severity !== 'warning');
            messages.replaceChildren(messagesOf(found));
            [...messages.querySelectorAll('li')].forEach((li, i) => {
                if (found[i].line) li.append(' ', button(`Line ${found[i].line}`, () => {
                    const lines = yaml.value.split('\n');
                    const from = lines.slice(0, found[i].line - 1).join('\n').length + 1;
                    yaml.focus();
                    yaml.setSelectionRange(from, from + (lines[found[i].line - 1] || '').length);
                }));
            });
            yaml.setAttribute('aria-invalid', errors.length > 0);
            say(errors.length ? 'Not saved: ' + counted(errors.length, 'mistake') + '.' : 'Saved.',
                errors.length > 0);
            next(errors.length ? 'Mend what is listed below the file; the last right settings ' +
                'stay kept.' : 'The settings are kept. Go on to Compare.');
        } catch (error) {
            failed(error);
        }
    };
    const checkSoon = settled(300, check);
    const readBack = (at = document.activeElement) => inputs.forEach(({key, input, line}) => {
        const value = yamlValue(yaml.value, key.key);
        const plain = (value || '').replace(/^(["'])(.*)\1$/, '$2');
        if (at !== input) input.value = plain;
        line.classList.toggle('long', plain.length > 22);
        line.classList.toggle('set', value !== null && value !== '');
    });
    yaml.addEventListener('input', () => {
        readBack();
        checkSoon();
    });

    const lineOf = key => {
        const choices = key.choices.length && !/list/.test(key.kind) ? key.choices : null;
        const kept = /^(null|"")$/.test(key.default ?? '') ? 'none' : String(key.default);
        const input = choices ? make('select', {}, make('option', {value: '', textContent:
            `${kept} (default)`}), ...choices.map(({name, help}) => make('option', {value: name,
            textContent: help ? `${name}: ${help}` : name}))) :
            make('input', {type: 'text', placeholder: kept});
        input.id = `key-${key.key}`;
        input.disabled = state.read_only;
        const line = make('div', {className: 'setting', id: `line-${key.key}`},
            make('label', {htmlFor: input.id, textContent: key.key}), input,
            make('small', {id: `help-${key.key}`, textContent: key.help.replace(/`/g, '') +
                `. Default: ${kept}`}));
        input.setAttribute('aria-describedby', `help-${key.key}`);
        input.addEventListener('change', () => {
            const changed = withValue(yaml.value, key.key, input.value.trim());
            if (changed === null) say(`${key.key} is written in another manner in the file: ` +
                'change it there.', true);
            else {
                yaml.value = changed;
                checkSoon();
            }
            readBack();
        });
        inputs.push({key, input, line});
        return line;
    };
    const groups = Object.entries(GROUPS).map(([name, keysOf], i) => make('details', {className:
        'group', open: i === 0}, make('summary', {}, make('h2', {textContent: name})),
    ...list.filter(({key}) => Object.values(GROUPS).find(g => g.test(key)) === keysOf).map(
        lineOf)));
    const find = make('input', {type: 'search', id: 'find-key'});
    find.addEventListener('input', () => {
        const wanted = find.value.trim().toLowerCase();
        inputs.forEach(({key, line}) => {
            line.hidden = !!wanted && !`${key.key} ${key.help}`.toLowerCase().includes(wanted);
        });
        groups.forEach((g, i) => {
            g.open = wanted ? !!g.querySelector('.setting:not([hidden])') : i === 0;
        });
    });
    readBack();
    next('Most need no change. A setting that you change is checked and kept at once.');
    element('main').replaceChildren(...heading('Settings'),
        make('div', {className: 'tools'}, make('label', {htmlFor: 'find-key', textContent:
            'Find a setting'}), find),
        make('div', {className: 'two'}, make('div', {}, ...groups), make('div', {className: 'file'},
            make('h2', {}, make('label', {htmlFor: 'yaml', textContent: 'experiment.yaml'})),
            make('p', {className: 'note', textContent: 'The same settings, as the command line ' +
                'reads them. What you change on either side changes on the other.'}),
            yaml, messages)));
    if (more) element(`key-${more}`)?.focus();
}

