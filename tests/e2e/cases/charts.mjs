// The charts behind their tabs, the counters, and what a change of patches did.

import { withPage } from '../lib/chromium.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

/** The texts of a table's body, row by row, as they are seen. */
const rows = (tickle, id) =>
  tickle.page.evaluate(
    (id) =>
      [...document.querySelectorAll(`[data-testid="${id}"] tbody tr`)].map((row) =>
        [...row.cells].map((cell) => {
          const seen = cell.cloneNode(true);
          seen.querySelectorAll('.hidden').forEach((node) => node.remove());
          return seen.textContent.trim();
        }),
      ),
    id,
  );

/** Chooses a tab and opens its table. */
async function tab(tickle, name) {
  await tickle.at(`tab-${name}`).click();
  for (const summary of await tickle.at('as-table').all()) await summary.click();
}

const of = (rows, name) => rows.find((row) => row[0] === name);

export function tests(address) {
  groupOf('charts');

  test('the tabs go round by keyboard and say which one is chosen', () =>
    withPage(address, {}, async (tickle) => {
      const chosen = () =>
        tickle.page.evaluate(() => {
          const tab = document.querySelector('[role="tab"][aria-selected="true"]');
          const panel = document.querySelector('[role="tabpanel"]');
          const led = panel.getAttribute('aria-labelledby') === tab.id;
          return [tab.textContent.trim(), led, document.activeElement === tab];
        });
      await tickle.at('tab-Latency').focus();
      equal(await chosen(), ['Latency', true, true], 'at first');
      await tickle.page.keyboard.press('ArrowRight');
      equal((await chosen())[0] === 'Latency', false, 'a step to the right leads on');
      await tickle.page.keyboard.press('End');
      equal(await chosen(), ['Counters', true, true], 'the last');
      await tickle.page.keyboard.press('ArrowRight');
      equal(await chosen(), ['What changed', true, true], 'round to the first');
      check((await tickle.text('changed')) === null, 'nothing has changed yet');
    }));

  test('the tables tell what the run adds up to', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(14);
      await tab(tickle, 'Steals');
      const steals = await rows(tickle, 'chart-table');
      equal([of(steals, 'p0')[3], of(steals, 'p7')[3]], ['140', '25'], 'victims of the story');
      await tickle.flip('steal_bias');
      const after = await rows(tickle, 'chart-table');
      equal(of(after, 'p0').slice(3), ['65', '140'], 'p0 with the patch, and before');
      equal(of(after, 'p7').slice(3), ['50', '25'], 'p7 with the patch, and before');
    }));

  test('a patch’s gain and its loss are told right after it is switched', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.flip('tickle_prefer_idlers');
      const gain = await tickle.text('changed');
      check(/Better: waiting, d1 from 43\.2 ms to/.test(gain), gain);
      const table = await rows(tickle, 'changed-table');
      equal(of(table, 'waiting beside an idle pCPU')[3], 'better', 'the word');
      await tickle.preset(2);
      check((await tickle.text('changed')) === null, 'another scenario has no before');
      await tickle.flip('tickle_prefer_idlers');
      await tickle.flip('tickle_prefer_idlers');
      const loss = await tickle.text('changed');
      check(/Worse: waiting, d[23] from 0 ns to 2\d\d ms/.test(loss), loss);
      equal(of(await rows(tickle, 'changed-table'), 'kicks').slice(1, 4), ['0', '66', 'worse'], 'kicks');
    }));

  test('counters are told before and after, with the difference', () =>
    withPage(address, {}, async (tickle) => {
      await tab(tickle, 'Counters');
      const alone = await rows(tickle, 'counters');
      check(of(alone, 'tickle_local_under') !== undefined, 'the counters of 2012');
      check(of(alone, 'load_balance_other')[1] === '0', 'zeros are listed');
      await tickle.flip('tickle_prefer_idlers');
      const both = await rows(tickle, 'counters');
      equal(of(both, 'tickle_local_under').slice(2), ['–', 'gone'], 'a counter that the patch takes away');
      equal(of(both, 'migrate_kicked_away').slice(1), ['–', '1', 'new'], 'one that it brings');
      const [, before, after, difference] = of(both, 'sched_ctx');
      equal(Number(after.replace(',', '')) - Number(before.replace(',', '')), Number(difference), 'the difference');
      check((await rows(tickle, 'trace-records')).length > 10, 'trace records');
      await tickle.page.locator('[data-testid="counters"] .term', { hasText: 'sched_ctx' }).focus();
      check(/^Switches to another vCPU/.test(await tickle.text('counter-meaning')), 'the meaning on focus');
    }));

  test('credits follow the timeline and are those of the machine', () =>
    withPage(address, {}, async (tickle) => {
      const told = () =>
        tickle.page.waitForFunction(
          () => document.querySelector('[data-testid="credits"]')?.getAttribute('aria-busy') === 'false',
        );
      const note = () => tickle.page.locator('.credits h2 small').textContent();
      await tab(tickle, 'Credits');
      await tickle.at('as-table').waitFor();
      await tickle.at('as-table').click();
      await tickle.page.locator('h1').click();
      // Between two records nothing changes: the Now panel tells whom the chart tells.
      for (const when of ['12.3ms', '25ms', '41.5ms']) {
        await tickle.moves(async () => {
          await tickle.page.keyboard.press('/');
          await tickle.at('search').fill(when);
          await tickle.page.keyboard.press('Enter');
          await tickle.page.keyboard.press('Escape');
        });
        await told();
        const table = await rows(tickle, 'chart-table');
        equal(table.map(([name]) => name), ['d1v0', 'd1v1', 'd2v0', 'd2v1'], 'everybody');
        const now = (await rows(tickle, 'now-table')).filter(([, runs]) => runs !== 'idle');
        check(now.length >= 2, `two run at ${when}`);
        for (const [, runs, , credit] of now) equal(of(table, runs)[2], credit, `${runs} at ${when}`);
      }
      await tickle.zooms(() => tickle.page.keyboard.press('0'));
      await told();
      check(/^0\.000 000 ms to 300\.000 000 ms/.test(await note()), await note());
      const whole = await rows(tickle, 'chart-table');
      equal(of(whole, 'd1v1').slice(1, 2), ['0'], 'it starts with nothing');
      equal(of(whole, 'd1v1').slice(4), ['−300', '0', '9'], 'it burns a slice between accountings');
      const picture = () => tickle.page.locator('.credits canvas').evaluate((canvas) => canvas.toDataURL());
      const before = await picture();
      await tickle.zooms(() => tickle.page.keyboard.press('+'));
      await told();
      check((await picture()) !== before, 'the chart is zoomed as well');
      check(!/ to 300\.000 000 ms/.test(await note()), await note());
      await tickle.at('credits-whose').selectOption({ label: 'd2' });
      await told();
      equal((await rows(tickle, 'chart-table')).map(([name]) => name), ['d2v0', 'd2v1'], 'those chosen');
    }));

  test('credits of many vCPUs are those of the selected one’s domain, or of whom one chooses', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(5);
      await tab(tickle, 'Credits');
      await tickle.at('as-table').waitFor();
      const names = async () => (await rows(tickle, 'chart-table')).map(([name]) => name);
      equal(await names(), ['d1v0', 'd1v1'], 'the first domain while nothing is selected');
      await tickle.at('credits-whose').selectOption({ label: 'the first vCPU of each domain' });
      await tickle.page.waitForFunction(() => document.querySelectorAll('.credits .chart-keys li').length === 10);
      equal((await names()).length, 10, 'one of each domain');
    }));
}
