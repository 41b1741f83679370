import { mkdir, writeFile } from 'node:fs/promises';
import { close, withPage } from './lib/chromium.mjs';
import { serve } from './lib/server.mjs';
import { small } from './lib/scenarios.mjs';
const out = '/tmp/why2'; await mkdir(out, { recursive: true });
const server = await serve('dist');
const find = async (t, word) => {
  await t.page.keyboard.press('Escape');
  await t.page.keyboard.press('/'); await t.page.keyboard.press('Control+a');
  await t.page.keyboard.type(word);
  try { await Promise.race([t.moves(() => t.page.keyboard.press('Enter')), new Promise((_, r) => setTimeout(() => r(new Error('no move')), 9000))]); } catch (e) { console.log('no', word); }
  await t.page.keyboard.press('Escape');
};
const toCode = async (t, code) => { for (let i = 0; i < 60; i++) { const p = await t.press('.'); if (p.code === code) return; } console.log('none', code); };
const long = async (t, name) => {
  await t.page.screenshot({ path: `${out}/${name}.png` });
  const h = await t.page.locator('.why').evaluate((e) => e.scrollHeight);
  const v = t.page.viewportSize();
  if (v.width > 1000 && h > v.height - 200) {
    await t.page.locator('.why').evaluate((e) => e.scrollTo(0, 1e6));
    await t.page.locator('.why').screenshot({ path: `${out}/${name}-end.png` });
  }
  console.log(name, h, JSON.stringify(await t.place()));
};
const guard = async (f) => { try { await f(); } catch (e) { console.log('ERR', e.message.slice(0, 300)); } };
await guard(() => withPage(server.address, {}, async (t) => {
  await t.page.screenshot({ path: `${out}/opening.png` });
  await t.preset(14); await toCode(t, 'L1'); await long(t, 'p14-before');
  await t.flip('steal_bias'); await long(t, 'p14-after');
  await t.preset(14); await t.flip('steal_bias'); await toCode(t, 'L1'); await long(t, 'p14-after-step');
  await t.preset(10); await toCode(t, 'change'); await long(t, 'p10-change'); 
  for (let i = 0; i < 4; i++) { await t.page.keyboard.press('Shift+.'); await t.page.waitForTimeout(800); await t.settled(); await long(t, `p10-event${i}`); }
  await t.preset(12); await find(t, 'schedule'); await long(t, 'p12-schedule');
  await t.preset(9); await find(t, 'account'); await long(t, 'p9-account');
}));
await guard(() => withPage(server.address, { width: 1280, height: 720, scheme: 'dark' }, async (t) => {
  await t.preset(12); await find(t, 'schedule'); await long(t, 'd-p12-schedule');
  await t.preset(9); await find(t, 'account'); await long(t, 'd-p9-account');
}));
await guard(() => withPage(server.address, { width: 390, height: 844, touch: true, scheme: 'dark' }, async (t) => {
  await t.preset(12); await find(t, 'schedule');
  await t.page.screenshot({ path: `${out}/m-p12.png`, fullPage: true });
  await t.preset(9); await find(t, 'account');
  await t.page.screenshot({ path: `${out}/m-p9.png`, fullPage: true });
}));
await writeFile('/tmp/why2/big.json', JSON.stringify({ ...small({ pcpus: 64, vcpus: 160, ms: 60 }), name: 'big' }));
await guard(() => withPage(server.address, {}, async (t) => {
  await t.page.locator('input[type=file]').first().setInputFiles('/tmp/why2/big.json'); await t.page.waitForTimeout(1500); await t.settled();
  for (const w of ['tickle', 'balance', 'pick', 'account']) { await find(t, w); await long(t, `big-${w}`); }
}));
await close(); server.close();
