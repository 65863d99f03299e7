// check_tables.js - a click on a heading of a table of numbers sorts it; the search field of the
// evidence hides what does not match.
'use strict';
const assert = require('assert');
const {visit, eventually} = require('./browser');

const shownRows = page => page.$$eval('table.numbers', (tables, least) => {
    const table = tables.find(t => t.tBodies[0] && t.tBodies[0].rows.length >= least);
    return [...table.tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent.trim()));
}, 3);

module.exports = async (check, browser, {runs}) => {
    const report = runs.find(run => run.name === 'carrow-bay').pages.first[0];
    for (const [key, keys] of [['a click', null], ['the keyboard', 'Enter']])
        await check(`tables: ${key} sorts by a column, and again the other way`, () =>
            visit(browser, report, {}, async page => {
                const before = await shownRows(page);
                const press = () => page.evaluateHandle(() => {
                    const table = [...document.querySelectorAll('table.numbers')]
                        .find(t => t.tBodies[0] && t.tBodies[0].rows.length >= 3);
                    return [...table.querySelectorAll('button.sort')].pop();
                }).then(b => keys ? b.focus().then(() => page.keyboard.press(keys)) : b.click());
                const lastColumn = rows => rows.map(
                    r => parseFloat(r[r.length - 1].replace(/[^\d.]/g, ''))).filter(n => !isNaN(n));
                await press();
                const down = await eventually(async () => {
                    const rows = await shownRows(page), numbers = lastColumn(rows);
                    assert.deepStrictEqual(numbers, numbers.slice().sort((a, b) => b - a));
                    return rows;
                });
                await press();
                await eventually(async () => {
                    const up = await shownRows(page);
                    assert.deepStrictEqual(up.slice().sort(), before.slice().sort());
                    assert.notDeepStrictEqual(up, down);
                });
            }));
    await check('tables: words typed above the evidence hide what lacks them', () =>
        visit(browser, report, {}, async page => {
            await page.type('#find', 'lamp');
            await eventually(async () => {
                const shown = await page.$$eval(
                    '#evidence table.phrases tbody tr, #evidence .passages li',
                    items => items.filter(i => !i.hidden).map(i => i.textContent.toLowerCase()));
                assert.ok(shown.length > 0);
                assert.deepStrictEqual(shown.filter(text => !text.includes('lamp')), []);
            });
        }));
};
