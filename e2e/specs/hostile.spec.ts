import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLANS } from '#bench/hostile/plans.ts';
import { startHostile } from '#bench/hostile/server/startHostile.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { runHoldfast } from '../processes.ts';

const SECONDS = 2;
/** The loads have few requests, because each response is hostile. */
const LOADS = {
  load: { model: 'connections', stages: [{ connections: 10, requests: 600 }] },
  journey: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.05 }, stages: [{ users: 10, seconds: SECONDS }] },
} as const;
const NAME = '<img src=x onerror=alert(1)> __proto__';

/** A script that returns which foreign texts have become part of the page or of a prototype. */
const FIND_HARM_SCRIPT = `({
  prototype: Object.keys(Object.prototype),
  elements: [...document.querySelectorAll('main :is(script, img, iframe, object, embed, a[href^="javascript:"])')].map((one) => one.outerHTML.slice(0, 200)),
})`;

test('texts from a hostile server stay text in every part of the result, and in the PDF', async ({ app, home }) => {
  test.setTimeout(180_000);
  const { page } = app;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const server = await startHostile(1);
  try {
    for (const name of ['load', 'journey'] as const) {
      const file = join(home, `hostile-${name}.json`);
      await writeFile(file, JSON.stringify({ ...PLANS[name](server, SECONDS, 'native'), load: LOADS[name], name: `${NAME} ${name}` }));
      const { code, output } = await runHoldfast(['run', file, '--quiet'], home).ended;
      expect([0, 2, 3], output).toContain(code);
      await page.getByRole('link', { name: 'History' }).first().click();
      await page
        .getByRole('link', { name: `${NAME} ${name}` })
        .first()
        .click();
      await expect(page.getByText('Request outcomes').first()).toBeVisible();
      // Parts that were expanded may contain further collapsed parts.
      await new RunPage(page).unfoldAll();
      expect(await page.evaluate(FIND_HARM_SCRIPT)).toEqual({ prototype: [], elements: [] });
      await look(page, `hostile-${name}`, ['narrow'], { knownColours: true });
    }
    const pdf = join(home, 'hostile.pdf');
    const printed = await runHoldfast(['report', 'last', '--pdf', pdf], home).ended;
    expect(printed.code, printed.output).toBe(0);
    expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(dialogs).toEqual([]);
  } finally {
    await server.stop();
  }
});
