// runs.js - makes the reports that the checks open.
'use strict';
const fs = require('fs'), os = require('os'), path = require('path');
const {execFile} = require('child_process');
const corpora = require('./corpora'), numbers = require('./corpus_numbers');
const translated = require('./translated');

const root = path.join(__dirname, '../..');

function execute(program, words, folder) {
    return new Promise((resolve, reject) => {
        const env = Object.assign({OMP_WAIT_POLICY: 'passive'}, process.env);
        execFile(program, words, {cwd: folder, env}, (error, out, said) => {
            if (error) reject(new Error(`tributary ${words.join(' ')}: ${said.slice(-500)}`));
            else resolve();
        });
    });
}

// The pages of a report, by their kind: {first: [...], targets: [...], read: [...]}; the largest
// of a kind comes first.
function pagesOf(folder) {
    const kinds = {first: []};
    const size = file => fs.statSync(file).size;
    for (const entry of fs.readdirSync(folder, {withFileTypes: true})) {
        const at = path.join(folder, entry.name);
        if (entry.name.endsWith('.html')) kinds.first.push(at);
        else if (entry.isDirectory()) {
            const inside = fs.readdirSync(at).filter(f => f.endsWith('.html'));
            if (inside.length) kinds[entry.name] = inside.map(f => path.join(at, f));
        }
    }
    for (const list of Object.values(kinds)) list.sort((a, b) => size(b) - size(a));
    return kinds;
}

async function makeOne(program, folder, corpus) {
    fs.mkdirSync(path.join(folder, 'texts'), {recursive: true});
    for (const [name, text] of Object.entries(corpus.texts))
        fs.writeFileSync(path.join(folder, 'texts', name), text);
    const file = path.join(folder, 'experiment.yaml');
    fs.writeFileSync(file, JSON.stringify(corpus.config, null, 1)); // JSON is YAML
    await execute(program, ['run', file], folder);
    return path.join(folder, 'run');
}

// The corpora of this repository: the small one that `tributary init` writes, and the gospels when
// corpora/obtain has written them.
function own(program, folder) {
    const made = [{
        name: 'carrow-bay',
        passage: null,
        target: 'guide',
        make: async () => {
            await execute(program, ['init', 'bay'], folder);
            await execute(program, ['run', 'bay/experiment.yaml', '-o', 'bay/run'], folder);
            return path.join(folder, 'bay/run');
        }
    }];
    if (fs.existsSync(path.join(root, 'corpora/texts/gospels/luke.txt')))
        made.push({
            name: 'gospels',
            passage: null,
            target: 'luke',
            make: async () => {
                const config = path.join(root, 'configs/gospels.yaml');
                await execute(program, ['run', config, '-o', 'gospels'], folder);
                return path.join(folder, 'gospels');
            }
        });
    return made;
}

// Runs all experiments below a new folder, two at a time. Returns {folder, runs: [{name, target,
// source, passage, folder, pages}]}.
exports.make = async (program, wanted) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tributary-browser-'));
    const texts = [numbers(), ...corpora.all(), translated.corpus];
    const made = texts.map(corpus => Object.assign(corpus, {
        make: () => makeOne(program, path.join(folder, corpus.name), corpus)
    }));
    const queue = own(program, folder).concat(made);
    const runs = queue.slice();
    const work = async () => {
        for (let run = queue.shift(); run; run = queue.shift()) {
            run.folder = await run.make();
            run.pages = pagesOf(run.folder);
        }
    };
    await Promise.all([work(), work()]);
    return {folder, runs};
};

exports.remove = folder => fs.rmSync(folder, {recursive: true, force: true});
