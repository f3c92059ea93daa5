import { expect, test } from '@playwright/test';
import { findAxeProblems } from '../axe.ts';

const FINE_ROWS = Array.from({ length: 30 }, (_, row) => `<p class="row"><span>Row ${row} is fine</span></p>`).join('');

/** Unreadable elements among similar readable ones. Each could easily be missed, for the reason that its name states. */
const PLANTED: Readonly<Record<string, string>> = {
  colour: '<p class="row"><span id="colour" style="color: #aaa">planted</span></p>',
  ground: '<p class="row" style="background: #333"><span id="ground">planted</span></p>',
  'far-ground': '<section style="background: #333"><div><p><span id="far-ground">planted</span></p></div></section>',
  'laid-between': '<p class="row laid"><i class="bar"></i><span id="laid-between" class="laid">planted</span></p>',
  pale: '<p class="row" style="opacity: 0.4"><span id="pale">planted</span></p>',
  size: '<p class="row" style="color: #888"><b style="font-size: 24px">large enough</b> <b id="size">planted</b></p>',
  // The element follows an element that has the same colours but cannot be judged.
  'after-disabled': '<button disabled class="faint">fine</button><button id="after-disabled" class="faint">planted</button>',
  'after-unseen': '<p class="unseen faint-2">fine</p><p id="after-unseen" class="faint-2">planted</p>',
  'after-letter': '<p class="faint-3">x</p><p id="after-letter" class="faint-3">planted</p>',
  field: '<label>Name <input id="field" class="faint" value="planted"></label>',
};
const STYLE = `
  body { background: #fff; color: #222; font: 16px sans-serif; }
  .laid { position: relative; }
  .bar { position: absolute; inset: 0; background: #333; }
  .faint { color: #bbb; background: #fff; }
  .faint-2 { color: #b9b9b9; }
  .faint-3 { color: #b8b8b8; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;

test('the contrast check finds unreadable text among readable text, whatever makes it unreadable', async ({ page }) => {
  const planted = Object.values(PLANTED).join('');
  await page.setContent(
    `<!doctype html><html lang="en"><title>Colours</title><style>${STYLE}</style><main><h1>Colours</h1>${FINE_ROWS}${planted}</main>`,
  );
  const found = await findAxeProblems(page);
  expect(found).toHaveLength(1);
  const names = [...(found[0] ?? '').matchAll(/ id="([^"]*)"/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(PLANTED).toSorted());
});
