// Lanes below the rows: idlers, tickled, run-queue depth and credit, each to be switched on.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';
import { small } from '../lib/scenarios.mjs';

/** The lanes as their table tells them: name, at the cursor, in view; none while they are off. */
const lanes = (tickle) =>
  tickle.page.evaluate(() =>
    [...document.querySelectorAll('[data-testid="lanes-twin"] tbody tr')].map((row) =>
      [...row.cells].map((cell) => cell.textContent.trim()),
    ),
  );

/** Waits until the lanes tell what is at the cursor; gives them. */
async function told(tickle) {
  await tickle.page.waitForFunction(() => {
    const cells = [...document.querySelectorAll('[data-testid="lanes-twin"] tbody td')];
    return cells.length > 0 && cells.every((cell) => cell.textContent !== '–');
  });
  return lanes(tickle);
}

/** What the Now panel tells: idlers, told, who waits on each row, credits by name. */
const now = (tickle) =>
  tickle.page.evaluate(() => {
    const rows = [...document.querySelectorAll('[data-testid="now-table"] tbody tr')];
    const text = (row, at) => row.cells[at].textContent.trim();
    const credits = Object.fromEntries(rows.map((row) => [text(row, 1), text(row, 3)]));
    const ones = (at) => String(rows.filter((row) => text(row, at) === '1').length);
    const waits = rows.map((row) => row.querySelectorAll('.waits').length);
    return { idlers: ones(5), told: ones(6), waits, credits };
  });

/** Puts the cursor at a time. */
const go = (tickle, when) =>
  tickle.moves(async () => {
    await tickle.page.keyboard.press('/');
    await tickle.at('search').fill(when);
    await tickle.page.keyboard.press('Enter');
    await tickle.page.keyboard.press('Escape');
  });

export function tests(address) {
  groupOf('lanes');

  test('the key switches the usual lanes, which tell what the Now panel tells', () =>
    withPage(address, {}, async (tickle) => {
      equal(await lanes(tickle), [], 'no lane at first');
      const height = () => tickle.at('timeline').evaluate((canvas) => canvas.clientHeight);
      const before = await height();
      await tickle.page.keyboard.press('l');
      const all = await told(tickle);
      equal(
        all.map(([name]) => name.split(':')[0]),
        ['idlers', 'tickled', 'run-queue depth'],
        'the usual lanes',
      );
      check((await height()) > before + 60, 'they stand below the rows');
      for (const when of ['12.3ms', '14.3ms', '18.2ms']) {
        await go(tickle, when);
        const at = (await told(tickle)).map((row) => row[1]);
        const machine = await now(tickle);
        const waiting = machine.waits.reduce((sum, count) => sum + count, 0);
        equal(at, [machine.idlers, machine.told, String(waiting)], `at ${when}`);
      }
      equal((await told(tickle))[2][2], '0 to 1', 'somebody waits in view, and then nobody');
      await tickle.page.keyboard.press('l');
      equal(await lanes(tickle), [], 'all off again');
      equal(await height(), before, 'the rows alone');
    }));

  test('each lane has its switch; a link opens the same lanes', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.at('lanes').click();
      await tickle.at('lane-11').click();
      await tickle.at('lane-12').click();
      equal(await tickle.at('lane-11').getAttribute('aria-pressed'), 'true', 'the switch');
      await tickle.page.keyboard.press('Escape');
      check(!(await tickle.page.locator('#lanes-menu').isVisible()), 'Escape closes the menu');
      await go(tickle, '14.3ms');
      const all = await told(tickle);
      equal(all.length, 5, 'the chosen row and four vCPUs');
      const machine = await now(tickle);
      equal(all[0].slice(0, 2), ['run-queue depth of p0: vCPUs that wait there', '1'], 'p0');
      for (const [name, credit] of all.slice(1)) {
        const is = machine.credits[name.replace('credit of ', '')];
        check(is === undefined || is === credit, `${name}: ${credit}, the machine says ${is}`);
      }
      const link = await tickle.link();
      await withPage(address, { link }, async (opened) => {
        equal(await told(opened), all, 'opened by the link');
      });
      await tickle.page.keyboard.press('ArrowDown');
      await tickle.page.waitForFunction(() =>
        /depth of p1/.test(document.querySelector('[data-testid="lanes-twin"] tbody th').textContent),
      );
    }));

  test('lanes follow the zoom, go with A|B and with many rows', () =>
    withPage(address, {}, async (tickle) => {
      const scenario = { ...small({ pcpus: 64, vcpus: 90, ms: 60 }), name: 'many' };
      await tickle.at('open-file').setInputFiles({
        name: 'many.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(scenario)),
      });
      await tickle.page.waitForFunction(() => document.querySelectorAll('[data-testid="now-table"] tbody tr').length === 64);
      await tickle.settled();
      await tickle.page.keyboard.press('l');
      const [[, , idlers]] = await told(tickle);
      check(/^\d+ to 6[0-4]$/.test(idlers), `all are idle at first: ${idlers}`);
      await tickle.zooms(() => tickle.page.keyboard.press('+'));
      await tickle.zooms(() => tickle.page.keyboard.press('+'));
      await tickle.page.mouse.move(500, 400);
      const one = await tickle.pixels();
      await tickle.page.keyboard.press('a');
      await tickle.page.waitForFunction(() => document.querySelectorAll('[data-testid="twin"]').length === 2);
      await tickle.settled();
      const captions = () => tickle.page.locator('[data-testid="lanes-twin"] caption').textContent();
      equal(await captions(), 'Lanes below the rows of A', 'whose lanes');
      await told(tickle);
      await tickle.page.keyboard.press('x');
      await tickle.settled();
      equal(await captions(), 'Lanes below the rows of B', 'the other’s');
      await told(tickle);
      await tickle.page.keyboard.press('a');
      await tickle.settled();
      await told(tickle);
      check((await tickle.pixels()).length > one.length / 4, 'the picture is still drawn');
    }));
}
