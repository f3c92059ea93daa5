import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import type { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { runHoldfast } from '../processes.ts';
import { Walk } from '../walk.ts';

/** Starts the exam on the practice server as a teacher does, and waits for its bell. */
async function startExam({ page }: AppPage): Promise<RunPage> {
  const wizard = new WizardPage(page);
  await page.getByText('Will our exam hold, and is any answer lost?', { exact: true }).click();
  await wizard.next('Which server?');
  await page.getByRole('button', { name: 'Start the practice server' }).click();
  await expect(wizard.address).not.toHaveValue('', { timeout: 60_000 });
  await wizard.next('How much load?');
  await look(page, 'exam-1-load');
  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeEnabled({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: /^Rehearse with 3 people/ })).toBeVisible();
  await look(page, 'exam-2-check');
  // Waits, because the click would otherwise count as the second half of a double click on Next.
  await page.waitForTimeout(600);
  await wizard.startButton.click();
  await expect(page).toHaveURL(/#\/runs\//, { timeout: 60_000 });
  const run = new RunPage(page);
  await run.waitForLive();
  await expect(page.getByRole('timer')).toBeVisible();
  return run;
}

test('an exam on the practice server takes a teacher at most eight clicks and five decisions, and can be stopped', async ({ app }) => {
  test.setTimeout(300_000);
  const { page } = app;
  const walk = new Walk(page);
  await new WizardPage(page).open();
  await walk.begin();
  const run = await startExam(app);
  const pressed = await walk.listPressed();
  expect(pressed.length, pressed.join(' · ')).toBeLessThanOrEqual(8);
  const decisions = await walk.listDecisions();
  expect(decisions.length, decisions.join(' · ')).toBeLessThanOrEqual(5);
  await look(page, 'exam-3-bell');
  await page.getByRole('button', { name: 'Call it off' }).click();
  await run.verdict(60_000);
  await expect(page.getByText('You stopped this test.')).toBeVisible();
});

test('an exam on the practice server shows the outcome of each pupil', { tag: '@nightly' }, async ({ app }) => {
  test.setTimeout(600_000);
  const { page } = app;
  await new WizardPage(page).open();
  const run = await startExam(app);
  await run.verdict(240_000);
  const pupils = page.getByRole('region', { name: 'Pupils' });
  await expect(pupils.getByText(/^The lines add up to 60 pupils\.$/)).toBeVisible();
  await expect(pupils.getByRole('table', { name: 'What became of 60 pupils' }).getByRole('row', { name: /^All pupils/ })).toContainText(
    '60',
  );
  await look(page, 'exam-4-result');
  await pupils.getByRole('button', { name: /^Each pupil/ }).click();
  await expect(pupils.getByRole('row', { name: /^pupil 1 / })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    pupils.getByRole('button', { name: 'Save each pupil as CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.trim().split('\r\n')).toHaveLength(61);
});

const COLLEAGUES_PLAN = (url: string): string =>
  JSON.stringify({
    holdfast: 1,
    name: 'Enrolment at eight',
    story: 'Everybody enrols at eight.',
    targets: [{ url }],
    journey: [{ name: 'home' }, { name: 'enrol', gate: 'eight' }],
    bells: { eight: { atSeconds: 12 } },
    load: {
      model: 'arrivals',
      stages: [
        { kind: 'count', name: 'arrival', arrivals: 6, seconds: 4 },
        { kind: 'constant', name: 'enrolment', perSecond: 0, seconds: 16 },
      ],
    },
  });

test('a plan becomes a preset, which a colleague can drop on the first page, run, stop and remove', async ({ app, contest, home }) => {
  test.setTimeout(300_000);
  const { page } = app;
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-e2e-preset-'));
  const [plan, preset] = [join(folder, 'enrolment.plan.json'), join(folder, 'enrolment.yaml')];
  await writeFile(plan, COLLEAGUES_PLAN(contest.urls[0] ?? ''));
  const made = await runHoldfast(['presets', 'from', plan, '--output', preset], home).ended;
  expect(made.code, made.output).toBe(0);
  const text = (await readFile(preset, 'utf8')).replace('takesMinutes:', 'origin: Grace, a colleague\ntakesMinutes:');
  await rm(folder, { recursive: true, force: true });

  const wizard = new WizardPage(page);
  await wizard.open();
  await drop(text.replace('takesMinutes:', 'takesHours:'));
  await expect(page.getByText('This preset cannot be added.', { exact: false })).toBeVisible();
  await expect(page.getByText('The name “takesHours” is unknown here.')).toBeVisible();
  await look(page, 'preset-1-wrong');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();

  await drop(text);
  const found = page.getByRole('region', { name: 'Preset' });
  await expect(found.getByText('Grace, a colleague')).toBeVisible();
  await look(page, 'preset-2-found');
  await found.getByRole('button', { name: 'Add this question' }).click();
  await expect(page.getByRole('radio', { name: 'Enrolment at eight' })).toBeChecked();
  await look(page, 'preset-3-added');
  await wizard.next('Which server?');
  await wizard.address.fill(contest.urls[0] ?? '');
  await wizard.next('How much load?');
  await wizard.next('Ready to start?');
  await wizard.start();
  await expect(page.getByRole('timer')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Call it off' }).click();
  await expect(page.getByText('You stopped this test.')).toBeVisible({ timeout: 60_000 });
  await look(page, 'preset-4-called-off');

  await wizard.open();
  await wizard.choose('Enrolment at eight');
  await page.getByRole('button', { name: 'Remove from the questions' }).click();
  await expect(page.getByRole('radio', { name: 'Enrolment at eight' })).toHaveCount(0);

  async function drop(content: string): Promise<void> {
    const transfer = await page.evaluateHandle((dropped) => {
      const data = new DataTransfer();
      data.items.add(new File([dropped], 'enrolment.yaml', { type: 'text/yaml' }));
      return data;
    }, content);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.dispatchEvent('dragover', { dataTransfer: transfer });
    await heading.dispatchEvent('drop', { dataTransfer: transfer });
  }
});
