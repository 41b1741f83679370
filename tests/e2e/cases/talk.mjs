// The talk: stops made and walked, presenting before a room, the stage inside another page, and the
// browser's history.

import { findings, fits, smaller } from '../lib/access.mjs';
import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const STILL = { reducedMotion: 'reduce' };
const PROJECTOR = { width: 1280, height: 720, media: STILL };

/** Makes three stops by key and says something at the last two. */
async function prepared(tickle) {
  const { page } = tickle;
  await page.keyboard.press('s');
  await tickle.press('.');
  await page.keyboard.press('f');
  await page.keyboard.press('s');
  await tickle.flip('tickle_prefer_idlers');
  await page.keyboard.press('s');
  for (const [at, caption] of [
    [1, 'Who is told that d2v0 woke?'],
    [2, 'With the patch d1v0 moves on.'],
  ]) {
    await tickle.at('stop-caption').nth(at).fill(caption);
    await page.keyboard.press('Tab');
  }
  await tickle.settled();
}

/** Waits until the page before a room or inside another page shows a run that is over. */
const shown = (page) => page.locator('.talk-bar[aria-busy=false]').waitFor();

/** Waits for a text. */
const says = (page, id, text) => page.locator(`[data-testid="${id}"]`, { hasText: text }).waitFor();

/** How often a run was started. */
const runs = (page) => page.evaluate(() => performance.getEntriesByName('run-start').length);

/** Waits for the question before the next decision, and until the page is still. */
async function asks(tickle, act) {
  await act();
  await tickle.at('question').waitFor();
  await tickle.page.locator('[data-testid="choice-n"], [data-testid="typed"]').first().waitFor();
  await tickle.settled();
  await tickle.pixels();
}

/** All that the page tells by now. */
const told = async (tickle) => ({
  question: await tickle.text('question'),
  choices: await tickle.at('predict').locator('.choices').textContent(),
  now: await tickle.text('now-table'),
  live: await tickle.text('live'),
  twin: await tickle.at('twin').textContent(),
  timeline: await tickle.pixels('timeline'),
  overview: await tickle.pixels('overview'),
});

export function tests(address) {
  groupOf('talk');

  test('stops made by key are shared, opened elsewhere and walked to and fro', () =>
    withPage(address, { media: STILL }, async (tickle) => {
      await prepared(tickle);
      equal(await tickle.at('stop-go').count(), 3, 'stops');
      const link = (await tickle.share()).split('#')[1];
      check(link.startsWith('2-') && link.length < 400, `the link has ${link.length} letters: ${link}`);
      await withPage(address, { link, media: STILL }, async (other) => {
        const { page } = other;
        equal(await other.notices(), [], 'bars');
        equal(await other.at('stop-caption').nth(2).inputValue(), 'With the patch d1v0 moves on.', 'the caption');
        check(await other.at('patch-tickle_prefer_idlers').isChecked(), 'the third stop has no patch');
        const third = await other.place();
        const second = await other.steps(() => page.keyboard.press('PageUp'));
        equal([second.time, second.code], ['14.000 000 ms', 'B3'], 'the second stop');
        equal(await other.text('caption'), 'Who is told that d2v0 woke?', 'the caption above the stage');
        check((await other.text('live')).startsWith('Who is told'), 'the caption is not announced');
        check(!(await other.at('patch-tickle_prefer_idlers').isChecked()), 'the second stop has the patch');
        const first = await other.moves(() => page.keyboard.press('PageUp'));
        equal(first.time, '13.900 000 ms', 'the first stop');
        equal(await other.steps(() => page.keyboard.press('PageDown')), second, 'the second stop again');
        await page.keyboard.press('PageDown');
        await page.waitForFunction(
          () => document.querySelector('[data-testid="why-code"]')?.textContent === 'A4',
        );
        await other.settled();
        equal(await other.place(), third, 'the third stop again');
      });
    }));

  test('stops are moved, deleted and gone to in their list', () =>
    withPage(address, { media: STILL }, async (tickle) => {
      await prepared(tickle);
      const captions = () => tickle.at('stop-caption').evaluateAll((all) => all.map((one) => one.value.slice(0, 4)));
      await tickle.at('stop-up').nth(2).click();
      equal(await captions(), ['', 'With', 'Who '], 'one moved up');
      await tickle.at('stop-delete').first().click();
      equal(await captions(), ['With', 'Who '], 'one deleted');
      await tickle.steps(() => tickle.at('stop-go').nth(1).click());
      equal((await tickle.place()).code, 'B3', 'the stop gone to');
      await tickle.at('stops-open').click();
      await tickle.at('stop-go').first().waitFor({ state: 'detached' });
      const before = await tickle.text('ordinal');
      await tickle.press('PageDown');
      check((await tickle.text('ordinal')) !== before, 'Page Down does not step with the list away');
    }));

  test('the view flies to a stop, and the next key lands it', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      await tickle.press('.');
      await page.keyboard.press('s');
      await tickle.zooms(() => page.keyboard.press('f'));
      await page.keyboard.press('s');
      const close = await tickle.span();
      await page.keyboard.press('PageUp');
      await page.keyboard.press('PageUp');
      await tickle.pixels();
      const wide = await tickle.span();
      check(wide.to - wide.from > 20 * (close.to - close.from), `it shows ${JSON.stringify(wide)}`);
      // Pressed once, it comes there by itself.
      await page.keyboard.press('PageDown');
      await page.waitForFunction(
        (to) => document.querySelector('[data-testid="timeline"]').getAttribute('aria-label').includes(to),
        '14.010',
      );
      await tickle.pixels();
      equal(await tickle.span(), close, 'where the flight ends');
    }));

  test('before a room text is large, panels are away, and everything fits', () =>
    withPage(address, PROJECTOR, async (tickle) => {
      const { page } = tickle;
      await prepared(tickle);
      await page.keyboard.press('F5');
      await page.locator('[data-presenting]').waitFor();
      await shown(page);
      equal(await page.locator('aside, .toolbar, .below').count(), 0, 'panels');
      equal(await smaller(tickle, 20), [], 'small texts');
      check(await fits(tickle), 'it scrolls sideways');
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      check(height <= 720, `it is ${height} px high`);
      await says(page, 'caption', 'With the patch');
      equal(await findings(tickle), [], 'findings of axe');
      await page.keyboard.press('PageUp');
      await says(page, 'caption', 'Who is told');
      equal(await tickle.text('talk-at'), '2 of 3', 'where the talk stands');
      await page.keyboard.press('.');
      await says(page, 'why-sentence', 'd2v0');
      for (const key of ['b', 'b']) {
        const blank = (await tickle.at('blank').count()) === 1;
        await page.keyboard.press(key);
        await tickle.at('blank').waitFor({ state: blank ? 'detached' : 'visible' });
      }
      const link = await tickle.link();
      await page.keyboard.press('Escape');
      await page.locator('[data-presenting]').waitFor({ state: 'detached' });
      await tickle.settled();
      await withPage(address, { ...PROJECTOR, link, open: false }, async (other) => {
        await other.page.goto(`${address}#${link}`);
        await shown(other.page);
        await other.page.locator('[data-presenting]').waitFor();
      });
    }));

  test('on a larger screen all of it is as much larger', () =>
    withPage(address, { width: 1920, height: 1080, media: STILL }, async (tickle) => {
      const { page } = tickle;
      await prepared(tickle);
      const before = (await tickle.at('timeline').boundingBox()).height;
      await page.keyboard.press('F5');
      await page.locator('[data-presenting]').waitFor();
      await shown(page);
      await tickle.pixels();
      equal(await smaller(tickle, 30), [], 'small texts');
      const { height } = await tickle.at('timeline').boundingBox();
      check(height > 1.5 * before, `the rows are ${height} px high, ${before} px otherwise`);
      check(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'it does not fit');
    }));

  test('two runs before a room: both reasons, and all of it fits', () =>
    withPage(address, { ...PROJECTOR, scheme: 'dark' }, async (tickle) => {
      const { page } = tickle;
      await page.keyboard.press('F5');
      await shown(page);
      await page.keyboard.press('a');
      await tickle.at('go-parting').waitFor();
      await page.keyboard.press('d');
      await page.waitForFunction(() => document.querySelectorAll('.talk-bar .both').length === 2);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      check(height <= 720, `it is ${height} px high`);
      equal(await findings(tickle), [], 'findings of axe');
    }));

  test('inside another page the stage shows, keys work, and the way out keeps the picture', () =>
    withPage(address, { open: false, media: STILL }, async (tickle) => {
      const { page } = tickle;
      const slides = `${address}slides.html`;
      const frame = '<iframe src="./?embed=1" width="960" height="540" title="Tickle"></iframe>';
      await page.route(slides, (route) =>
        route.fulfill({ contentType: 'text/html', body: `<!doctype html><html lang="en"><title>Slides</title>${frame}` }),
      );
      await page.goto(slides);
      const inside = page.frame({ url: /embed=1/ });
      await shown(inside);
      const entries = await page.evaluate(() => history.length);
      equal(await inside.locator('aside, .toolbar').count(), 0, 'panels');
      await inside.locator('[data-testid="timeline"]').click({ position: { x: 300, y: 250 } });
      await page.keyboard.press('Home');
      await page.keyboard.press('.');
      await inside.locator('[data-testid="why-sentence"]').waitFor();
      await page.keyboard.press('a');
      await inside.locator('[data-testid="go-parting"]').waitFor();
      await page.keyboard.press('d');
      await inside.locator('.talk-bar .both').nth(1).waitFor();
      await page.keyboard.press('F5');
      equal(await inside.locator('[data-presenting]').count(), 0, 'presenting inside another page');
      equal(await findings({ page: inside }), [], 'findings of axe');
      equal(await page.evaluate(() => history.length), entries, 'entries of the slides’ history');
      const [whole] = await Promise.all([
        page.context().waitForEvent('page'),
        inside.locator('[data-testid="open-whole"]').click(),
      ]);
      await whole.locator('[data-testid="go-parting"]').waitFor();
      equal(await whole.locator('[data-testid="cursor-time"]').textContent(), '14.000 000 ms', 'the cursor outside');
      check(!whole.url().includes('embed'), `it opens ${whole.url()}`);
      await whole.close();
    }));

  test('Back and Forward bring pictures back and run only what changed', () =>
    withPage(address, { media: STILL }, async (tickle) => {
      const { page } = tickle;
      const flipped = () => tickle.at('patch-tickle_prefer_idlers').isChecked();
      const one = await tickle.press('.');
      await tickle.flip('tickle_prefer_idlers');
      const two = await tickle.place();
      await page.keyboard.press('a');
      await tickle.at('ab-bar').waitFor();
      await tickle.settled();
      const before = await runs(page);
      await page.goBack();
      await tickle.at('ab-bar').waitFor({ state: 'detached' });
      await tickle.settled();
      equal([await tickle.place(), await runs(page)], [two, before], 'back from A|B, and runs');
      await page.goBack();
      await page.waitForFunction(
        () => document.querySelector('[data-testid="why-code"]')?.textContent === 'B3',
      );
      await tickle.settled();
      equal([await tickle.place(), await flipped(), await runs(page)], [one, false, before + 1], 'back from the flip');
      equal(await tickle.text('same-run'), '✓ same run as the link’s, bit for bit', 'what it says of the run');
      await page.goForward();
      await page.waitForFunction(
        () => document.querySelector('[data-testid="why-code"]')?.textContent === 'A4',
      );
      await page.goForward();
      await tickle.at('ab-bar').waitFor();
      await tickle.settled();
      equal(await runs(page), before + 3, 'runs after going forward again');
      await tickle.preset(1);
      await page.goBack();
      await tickle.at('ab-bar').waitFor();
    }));

  test('an edit of the scenario makes an entry, and Back takes it back', () =>
    withPage(address, { media: STILL }, async (tickle) => {
      const { page } = tickle;
      const start = await tickle.text('digest');
      await page.keyboard.press('e');
      await tickle.at('ed-weight').fill('64');
      await page.keyboard.press('Tab');
      await page.waitForFunction(
        (start) => document.querySelector('[data-testid="digest"]')?.textContent !== start,
        start,
      );
      await tickle.settled();
      const edited = await tickle.text('digest');
      await page.goBack();
      await page.waitForFunction(
        (start) => document.querySelector('[data-testid="digest"]')?.textContent === start,
        start,
      );
      await page.goForward();
      await page.waitForFunction(
        (edited) => document.querySelector('[data-testid="digest"]')?.textContent === edited,
        edited,
      );
    }));

  test('panning and stepping make no entry, presenting does', () =>
    withPage(address, { media: STILL }, async (tickle) => {
      const { page } = tickle;
      const entries = () => page.evaluate(() => history.length);
      const start = await entries();
      for (const key of ['.', '.', ',', '+', '-', 'ArrowRight']) await page.keyboard.press(key);
      await tickle.link();
      equal(await entries(), start, 'entries after moving about');
      await page.keyboard.press('F5');
      await page.locator('[data-presenting]').waitFor();
      await tickle.link();
      equal(await entries(), start + 1, 'entries after presenting');
      await page.goBack();
      await page.locator('[data-presenting]').waitFor({ state: 'detached' });
    }));

  test('a decision is asked first; right and wrong answers are told with the reason', () =>
    withPage(address, { media: STILL }, async (tickle) => {
      const { page } = tickle;
      await page.keyboard.press('g');
      await asks(tickle, () => page.keyboard.press('.'));
      equal(await tickle.text('question'), 'd2v0 woke and waits on p0. Which pCPU will be told?', 'the question');
      equal(await tickle.at('why-sentence').count(), 0, 'reasons');
      await page.keyboard.press('Digit1');
      equal(await tickle.at('choice-1').getAttribute('aria-pressed'), 'true', 'p1');
      equal(await findings(tickle), [], 'findings of axe');
      await page.keyboard.press('PageDown');
      await tickle.at('verdict').waitFor();
      await tickle.settled();
      equal(await tickle.text('verdict'), 'Wrong, not p1: p0 is told. 0 of 1 right', 'the verdict');
      const { code, sentence } = await tickle.place();
      equal(code, 'B3', 'the rule');
      check((await tickle.text('live')).endsWith(sentence), 'the reason is not announced');
      await asks(tickle, () => page.keyboard.press('.'));
      equal(await tickle.text('question'), 'Who runs next on p0?', 'the next question');
      await page.keyboard.press('Digit1');
      await page.keyboard.press('.');
      await tickle.at('verdict').waitFor();
      equal(await tickle.text('verdict'), 'Right: d2v0 runs next. 1 of 2 right', 'the verdict');
      await asks(tickle, () => page.keyboard.press('.'));
      await page.keyboard.press('n');
      equal(await tickle.at('choice-n').getAttribute('aria-pressed'), 'true', 'nobody');
      await tickle.press(',');
      equal(await tickle.at('predict').count(), 0, 'questions about what was shown');
      await page.keyboard.press('g');
      await tickle.press('.');
      equal(await tickle.at('verdict').count(), 0, 'verdicts with the mode off');
    }));

  test('before it is shown nothing tells the answer: runs that decide otherwise look the same', () =>
    withPage(address, { media: STILL }, async (tickle) => {
      const { page } = tickle;
      const both = [];
      for (const patched of [false, true]) {
        if (patched) await tickle.flip('tickle_prefer_idlers');
        if (!patched) await page.keyboard.press('g');
        await page.keyboard.press('Home');
        await tickle.moves(() => tickle.at('first-changed').first().click());
        await asks(tickle, async () => {});
        both.push(await told(tickle));
        await page.mouse.move(5, 5);
      }
      equal(both[1], both[0], 'what is told with the patch');
      await page.keyboard.press('.');
      await tickle.settled();
      equal((await tickle.place()).code, 'A4', 'what is shown then');
    }));

  test('before a room and inside another page one predicts as well, on 16 pCPUs with two digits', () =>
    withPage(address, PROJECTOR, async (tickle) => {
      const { page } = tickle;
      await tickle.preset(5);
      await page.keyboard.press('g');
      await asks(tickle, () => page.keyboard.press('.'));
      const link = await tickle.link();
      await page.keyboard.press('F5');
      await page.locator('[data-presenting]').waitFor();
      for (const digit of ['Digit1', 'Digit2']) await page.keyboard.press(digit);
      equal(await tickle.at('choice-12').getAttribute('aria-pressed'), 'true', 'p12');
      const box = await tickle.at('timeline').boundingBox();
      await page.mouse.click(box.x + 200, box.y + 52);
      await page.locator('[data-testid="choice-0"][aria-pressed="true"]').waitFor();
      equal(await smaller(tickle, 20), [], 'small texts');
      equal(await findings(tickle), [], 'findings of axe');
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      check(height <= 720, `it is ${height} px high`);
      await page.keyboard.press('PageDown');
      await tickle.at('verdict').waitFor();
      check(/^(Right|Wrong)/.test(await tickle.text('verdict')), 'no verdict');
      await page.goto(`${address}?embed=1#${link}`);
      await shown(page);
      await page.keyboard.press('.');
      await tickle.at('question').waitFor();
      equal(await findings(tickle), [], 'findings of axe');
    }));
}
