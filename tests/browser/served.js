// served.js - the application as its user has it: the program serves, Chromium shows. What no page
// may do is a fault: a message on the console, an exception, a request to another place.
'use strict';
const fs = require('fs'), path = require('path');
const {spawn} = require('child_process');
const browsing = require('./browser');

// Starts the program with a home of its own. Returns {address, end}.
exports.serve = (program, home, ...words) => new Promise((resolve, reject) => {
    fs.mkdirSync(home, {recursive: true});
    const env = Object.assign({}, process.env, {
        HOME: home, XDG_STATE_HOME: path.join(home, 'state'), XDG_CACHE_HOME:
            path.join(home, 'cache'), OMP_WAIT_POLICY: 'passive'
    });
    const child = spawn(program, ['app', '--no-browser', ...words], {env, cwd: home});
    let said = '', errors = '';
    const ended = new Promise(done => child.on('close', (code, signal) => {
        if (code) errors += ` the server ended with ${code}`;
        if (signal) errors += ` the server was ended by ${signal}`;
        done(code);
    }));
    child.stderr.on('data', text => { errors += text; });
    child.stdout.on('data', text => {
        said += text;
        const found = /http:\S+/.exec(said);
        if (found) resolve({
            address: found[0], said: () => errors,
            end: () => {
                child.kill('SIGTERM');
                return ended;
            }
        });
    });
    ended.then(code => reject(new Error(`tributary app ended with ${code}: ${errors}`)));
});

// What a page did that no page may do; `allowed` matches what it may do in this check.
function watch(page, faults, origin, allowed) {
    const add = text => { if (!allowed || !allowed.test(text)) faults.push(text); };
    page.on('console', m => { if (m.type() !== 'debug') add(`on the console: ${m.text()}`); });
    page.on('pageerror', e => add(`exception: ${e.message}`));
    page.on('dialog', d => {
        add(`dialog: ${d.message()}`);
        d.dismiss();
    });
    page.on('request', r => {
        const own = r.url().startsWith('http://127.0.0.1:') && (r.url().startsWith(origin) ||
            /^\/run\//.test(new URL(r.url()).pathname)); // reports have a port of their own
        if (!own && !/^(data|blob|about):/.test(r.url()))
            add(`request: ${r.url()}`);
    });
}

// Opens the application in `n` pages of one browser, hands them to `look`, closes them.
exports.use = async (browser, server, how, look) => {
    const {address} = server;
    const context = await browser.createBrowserContext(), faults = [], pages = [];
    try {
        for (let i = 0; i < (how.pages || 1); i++) {
            const page = await context.newPage();
            watch(page, faults, new URL(address).origin, how.allowed);
            await browsing.change(page, how);
            await page.goto(address, {waitUntil: 'load'});
            await exports.ready(page, '#/');
            pages.push(page);
        }
        await look(...pages).catch(async error => { // what the reader saw then
            const shown = await pages[0].evaluate(() => document.body.innerText).catch(() => '');
            error.message += `\n${[...new Set(faults)].join('\n')}\n${server.said()}\nThe page: ` +
                shown.slice(0, 900);
            throw error;
        });
        if (faults.length) throw new Error([...new Set(faults)].join('\n'));
    } finally {
        await context.close();
    }
};

// Waits until the page at an address is shown whole.
exports.ready = (page, part) => page.waitForFunction(
    p => (document.body.dataset.ready || '').includes(p) && document.body.dataset.ready ===
        (location.hash || '#/'), {timeout: 60000}, part);

// Goes to a page of the project that is shown.
exports.go = async (page, name) => {
    await page.evaluate(to => {
        location.hash = `#/${location.hash.split('/')[1]}/${to}`;
    }, name);
    await exports.ready(page, `/${name}`);
};

// Drops files or folders of the disk on the page, as a mouse does.
exports.drop = async (page, files) => {
    const session = await page.createCDPSession();
    const data = {items: [], files, dragOperationsMask: 1};
    for (const type of ['dragEnter', 'dragOver', 'drop'])
        await session.send('Input.dispatchDragEvent', {type, x: 300, y: 300, data});
};

// Presses Tab until an element has the focus that matches; by keyboard nothing else moves.
exports.tabTo = async (page, selector) => {
    for (let i = 0; i < 80; i++) {
        if (await page.evaluate(s => document.activeElement.matches(s), selector)) return;
        await page.keyboard.press('Tab');
        await browsing.settled(page);
    }
    throw new Error(`Tab does not reach ${selector}`);
};

// What the table shows: one object a row in view.
exports.table = page => page.$$eval('.grid .body [role=row]', rows => rows.sort((a, b) =>
    a.ariaRowIndex - b.ariaRowIndex).map(row => {
    const cells = [...row.children].map(c => c.textContent);
    return {title: cells[0], author: cells[1], date: cells[2], role: cells[3], words: cells[5],
        file: cells[7], notes: cells[8], isProposed: row.children[2].className === 'proposed'};
}));

exports.report = async page => {
    const element = await page.waitForSelector('#report iframe', {timeout: 120000});
    const frame = await element.contentFrame();
    await frame.waitForSelector('.finds > li .judge button');
    return frame;
};
