import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { surveyLab } from '#lab/survey-lab/lab.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import type { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { startHoldfast, type ServingProcess } from '../processes.ts';

const missingPrograms = await surveyLab.missing(process.env);
const lackReason = await whyNot(missingPrograms.map((one) => ({ ...one, needed: true })));
const gaugesSchema = z.looseObject({ 'responses stored': z.int(), 'photos stored': z.int() });
const QUESTION = 'Can our survey server handle all our classes?';
const GOOD_VERDICT = /^(Passed|Inconclusive)/;

test.describe('the survey server', () => {
  test.skip(lackReason !== null, lackReason ?? '');
  let lab: ServingProcess;
  let accounts: string;
  test.beforeAll(async ({ home }) => {
    lab = await startHoldfast(['lab', 'survey-lab', '--queue', '80', '--when-full', 'ignore'], home);
    accounts = join(home, 'accounts.csv');
    await writeFile(accounts, await (await fetch(new URL('accounts.csv', controlUrl()))).text());
  });
  test.afterAll(() => lab.stop());

  /** Returns the last address that was printed, without the text that follows it. */
  const controlUrl = (): string => lab.urls.at(-1)?.replace(/(?:gauges\)?|\))$/, '') ?? '';
  const readStored = async () => gaugesSchema.parse(await (await fetch(new URL('gauges', controlUrl()))).json());

  /** Proceeds from the question to “How much load?”. */
  async function prepare(app: AppPage, choice: string): Promise<{ wizard: WizardPage; run: RunPage }> {
    const wizard = new WizardPage(app.page);
    await wizard.open();
    await wizard.choose(QUESTION);
    await wizard.choose(choice);
    if (choice.startsWith('phones')) await look(app.page, 'ohmage-1-question', ['narrow']);
    await wizard.next('Which server?');
    await wizard.address.fill(lab.urls[0] ?? '');
    await wizard.next('How much load?');
    await app.page.getByRole('textbox', { name: 'Where is the file of accounts?' }).fill(accounts);
    // The button that starts the practice server was not pressed, so the address alone would count as a real server.
    const practice = app.page.getByRole('radio', { name: /^a practice server/ });
    if (!choice.startsWith('reading')) {
      // A real server accepts uploads only for its own campaign, survey and prompts, so the page asks for all of these.
      await wizard.expectShortLoad(1_600);
      await wizard.openPart('Advanced');
      await practice.check({ force: true });
    }
    return { wizard, run: new RunPage(app.page) };
  }

  test('stores the uploads that it acknowledges to phones', { tag: ['@preset', '@ohmage', '@quick'] }, async ({ app }) => {
    test.setTimeout(600_000);
    const { wizard, run } = await prepare(app, 'phones that upload surveys with a photo');
    await wizard.enterNumber(/How many phones/, '400');
    await wizard.enterNumber(/For how many minutes/, '0.3');
    await wizard.openPart('Stage by stage');
    await expect(app.page.getByText(/40 users repeat the journey/).first()).toBeVisible();
    await look(app.page, 'ohmage-2-load', ['dark']);
    await wizard.next('Ready to start?');
    // The trial uploads a survey as well.
    await wizard.endOfTrial();
    await expect(wizard.startButton).toBeEnabled();
    const before = await readStored();
    await wizard.start();
    await expect(await run.verdict(90_000)).toHaveText(GOOD_VERDICT);
    await run.unfold('Coverage');
    await expect(app.page.getByRole('listitem').filter({ hasText: 'each phone as a random user' })).toBeVisible();
    await look(app.page, 'ohmage-3-result', ['light']);

    const { requestsByStep, stages } = await run.result();
    expect(stages.map(({ level }) => level.highest)).toEqual([10, 20, 40]);
    const uploads = requestsByStep['upload'];
    expect(uploads?.ok).toBeGreaterThan(60);
    expect(uploads?.ok).toBe(uploads?.sent);
    expect(requestsByStep['read back']?.ok).toBe(uploads?.ok);
    const after = await readStored();
    expect(after['responses stored'] - before['responses stored']).toBe(uploads?.ok);
    expect(after['photos stored'] - before['photos stored']).toBe(uploads?.ok);
    const { path } = await run.save('JMeter columns');
    expect(await readFile(path, 'utf8')).toMatch(/^Stage: all\nLabel .*90% Line.*Throughput\n[\s\S]*^upload +\d+ /m);
  });

  test('is read row by row, first with a cold cache', { tag: '@nightly' }, async ({ app }) => {
    test.setTimeout(600_000);
    const { wizard, run } = await prepare(app, 'reading rows, one after the other');
    await wizard.enterNumber(/How many times is each set/, '70');
    await wizard.next('Ready to start?');
    await wizard.start();
    await expect(await run.verdict(60_000)).toHaveText(GOOD_VERDICT);
    const { stages, steps } = await run.result();
    // All rows of a user are read each time: 20, 200 and 2,000 rows, compressed. A full page links to another page, which is empty.
    const most = steps.find(({ name }) => name === 'most rows');
    expect(most?.requests.ok).toBe(2 * 71);
    expect((most?.bytes.body ?? 0) / (most?.requests.ok ?? 0)).toBeLessThan(100_000);
    expect(stages.map(({ name, requests }) => [name, requests.ok])).toEqual([
      ['first time', 5],
      ['again', 350],
    ]);
  });

  test('serves the downloads of teachers in order, one request after the other', { tag: '@nightly' }, async ({ app }) => {
    test.setTimeout(600_000);
    const { wizard, run } = await prepare(app, 'teachers who view the submitted surveys');
    await wizard.enterNumber(/How many teachers/, '40');
    await wizard.enterNumber(/For how many minutes/, '0.3');
    await wizard.next('Ready to start?');
    await wizard.start();
    await run.verdict(60_000);
    const { steps, requestsByStep } = await run.result();
    expect(steps.map(({ name }) => Number(name.slice(0, 2)))).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    for (const { name } of steps) expect(requestsByStep[name]?.ok, name).toBeGreaterThan(0);
    // Each of three campaigns is read once, between the steps before and after.
    const countSuccessful = (line: string): number => Object.entries(requestsByStep).find(([name]) => name.startsWith(line))?.[1].ok ?? NaN;
    expect(countSuccessful('12')).toBeGreaterThanOrEqual(3 * countSuccessful('13'));
    expect(countSuccessful('12')).toBeLessThanOrEqual(3 * countSuccessful('11'));
  });
});
