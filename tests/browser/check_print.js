// check_print.js - pages on paper: no page of zeros, no figure that is cut at the end of a page,
// and the passages that were accepted with their places.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {execFileSync} = require('child_process');
const {visit, change} = require('./browser');

// A CSV that accepts the first finds of a report.
function judgements(folder, n) {
    const text = fs.readFileSync(path.join(folder, 'targets/finds.js'), 'utf8');
    const {texts, finds} = JSON.parse(text.slice(text.indexOf('=') + 1).trim().replace(/;$/, ''));
    const rows = finds.slice(0, n).map(f => [
        texts[f[1]][0], texts[f[2]][0], f[6], f[6] + f[7] - 1, f[8], f[8] + f[9] - 1, 'accepted',
        'seen'
    ].join(','));
    const head = 'target,source,target_first,target_last,source_first,source_last,judgement,note';
    return [head, ...rows].join('\n') + '\n';
}

// Prints a page; returns the words of each sheet.
async function print(browser, file, format, pdf) {
    await visit(browser, file, {}, async page => {
        await page.waitForSelector('#finds-order, body:not(:has(#finds-list))');
        await change(page, {media: 'print'});
        await page.pdf({path: pdf, format});
    });
    return execFileSync('pdftotext', ['-layout', pdf, '-'], {encoding: 'utf8'})
        .split('\f').slice(0, -1);
}

// Elements that would be cut: figures higher than a sheet, with the width of what is printed.
const tooHigh = (browser, file, width, height) => visit(
    browser, file, {width, media: 'print'}, page => page.evaluate(most => [
        ...document.querySelectorAll('figure, svg, .match, .plot')
    ].filter(e => getComputedStyle(e).breakInside === 'avoid' || e.localName === 'svg')
        .map(e => [e.className.baseVal || e.className, e.getBoundingClientRect().height])
        .filter(([, height]) => height > most), height));

// A sheet of zeros and dashes has hardly another word.
function isOfZeros(sheet) {
    const words = sheet.split(/\s+/).filter(w => w);
    return words.length > 20 &&
        words.filter(w => /^([0.,%<–-]|0\.\d)+$/.test(w)).length > words.length / 2;
}

module.exports = async (check, browser, {runs, folder}, program) => {
    const many = runs.find(run => run.name === 'many');
    const csv = path.join(folder, 'accepted.csv'), pdf = path.join(folder, 'print.pdf');
    fs.writeFileSync(csv, judgements(many.folder, 3));
    if (check.isWanted('print: '))
        execFileSync(program, ['report', many.folder, '--judgements', csv], {stdio: 'pipe'});
    const accepted = path.join(many.folder, 'report-accepted.html');
    const height = {A4: 1000, Letter: 930}; // pixels of CSS between the margins
    for (const format of ['A4', 'Letter']) {
        await check(`print: what was accepted, on ${format}, with its places`, async () => {
            const sheets = await print(browser, accepted, format, pdf), all = sheets.join(' ')
                .replace(/\s+/g, ' ');
            for (const said of ['3 were accepted', 'Note: seen', 'northern tower', 'words 645'])
                assert.ok(all.includes(said), `not printed: ${said}`);
            assert.ok(sheets.length < 20, `${sheets.length} sheets`);
            assert.ok(!/Save judgements|Clear the|More filters/.test(all), 'tools are not printed');
            sheets.forEach((sheet, i) => assert.ok(!isOfZeros(sheet), `sheet ${i + 1}: ${sheet}`));
        });
        for (const run of runs.filter(r => ['many', 'carrow-bay', 'gospels'].includes(r.name)))
            await check(`print: ${run.name} on ${format}: no sheet of zeros, no figure is cut`,
                        async () => {
                const file = run.pages.first.find(f => /report\.html$/.test(f));
                const sheets = await print(browser, file, format, pdf);
                assert.ok(sheets.length < 80, `${sheets.length} sheets`);
                sheets.forEach((sheet, i) =>
                    assert.ok(!isOfZeros(sheet), `sheet ${i + 1}: ${sheet}`));
                const width = format === 'A4' ? 680 : 702;
                assert.deepStrictEqual(await tooHigh(browser, file, width, height[format]), []);
            });
    }
};
