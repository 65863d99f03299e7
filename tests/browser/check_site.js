// check_site.js - a published site: every link leads somewhere, every passage has a page, the files
// for citation have what their schemas ask for, and nothing that publish did not write is lost.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {execFileSync} = require('child_process');
const {visit} = require('./browser'), {deadLinks} = require('./check_links');

const said = ['corpus.title=Letters & "Laws"', 'corpus.editors=Brook, Ada; The Archive',
    'corpus.license=CC-BY-4.0', 'corpus.address=https://example.org/site'];

function publish(program, run, folder, more = []) {
    const words = said.flatMap(s => ['--set', s]);
    return execFileSync(program, ['publish', run, '-o', folder, ...words, ...more],
        {encoding: 'utf8', stdio: 'pipe'});
}

function filesOf(folder) {
    return fs.readdirSync(folder, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => path.relative(folder, path.join(entry.parentPath || entry.path, entry.name)))
        .sort();
}

// The members that CFF 1.2.0 and DataCite 4 ask for.
function checkCitation(folder) {
    const cff = fs.readFileSync(path.join(folder, 'CITATION.cff'), 'utf8');
    const members = Object.fromEntries(cff.split('\n').filter(line => /^[a-z]/.test(line))
        .map(line => line.split(': ')).map(([key, ...text]) => [key, text.join(': ')]));
    assert.strictEqual(members['cff-version'], '1.2.0');
    for (const key of ['message', 'title', 'license', 'url'])
        assert.ok(JSON.parse(members[key]).length > 0, key);
    assert.strictEqual(JSON.parse(members.title), 'Letters & "Laws"');
    assert.match(cff, /\nauthors:\n {2}- family-names: "Brook"\n {4}given-names: "Ada"\n/);
    assert.match(cff, /\n {2}- name: "The Archive"\n/);
    const data = JSON.parse(fs.readFileSync(path.join(folder, 'datacite.json'), 'utf8'));
    for (const key of ['identifiers', 'creators', 'titles', 'publisher', 'publicationYear',
        'types', 'schemaVersion']) assert.ok(data[key] !== undefined, key);
    assert.deepStrictEqual(data.creators.map(c => [c.name, c.nameType]),
        [['Brook, Ada', 'Personal'], ['The Archive', 'Organizational']]);
    assert.match(data.publicationYear, /^\d{4}$/);
    assert.strictEqual(data.types.resourceTypeGeneral, 'Dataset');
    assert.strictEqual(data.rightsList[0].rightsIdentifier, 'CC-BY-4.0');
}

module.exports = async (check, browser, {runs, folder}, program) => {
    for (const name of ['many', 'carrow-bay']) {
        const run = runs.find(r => r.name === name), site = path.join(folder, `site-${name}`);
        const pages = () => filesOf(site).filter(file => file.endsWith('.html'));
        await check(`site: ${name} is published, and every link leads somewhere`, () => {
            publish(program, run.folder, site);
            const known = new Map(), checks = {n: 0};
            const dead = pages().flatMap(file => deadLinks(path.join(site, file), known, checks));
            assert.strictEqual(dead.slice(0, 8).join('\n'), '');
            assert.ok(checks.n > 20, `${checks.n} links`);
            checkCitation(site);
            const map = fs.readFileSync(path.join(site, 'sitemap.xml'), 'utf8');
            assert.deepStrictEqual([...map.matchAll(/<loc>https:\/\/example.org\/site\/([^<]*)/g)]
                .map(m => decodeURIComponent(m[1])).sort(), pages());
        });
        await check(`site: ${name} published again has the same bytes`, () => {
            const again = `${site}-again`, text = at => file => fs.readFileSync(
                path.join(at, file)).toString('latin1');
            publish(program, run.folder, again);
            publish(program, run.folder, again);
            assert.deepStrictEqual(filesOf(again), filesOf(site));
            assert.deepStrictEqual(filesOf(again).map(text(again)), filesOf(site).map(text(site)));
        });
        await check(`site: ${name} loses no file of others`, () => {
            for (const file of ['index.html', 'mine.txt', 'passage/mine.html']) {
                const at = path.join(site, file), before = fs.existsSync(at) &&
                    fs.readFileSync(at);
                fs.writeFileSync(at, 'mine');
                assert.throws(() => publish(program, run.folder, site),
                    error => /move them away/.test(error.stderr) && error.status === 1, file);
                assert.strictEqual(fs.readFileSync(at, 'utf8'), 'mine');
                if (before) fs.writeFileSync(at, before);
                else fs.unlinkSync(at);
            }
            assert.throws(() => publish(program, run.folder, run.folder));
            publish(program, run.folder, site);
        });
        await check(`site: a find of ${name} leads to the page of its passage`, () =>
            visit(browser, path.join(site, 'index.html'), {}, async page => {
                await page.waitForSelector('#finds-order');
                assert.strictEqual(await page.$eval('h1', e => e.textContent), 'Letters & "Laws"');
                const links = await page.$$eval('.finds .places a[href^="passage/"]',
                    all => all.map(a => decodeURIComponent(a.getAttribute('href'))));
                assert.ok(links.length > 0);
                for (const link of links) assert.ok(fs.existsSync(path.join(site, link)), link);
            }));
    }
};
