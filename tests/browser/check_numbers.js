// check_numbers.js - of a pair, everything says the same: the pages, influence.csv, influence.json,
// results.sqlite, explain, cite and Python.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {execFileSync, spawnSync} = require('child_process');
const {visit} = require('./browser');

// The rows of the table of shares, and of the documents, of the database and of the package.
const script = `
import json, sqlite3, sys
sys.path.insert(0, sys.argv[2])
import tributary
db = sqlite3.connect(sys.argv[1] + '/results.sqlite')
names = ('target', 'source', 'method', 'share', 'low', 'high')
table = tributary.open(sys.argv[1]).shares('all')
print(json.dumps([
    list(db.execute('SELECT %s FROM shares' % ', '.join(names))),
    list(zip(*([None if value != value else value for value in map(
        lambda v: v.item() if hasattr(v, 'item') else v, table[name])] for name in names)))]))`;

const number = text => +text.replace(/[\s\u202f]/g, '');

// What a page says of the words of a pair: the number, and the line in which it stands.
const held = (browser, file, pair) => visit(browser, file, {}, page => page.$$eval(
    `[data-held="${pair}"]`, all => all.map(e => [e.textContent,
        e.closest('p,li').textContent.replace(/[\s\u202f]+/g, ' ')])));

module.exports = async (check, browser, {runs}, program) => {
    const {folder} = runs.find(r => r.name === 'numbers');
    const said = (...words) => execFileSync(program, words, {encoding: 'utf8'});
    const json = JSON.parse(fs.readFileSync(path.join(folder, 'influence.json'), 'utf8'));
    const csv = fs.readFileSync(path.join(folder, 'influence.csv'), 'utf8').trim().split('\n');
    const rows = csv.slice(1).map(line => line.split(',')).map(r =>
        [...r.slice(0, 3), ...r.slice(3, 6).map(n => n === '' ? null : +n)]);
    const sorted = list => list.map(r => JSON.stringify(r)).sort();
    const ofPair = (t, s, method) => rows.find(r => r[0] === t && r[1] === s && r[2] === method);

    await check('numbers: the tables, the database, JSON and Python hold the same rows', () => {
        const packages = path.join(__dirname, '../../bindings/python');
        const interpreter = ['python3', '/usr/bin/python3'].find(name => spawnSync(name,
            ['-c', 'import numpy']).status === 0); // the first python3 may be a user's own
        const [database, python] = JSON.parse(execFileSync(interpreter, ['-c', script, folder,
            packages], {encoding: 'utf8', env: {...process.env, TRIBUTARY: program}}));
        const inJson = json.targets.flatMap(t => Object.entries(t.methods).flatMap(([name, m]) =>
            m.shares.map(s => [t.target, s.source, name, s.share, s.low ?? null,
                s.high ?? null])));
        assert.deepStrictEqual(sorted(database), sorted(rows));
        assert.deepStrictEqual(sorted(python), sorted(rows));
        const texts = rows.filter(r => r[1] !== 'author' && r[1] !== 'formula');
        assert.deepStrictEqual(sorted(inJson), sorted(texts));
    });

    await check('numbers: the row of each target adds up to 100 %', () =>
        visit(browser, path.join(folder, 'report.html'), {}, async page => {
            const sums = await page.$$eval('table.wholes', ([table]) => {
                const heads = [...table.tHead.rows[0].cells].map(c => c.textContent);
                const parts = ['All sources', 'Author', 'Below the floor', 'Formulas'];
                return [...table.tBodies[0].rows].map(row => [...row.cells].reduce((sum, c, i) =>
                    sum + (parts.includes(heads[i]) ? parseFloat(c.textContent) : 0), 0));
            });
            assert.strictEqual(sums.length, 2);
            for (const sum of sums) assert.strictEqual(sum.toFixed(1), '100.0');
        }));

    const cited = said('cite', folder);
    for (const [target, source] of [['mint', 'kiln'], ['mint', 'loom'], ['quay', 'loom'],
        ['quay', 'mint']])
        await check(`numbers: pages, explain and cite say the same of ${target} and ${source}`,
            async () => {
                const pair = `${target} ${source}`, of = id => json.documents.find(
                    d => d.id === id);
                const [, , , share, low, high] = ofPair(target, source, 'extent');
                const words = Math.round(share * of(target).words);
                const same = Math.round(ofPair(target, source, 'verbatim')[3] * of(target).words);
                const [from, to] = [low, high].map(n => (100 * n).toFixed(1));
                let percent = '';
                for (const page of ['report.html', `targets/${target}.html`,
                    `read/${target}.html`]) {
                    const all = await held(browser, path.join(folder, page), pair);
                    assert.ok(all.length > 0, page);
                    for (const [n, line] of all) {
                        assert.strictEqual(number(n), words, page);
                        const part = new RegExp(n.replace(/\s/g, ' ') +
                            `\\D+([\\d.]+) %,? (?:90 % interval )?${from} % to ${to} %`);
                        assert.match(line, part, page);
                        percent = percent || part.exec(line)[1];
                        assert.strictEqual(part.exec(line)[1], percent, page);
                        assert.match(line, new RegExp(`\\b${same} of them word for word`),
                                     page);
                    }
                }
                assert.ok(Math.abs(percent - 100 * share) <= .1, percent);
                const line = new RegExp(`\\b${words} (?:of \\d+ words )?\\(${percent} %, ` +
                    `(?:90 % interval )?${from} to ${to}\\) (?:stand in passages shared )?with ` +
                    `${of(source).title}, ${same} of them word for word`);
                const told = said('explain', folder, '--target', target).replace(/\s+/g, ' ');
                assert.match(told, line);
                assert.match(cited, new RegExp(
                    `${of(source).title} ${(percent / 100).toFixed(3)} \\(90 % interval ` +
                    `${low.toFixed(3)} to ${high.toFixed(3)}; ${words} words, ${same} of them ` +
                    'word for word\\)'));
            });
};
