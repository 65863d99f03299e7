// main.js PROGRAM [CHECK...] - makes the reports and runs the checks; the last line counts them.
'use strict';
const browsing = require('./browser'), runs = require('./runs');

// Each file exports a function of the tests: check(NAME, FUNCTION), the browser, the runs.
const files = ['harness', 'pages', 'tables', 'links', 'keyboard', 'reading', 'finds',
    'questions', 'numbers', 'across', 'curation', 'site', 'map', 'print', 'app'];

const counts = {passed: 0, failed: 0, skipped: 0};
const wanted = process.argv.slice(3);

const isWanted = name => !wanted.length || wanted.some(part => name.includes(part));

// One check; what its function throws is why it failed.
async function check(name, work) {
    if (!isWanted(name)) return;
    const start = Date.now();
    try {
        await work();
        counts.passed++;
        if (process.env.VERBOSE) console.log(`passed ${name}, ${Date.now() - start} ms`);
    } catch (error) {
        counts.failed++;
        console.log(`FAILED ${name}\n  ${error.message.trim().replace(/\n/g, '\n  ')}`);
    }
}

check.isWanted = isWanted;

async function main() {
    const program = require('path').resolve(process.argv[2]);
    const made = await runs.make(program);
    const browser = await browsing.launch();
    try {
        for (const file of files) await require(`./check_${file}`)(check, browser, made, program);
    } finally {
        await browser.close();
        if (!process.env.KEEP) runs.remove(made.folder);
        else console.log(`the reports are in ${made.folder}`);
    }
}

main().catch(error => {
    counts.failed++;
    console.log(`FAILED ${error.stack}`);
}).then(() => {
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    process.exit(counts.failed ? 1 : 0);
});
