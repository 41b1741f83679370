// Without a network: the page opens after one visit, and a new version waits until it is asked for.

import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPage } from '../lib/chromium.mjs';
import { serve } from '../lib/server.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** What browsers say of a server that is gone. */
const GONE = /net::ERR|Failed to (load|fetch)/;

/** FNV-1a, 32 bits, as the build computes it. */
function hash(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

/** The page below a folder of a server of its own, so that it can change and be gone. */
async function withSite(dist, body) {
  const root = await mkdtemp(join(tmpdir(), 'tickle-'));
  const folder = join(root, 'some', 'where');
  await cp(dist, folder, { recursive: true });
  const server = await serve(root);
  try {
    return await body({ folder, address: `${server.address}some/where/`, server });
  } finally {
    server.close();
    await rm(root, { recursive: true });
  }
}

/** Makes another version of the page: other bytes in its script, under another name. */
async function release(folder, version) {
  const [page, worker] = [join(folder, 'index.html'), join(folder, 'sw.js')];
  let [html, script] = [await readFile(page, 'utf8'), await readFile(worker, 'utf8')];
  const [old] = /app-[0-9a-f]{8,16}\.js/.exec(html);
  const name = `app-${version.padStart(16, '0')}.js`;
  const before = hash(await readFile(join(folder, old)));
  await rename(join(folder, old), join(folder, name));
  await writeFile(join(folder, name), `${await readFile(join(folder, name), 'utf8')}// ${version}\n`);
  const [, last] = /<meta name="version" content="([0-9a-f]{8})"/.exec(html);
  const pageBefore = hash(Buffer.from(html));
  html = html.replaceAll(old, name).replaceAll(last, version).replace(/<title>.*?</, `<title>Tickle ${version}<`);
  script = script.replaceAll(old, name).replaceAll(last, version);
  script = script.replace(before, hash(await readFile(join(folder, name))));
  script = script.replace(pageBefore, hash(Buffer.from(html)));
  await writeFile(page, html);
  await writeFile(worker, script);
}

/** Waits until the page is kept. */
const ready = (tickle) =>
  tickle.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (navigator.serviceWorker.controller === null) await new Promise((next) => setTimeout(next, 20));
  });

/** Waits until this version is the one that answers. */
const active = (tickle, version) =>
  tickle.page.evaluate(async (version) => {
    for (;;) {
      const { active, installing, waiting } = await navigator.serviceWorker.getRegistration();
      const names = await window.caches.keys();
      const there = names.some((name) => name.endsWith(version));
      if (there && active?.state === 'activated' && !installing && !waiting) return;
      await new Promise((next) => setTimeout(next, 20));
    }
  }, version);

const reload = async (tickle) => {
  await tickle.page.reload();
  await tickle.settled();
};

const title = (tickle) => tickle.page.title();
const caches = (tickle) => tickle.page.evaluate(async () => (await window.caches.keys()).sort());

export function tests(address, dist) {
  groupOf('offline');

  test('after one visit the page opens, steps and flips a patch without a network', () =>
    withSite(dist, ({ address, server }) =>
      withPage(address, { expected: GONE }, async (tickle) => {
        const digest = await tickle.text('digest');
        await ready(tickle);
        server.down = true;
        await reload(tickle);
        equal(await tickle.text('digest'), digest, 'the digest');
        const { sentence } = await tickle.press('.');
        check(sentence.length > 20, 'no sentence');
        await tickle.flip('tickle_prefer_idlers');
        check((await tickle.text('digest')) !== digest, 'the patch changes nothing');
        await tickle.page.goto('about:blank');
        await tickle.open('');
        equal(await tickle.text('digest'), digest, 'the digest of a page opened anew');
      }),
    ));

  test('everything that the page consists of is kept, and nothing else', () =>
    withSite(dist, ({ address }) =>
      withPage(address, {}, async (tickle) => {
        await ready(tickle);
        const kept = await tickle.page.evaluate(async () => {
          const [name] = await caches.keys();
          const all = await (await caches.open(name)).keys();
          return all.map(({ url }) => url.replace(document.baseURI.split('#')[0], ''));
        });
        const wasm = kept.filter((file) => /^(app-[0-9a-f]{8,16}|worker)_bg\.wasm/.test(file));
        const icons = await (await fetch(`${address}manifest.webmanifest`)).json();
        for (const file of ['', 'manifest.webmanifest', ...icons.icons.map((icon) => icon.src)]) {
          check(kept.includes(file), `“${file}” is not kept: ${kept}`);
        }
        check(kept.some((file) => file.startsWith('start.js?app-')) && wasm.length === 2, `kept: ${kept}`);
        check(!kept.some((file) => file.startsWith('sw.js')), 'the service worker keeps itself');
      }),
    ));

  test('a new version says so, waits, and is there after Reload', () =>
    withSite(dist, ({ address, folder, server }) =>
      withPage(address, { expected: GONE }, async (tickle) => {
        await tickle.press('.');
        await ready(tickle);
        const before = await tickle.place();
        await release(folder, '00000002');
        await tickle.page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
        await tickle.at('newer').waitFor();
        equal(await tickle.place(), before, 'the place while it waits');
        equal(await title(tickle), 'Tickle', 'the version while it waits');
        await tickle.link();
        await Promise.all([tickle.page.waitForEvent('load'), tickle.at('take-newer').click()]);
        await tickle.settled();
        equal(await title(tickle), 'Tickle 00000002', 'the version after Reload');
        await tickle.at('ordinal').waitFor();
        equal((await tickle.place()).time, before.time, 'the place after Reload');
        equal(await tickle.at('newer').count(), 0, 'bars about a new version');
        server.down = true;
        await reload(tickle);
        equal(await title(tickle), 'Tickle 00000002', 'the version without a network');
      }),
    ));

  test('a reload by hand shows the newest version at once, and old ones are forgotten', () =>
    withSite(dist, ({ address, folder, server }) =>
      withPage(address, { expected: GONE }, async (tickle) => {
        await ready(tickle);
        for (const version of ['00000002', '00000003']) {
          await release(folder, version);
          await reload(tickle);
          equal(await title(tickle), `Tickle ${version}`, 'the version');
          await active(tickle, version);
          equal(await tickle.at('newer').count(), 0, 'bars about the version that is shown');
        }
        const names = await caches(tickle);
        equal(names.map((name) => name.slice(-8)), ['00000002', '00000003'], 'versions kept');
        server.down = true;
        await reload(tickle);
        equal(await title(tickle), 'Tickle 00000003', 'the version without a network');
      }),
    ));

  test('another tab is left alone when a version is taken', () =>
    withSite(dist, ({ address, folder }) =>
      withPage(address, { expected: GONE }, async (tickle) => {
        await ready(tickle);
        const other = await tickle.page.context().newPage();
        await other.goto(address);
        await other.locator('[data-testid="digest"]').waitFor();
        await other.evaluate(() => (window.untouched = true));
        await release(folder, '00000002');
        await tickle.page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
        await tickle.at('newer').waitFor();
        await other.locator('[data-testid="newer"]').waitFor();
        await Promise.all([tickle.page.waitForEvent('load'), tickle.at('take-newer').click()]);
        await tickle.settled();
        check(await other.evaluate(() => window.untouched), 'the other tab was loaded anew');
        equal(await title(tickle), 'Tickle 00000002', 'the version after Reload');
        await other.locator('[data-testid="take-newer"]').click();
        await other.waitForFunction(() => document.title === 'Tickle 00000002');
      }),
    ));

  test('half a version is not kept', () =>
    withSite(dist, ({ address, folder, server }) =>
      withPage(address, { expected: /net::ERR|Failed to|404|of this version/ }, async (tickle) => {
        await ready(tickle);
        await release(folder, '00000002');
        await writeFile(join(folder, 'worker.js'), '// of a third version\n');
        const failed = await tickle.page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          const found = new Promise((next) => (registration.onupdatefound = () => next(registration.installing)));
          registration.update().catch(() => {});
          const worker = await found;
          while (worker.state !== 'redundant') await new Promise((next) => setTimeout(next, 20));
          return (await window.caches.keys()).length;
        });
        equal(failed, 1, 'versions kept');
        server.down = true;
        await reload(tickle);
        equal(await title(tickle), 'Tickle', 'the version without a network');
      }),
    ));
}
