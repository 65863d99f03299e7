// check_curation.js - what is rejected or left out is left out of the numbers of every page.
'use strict';
const path = require('path'), assert = require('assert');
const {visit, eventually} = require('./browser');

// The number of the first element with this attribute.
const number = (page, attribute) => page.$eval(`[${attribute}]`,
    e => parseFloat(e.textContent.replace(/[\s\u202f]/g, '')));

const judgements = (page, value) => page.evaluate(
    text => window.tributary_judgements.set(text), JSON.stringify(value));

module.exports = async (check, browser, {runs}) => {
    const run = runs.find(r => r.name === 'many'), first = run.pages.first[0];
    const page = name => path.join(run.folder, name);
    const pair = `${run.target} ${run.source}`, own = `data-share="${run.target} -"`;
    const shares = `td[data-share="${pair}"],b[data-share="${pair}"]`;

    // Whatever the page, its share is nothing without the text.
    const isGone = async opened => {
        await opened.waitForSelector('.recomputed');
        const left = await opened.$$eval(shares, all => all.map(e => parseFloat(e.textContent)));
        assert.ok(left.length > 0);
        assert.deepStrictEqual(left.filter(n => n !== 0), []);
        const says = await opened.$eval('.curated', e => e.textContent);
        assert.match(says, /by AB\..*Left out: Notes/);
    };

    for (const name of ['report.html', `targets/${run.target}.html`])
        await check(`curation: ${name} is without a text that is left out`, () =>
            visit(browser, page(name), {}, async opened => {
                await opened.waitForSelector(name === 'report.html' ? '#finds-order' : '.answer');
                const before = await number(opened, own);
                const share = await number(opened, `data-share="${pair}"`);
                await judgements(opened, {by: 'AB', out: {texts: [run.source], kinds: []}});
                await eventually(() => isGone(opened));
                const after = await number(opened, own);
                assert.ok(Math.abs(after - before - share) < 0.11, `${before} ${share} ${after}`);
                await judgements(opened, {});
                await eventually(async () =>
                    assert.strictEqual(await number(opened, own), before));
                assert.ok(await opened.$eval('.curated', e => e.hidden));
            }));

    await check('curation: a reading page is without a passage that is rejected', () =>
        visit(browser, page('read/text12.html'), {}, async opened => {
            const counts = () => opened.$$eval('.sources li:first-child [data-held],' +
                '.sources li:first-child [data-count]', all => all.map(e => +e.textContent));
            const [words, passages] = await counts();
            const key = await opened.$eval('.places [data-key]', e => e.dataset.key);
            await judgements(opened, {own: {[key]: ['rejected', '', '']}});
            await eventually(async () => {
                const [w, p] = await counts();
                assert.ok(w < words && p === passages - 1, `${w} ${p}`);
            });
            assert.ok((await opened.$$('main a.out')).length > 0);
        }));

    await check('curation: a kind is left out by its box, and the program around hears of it', () =>
        visit(browser, first, {}, async opened => {
            await opened.waitForSelector('.leaving');
            await opened.evaluate(() => {
                document.addEventListener('judged', e => { window.told = JSON.parse(e.detail); });
                [...document.querySelectorAll('.leaving label')].find(
                    e => e.textContent.includes('Short')).querySelector('input').click();
                document.getElementById('finds-judged').value = 'out';
                document.getElementById('finds-judged').dispatchEvent(new Event('input'));
            });
            const words = () => opened.$$eval('.finds > li .measures b',
                all => all.map(e => parseInt(e.textContent, 10)));
            const all = await eventually(words);
            assert.ok(all.every(n => n < 8), all.join(' '));
            assert.deepStrictEqual(await opened.evaluate(() => window.told.out.kinds), ['short']);
        }));

    await check('curation: a find is found by its tag', () =>
        visit(browser, first, {}, async opened => {
            await opened.waitForSelector('#finds-tag');
            const id = await opened.$eval('.finds > li', e => e.id);
            await opened.type('.finds > li .judge label:nth-of-type(2) input', 'weather, key');
            await opened.keyboard.press('Enter');
            await opened.evaluate(() => {
                document.getElementById('finds-tag').value = 'key';
                document.getElementById('finds-tag').dispatchEvent(new Event('input'));
            });
            await eventually(async () => assert.deepStrictEqual(
                await opened.$$eval('.finds > li', list => list.map(li => li.id)), [id]));
        }));
};
