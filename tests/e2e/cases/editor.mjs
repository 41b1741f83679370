// The scenario editor, with real clicks and keys: edits run, wrong values are said at their field, everything
// can be taken back, and what is exported opens again.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { withPage } from '../lib/chromium.mjs';
import { small } from '../lib/scenarios.mjs';
import { check, equal, groupOf, test } from '../lib/suite.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Opens the editor with its key. */
async function edit(tickle) {
  await tickle.page.keyboard.press('e');
  await tickle.at('editor').waitFor();
}

/** Does something and waits for the other run that follows from it; gives its digest. */
async function reruns(tickle, act) {
  const before = await tickle.text('digest');
  await act();
  await tickle.page.waitForFunction((before) => {
    const digest = document.querySelector('[data-testid="digest"]')?.textContent;
    return digest !== undefined && digest !== before;
  }, before);
  await tickle.settled();
  return tickle.text('digest');
}

const value = (tickle, id) => tickle.at(id).inputValue();
const pressed = (tickle, id) => tickle.at(id).getAttribute('aria-pressed');
const option = (tickle) =>
  tickle.at('scenario').evaluate((select) => select.selectedOptions[0].textContent.trim());

/** Drops a file on the page, as a hand does. */
async function drop(tickle, name, content) {
  const transfer = await tickle.page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: 'application/json' }));
      return transfer;
    },
    [name, JSON.stringify(content)],
  );
  await tickle.page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

export function tests(address) {
  groupOf('editor');

  test('a weight that is typed runs, is taken back and done again', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      // Both guests compete for p0 only from a cap on: the weight counts.
      await tickle.preset(1);
      const preset = await tickle.text('digest');
      await tickle.at('edit').click();
      const capped = await reruns(tickle, () => tickle.at('ed-cap').fill('40'));
      equal(await option(tickle), 'Own scenario', 'the name');
      await tickle.at('ed-cap').press('Enter');
      equal(await value(tickle, 'ed-cap'), '40 %', 'the cap as it is written');
      const weighed = await reruns(tickle, () => tickle.at('ed-weight').fill('64'));
      equal(await reruns(tickle, () => page.keyboard.press('Control+z')), capped, 'undone');
      equal(await value(tickle, 'ed-weight'), '256', 'the weight');
      equal(await reruns(tickle, () => tickle.at('undo').click()), preset, 'all undone');
      check((await option(tickle)) !== 'Own scenario', 'it is the preset again');
      equal(await tickle.at('undo').isDisabled(), false, 'the preset before can come back');
      await reruns(tickle, () => page.keyboard.press('Control+Shift+z'));
      equal(await reruns(tickle, () => tickle.at('redo').click()), weighed, 'done again');
    }));

  test('a wrong value is said at its field and the last good run stays', () =>
    withPage(address, {}, async (tickle) => {
      await edit(tickle);
      const digest = await tickle.text('digest');
      const field = tickle.at('ed-weight');
      await field.fill('0');
      await tickle.at('ed-weight-problem').filter({ hasText: 'Weight is 0; it must be 1 to 65535.' }).waitFor();
      equal(await field.getAttribute('aria-invalid'), 'true', 'marked');
      const said = await field.getAttribute('aria-describedby');
      check(said.split(' ').includes('ed-weight-problem'), 'the sentence belongs to the field');
      check(/One field needs another value/.test(await tickle.text('editor-state')), 'said in the line');
      await tickle.at('ed-cap').click();
      equal(await value(tickle, 'ed-weight'), '0', 'what was typed stays');
      equal(await tickle.text('digest'), digest, 'the run');
      // From elsewhere, the sentence leads back to the field.
      await tickle.at('tab-machine').click();
      await tickle.at('editor-state').getByRole('button', { name: 'Weight is 0' }).click();
      await tickle.page.waitForFunction(() => document.activeElement?.id === 'ed-weight');
      await field.fill('256');
      await tickle.at('editor-state').filter({ hasText: 'Every edit runs at once.' }).waitFor();
    }));

  test('an affinity is clicked, typed, and gone through by keyboard', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      await edit(tickle);
      await tickle.at('ed-v0').click();
      await reruns(tickle, () => tickle.at('ed-hard-p0').click());
      equal(await value(tickle, 'ed-hard'), '1-3', 'the list');
      equal(await pressed(tickle, 'ed-hard-p0'), 'false', 'p0');
      await reruns(tickle, () => tickle.at('ed-hard').fill('p2,3'));
      equal(await pressed(tickle, 'ed-hard-p1'), 'false', 'p1');
      equal(await pressed(tickle, 'ed-hard-p3'), 'true', 'p3');
      await tickle.at('ed-hard-p0').focus();
      await page.keyboard.press('ArrowRight');
      await reruns(tickle, () => page.keyboard.press('Space'));
      equal(await value(tickle, 'ed-hard'), '1-3', 'the list');
      for (const pcpu of [1, 2, 3]) await tickle.at(`ed-hard-p${pcpu}`).click();
      await tickle.at('ed-hard-problem').filter({ hasText: 'May use is empty' }).waitFor();
    }));

  test('domains are added, duplicated, moved and removed', () =>
    withPage(address, {}, async (tickle) => {
      await edit(tickle);
      const digest = await tickle.text('digest');
      await reruns(tickle, () => tickle.at('domain-add').click());
      equal(await pressed(tickle, 'ed-d3'), 'true', 'the new one shows');
      await reruns(tickle, () => tickle.at('ed-kind').selectOption('bursty'));
      await reruns(tickle, () => tickle.at('ed-bursts').fill('3'));
      await reruns(tickle, () => tickle.at('domain-copy').click());
      equal(await value(tickle, 'ed-bursts'), '3', 'the copy does the same');
      await tickle.at('domain-up').click();
      await reruns(tickle, () => tickle.at('ed-vcpus').fill('4'));
      await tickle.at('ed-v3').click();
      await reruns(tickle, () => tickle.at('domain-remove').click());
      equal(await reruns(tickle, () => tickle.at('domain-remove').click()), digest, 'the first run again');
    }));

  test('a script is edited step by step and as text', () =>
    withPage(address, {}, async (tickle) => {
      await edit(tickle);
      await tickle.at('ed-d2').click();
      await tickle.at('ed-v1').click();
      await tickle.at('ed-kind').selectOption('script');
      await reruns(tickle, () => tickle.at('step-add').click());
      await reruns(tickle, () => tickle.at('ed-step-sleep-1-kind').selectOption('yields'));
      await reruns(tickle, () => tickle.at('ed-step-run-1').fill('250us'));
      const text = await value(tickle, 'ed-steps');
      check(text.endsWith('compute 250 µs\nyield'), text);
      await tickle.at('ed-steps').fill(`${text}\nsleep 3 ms`);
      await tickle.at('ed-steps-problem').filter({ hasText: 'without a compute before it' }).waitFor();
      await reruns(tickle, () => tickle.at('ed-steps').fill('compute 2ms, yield, compute 1ms, sleep 5ms'));
      equal(await value(tickle, 'ed-step-sleep-1'), '5 ms', 'the row');
    }));

  test('a smaller machine says who is left over, and fits them', () =>
    withPage(address, {}, async (tickle) => {
      await tickle.preset(11);
      await edit(tickle);
      const digest = await tickle.text('digest');
      await tickle.at('tab-machine').click();
      await tickle.at('ed-cores').fill('2');
      await tickle.at('editor-state').filter({ hasText: 'fields need another value' }).waitFor();
      equal(await tickle.text('digest'), digest, 'the run');
      await reruns(tickle, () => tickle.at('fit').click());
      equal(await tickle.at('now-table').locator('tbody tr').count(), 4, 'pCPUs');
      await reruns(tickle, () => tickle.at('undo').click().then(() => tickle.at('ed-cores').fill('8')));
      equal(await tickle.at('now-table').locator('tbody tr').count(), 16, 'pCPUs');
    }));

  test('a change under way and a parameter count', () =>
    withPage(address, {}, async (tickle) => {
      await edit(tickle);
      await tickle.at('tab-changes').click();
      await tickle.at('change-add').click();
      await tickle.at('ed-change-kind-0').selectOption('hard affinity');
      await tickle.at('ed-change-time-0').fill('20 ms');
      await reruns(tickle, () => tickle.at('ed-change-mask-0').fill('3'));
      await tickle.at('tab-parameters').click();
      await reruns(tickle, () => tickle.at('ed-tslice').fill('5ms'));
      await tickle.at('ed-tslice').press('Enter');
      equal(await value(tickle, 'ed-tslice'), '5 ms', 'the slice');
      await tickle.at('ed-ratelimit').fill('50 us');
      await tickle
        .at('ed-ratelimit-problem')
        .filter({ hasText: 'Rate limit is 50 µs; it must be off or 100 µs to 500 ms.' })
        .waitFor();
      await tickle.at('ed-ratelimit').fill('off');
      await tickle.at('editor-state').filter({ hasText: 'Every edit runs at once.' }).waitFor();
    }));

  test('what is saved opens again, here and by a link', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      await edit(tickle);
      const digest = await reruns(tickle, () => tickle.at('ed-vcpus').fill('5'));
      await tickle.at('tab-file').click();
      const waiting = page.waitForEvent('download');
      await tickle.at('save-file').click();
      const download = await waiting;
      equal(download.suggestedFilename(), 'scenario.json', 'the name');
      const text = await readFile(await download.path(), 'utf8');
      equal(await value(tickle, 'ed-json'), text, 'what stands in the editor');
      await tickle.at('copy-file').click();
      await tickle.at('notice').first().waitFor();
      equal(await page.evaluate(() => navigator.clipboard.readText()), text, 'what is copied');
      await tickle.preset(3);
      equal(await reruns(tickle, () => tickle.at('ed-json').fill(text)), digest, 'pasted');
      const own = JSON.parse(text);
      own.domains[0].weight = 0;
      await tickle.at('ed-json').fill(JSON.stringify(own));
      await tickle.at('ed-json-problem').filter({ hasText: 'weight 0' }).waitFor();
      await page.keyboard.press('Control+z');
      await tickle.settled();
      const link = await tickle.link();
      await withPage(address, { link }, async (other) => {
        equal(await other.notices(), [], 'bars');
      });
      await drop(tickle, 'own.json', JSON.parse(text));
      await tickle.settled();
      equal(await tickle.text('digest'), digest, 'dropped');
      await tickle.link();
      await page.reload();
      await tickle.settled();
      equal(await tickle.text('digest'), digest, 'reloaded');
    }));

  test('a dropped file is taken back like any edit', () =>
    withPage(address, {}, async (tickle) => {
      await edit(tickle);
      const digest = await tickle.text('digest');
      const dropped = await reruns(tickle, () => drop(tickle, 'small.json', small()));
      equal(await reruns(tickle, () => tickle.at('undo').click()), digest, 'undone');
      check((await option(tickle)) !== 'small', 'the preset’s name');
      equal(await reruns(tickle, () => tickle.at('redo').click()), dropped, 'done again');
    }));

  test('keys: e opens, fields keep their letters, Escape closes, other fields keep Ctrl+Z', () =>
    withPage(address, {}, async (tickle) => {
      const { page } = tickle;
      await edit(tickle);
      const cursor = await tickle.cursor();
      await tickle.at('tab-parameters').click();
      await tickle.at('ed-note').fill('');
      await tickle.at('ed-note').pressSequentially('b. e?');
      equal(await value(tickle, 'ed-note'), 'b. e?', 'the note');
      equal(await tickle.cursor(), cursor, 'the cursor');
      await page.keyboard.press('Escape');
      await tickle.at('editor').waitFor({ state: 'detached' });
      const digest = await tickle.text('digest');
      await page.keyboard.press('Control+z');
      await page.keyboard.press('e');
      await tickle.at('editor').waitFor();
      equal(await value(tickle, 'ed-note'), 'b. e?', 'closed, nothing is taken back');
      equal(await tickle.text('digest'), digest, 'the run');
    }));

  for (const [scheme, width, height, touch] of [
    ['light', 1440, 900, false],
    ['dark', 1280, 720, false],
    ['dark', 390, 844, true],
  ]) {
    test(`axe finds nothing serious and nothing is too wide, ${scheme}, ${width}×${height}`, () =>
      withPage(address, { scheme, width, height, touch }, async (tickle) => {
        const { page } = tickle;
        await page.evaluate(await readFile(AXE, 'utf8'));
        await edit(tickle);
        await tickle.at('ed-weight').fill('x');
        for (const tab of ['guests', 'machine', 'parameters', 'changes', 'file']) {
          await tickle.at(`tab-${tab}`).click();
          if (tab === 'changes') await tickle.at('change-add').click();
          const { violations } = await page.evaluate(() => window.axe.run());
          const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
          equal(
            serious.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`),
            [],
            tab,
          );
          const wide = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
          check(await page.evaluate(wide), `${tab} is wider than the screen`);
        }
      }));
  }

  test('by touch: a workload is chosen and a pCPU tapped', () =>
    withPage(address, { width: 390, height: 844, touch: true }, async (tickle) => {
      await tickle.at('edit').tap();
      await reruns(tickle, () => tickle.at('ed-kind').selectOption('periodic'));
      await reruns(tickle, () => tickle.at('ed-hard-p2').tap());
      equal(await value(tickle, 'ed-hard'), '0,1,3', 'the list');
    }));
}
