// check_questions.js - three questions that a historian asks of many texts, each answered in fewer
// than five clicks from the first page: who quotes whom at length, what does one text take from
// another, and which passages travel furthest. To choose from a list is two clicks.
'use strict';
const assert = require('assert');
const {visit, eventually} = require('./browser');

// A reader who counts clicks.
function readerOf(page) {
    const reader = {
        clicks: 0,
        click: async selector => {
            reader.clicks++;
            const [at] = await page.$$(selector);
            assert.ok(at, `nothing to click: ${selector}`);
            await at.evaluate(e => e.scrollIntoView({block: 'center'}));
            await at.click();
        },
        choose: async (name, value) => {
            reader.clicks += 2;
            assert.deepStrictEqual(await page.select(`#finds-${name}`, value), [value]);
            await page.$eval(`#finds-${name}`, e => e.dispatchEvent(new Event('input')));
        }
    };
    return reader;
}

const finds = page => page.$$eval('.finds > li', list => list.map(li => ({
    words: parseInt(li.querySelector('.measures b').textContent, 10),
    years: parseInt((li.querySelector('.measures').textContent.match(/(\d+) years? betw/) || [])[1],
                    10),
    places: li.querySelector('.places').textContent,
    text: li.querySelector('blockquote').textContent
})));

module.exports = async (check, browser, {runs}) => {
    const file = runs.find(run => run.name === 'many').pages.first[0];
    const ask = (question, work) => check(`questions: ${question}`, () =>
        visit(browser, file, {}, async page => {
            await page.waitForSelector('#finds-order');
            const reader = readerOf(page);
            await work(page, reader);
            assert.ok(reader.clicks < 5, `${reader.clicks} clicks`);
        }));

    await ask('who quotes whom at length', async (page, reader) => {
        const said = await page.$eval('.finds', e => e.textContent);
        assert.match(said, /lamp of the northern tower/); // without a click
        await reader.choose('who', 'other');
        await reader.choose('order', 'words');
        await eventually(async () => {
            const found = await finds(page);
            const tower = found.find(f => /northern tower/.test(f.text));
            assert.ok(tower, 'the planted passage is found');
            assert.match(tower.places, /harbour 3,/);
            assert.ok(found.every((f, i) => i === 0 || f.words <= found[i - 1].words));
            const own = found.filter(f => /harbour 12,.*harbour 2,/.test(f.places));
            assert.strictEqual(own.length, 0, 'the same author is left out');
        });
    });

    await ask('what does one text take from another', async (page, reader) => {
        const at = await page.$$eval('.finds > li', list => list.findIndex(
            li => /harbour 12,.*harbour 2,/.test(li.querySelector('.places').textContent)));
        assert.ok(at >= 0);
        await reader.click(`.finds > li:nth-child(${at + 1}) a[href^="#finds?"]`);
        await page.waitForFunction(() => document.querySelector('#finds-source').value);
        await eventually(async () => {
            const found = await finds(page);
            assert.ok(found.length >= 5, `${found.length} finds`);
            assert.ok(found.every(f => /harbour 12,.*harbour 2,/.test(f.places)));
        });
        const words = '.finds > li:first-child .places a[href*="read/text12.html#w"]';
        await reader.click(words);
        await eventually(async () => { // the source stands beside the text
            const beside = await page.$eval('.places article.on', e => e.innerText);
            const marked = await page.$eval('main a.on', e => e.innerText);
            assert.ok(beside.replace(/\s+/g, ' ').includes(marked.replace(/\s+/g, ' ')), beside);
        });
    });

    await ask('which passages travel furthest', async (page, reader) => {
        await reader.choose('order', 'years');
        await eventually(async () => {
            const found = await finds(page), years = found.map(f => f.years || 0);
            assert.deepStrictEqual(years, years.slice().sort((a, b) => b - a));
            assert.strictEqual(years[0], Math.max(...years));
            assert.ok(years[0] >= 110, `${years[0]} years`);
        });
        await page.waitForSelector('.finds > li:first-child .pair > :last-child mark');
    });
};
