import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schoolSiteLab } from '#lab/school-site/lab.ts';
import { whyNot } from '#lab/testing/needs.ts';
import type { AppPage } from './pages/AppPage.ts';
import { RunPage } from './pages/RunPage.ts';
import { WizardPage } from './pages/WizardPage.ts';
import { startHoldfast } from './processes.ts';

const QUESTION = 'How many readers can our content site handle?';

/** The school's practice site, started for one test. */
export interface SchoolSite {
  readonly url: string;
  /** Control address of the practice server. */
  readonly control: string;
  /** The file with the site's accounts. */
  readonly accounts: string;
  /** Returns the number of lines in a server's log. If a word is given, only lines with this word are counted. */
  logged(server: string, word?: string): Promise<number>;
  stop(): Promise<void>;
}

/** Returns the reason why the site cannot be started on this machine, or null. */
export async function schoolSiteLacks(): Promise<string | null> {
  const missing = await schoolSiteLab.missing(process.env);
  return whyNot(missing.map((one) => ({ ...one, needed: true })));
}

/** Starts the site with a shared cache. */
export async function startSchoolSite(home: string): Promise<SchoolSite> {
  const lab = await startHoldfast(['lab', 'school-site', '--cache', 'shared', '--service-ms', '40'], home);
  const control = lab.urls.at(-1)?.replace(/(?:gauges\)?|\))$/, '') ?? '';
  const accounts = join(home, 'accounts.csv');
  await writeFile(accounts, await (await fetch(new URL('accounts.csv', control))).text());
  return {
    url: lab.urls[0] ?? '',
    control,
    accounts,
    async logged(server, word = '') {
      const log = await (await fetch(new URL(`logs/${server}`, control))).text();
      return log.split('\n').filter((line) => line !== '' && line.includes(word)).length;
    },
    stop: () => lab.stop(),
  };
}

/** Proceeds from the question about the site to “How much load?”. */
export async function askAboutSite(app: AppPage, site: SchoolSite, choice: RegExp): Promise<{ wizard: WizardPage; run: RunPage }> {
  const wizard = new WizardPage(app.page);
  await wizard.open();
  await wizard.choose(QUESTION);
  await app.page.getByRole('radio', { name: choice }).press('Space');
  await wizard.next('Which server?');
  await wizard.address.fill(site.url);
  await wizard.next('How much load?');
  await wizard.expectShortLoad();
  await wizard.openPart('Advanced');
  // The button that starts the practice server was not pressed, so the address alone would count as a real site.
  await app.page.getByRole('radio', { name: 'a practice server' }).check({ force: true });
  return { wizard, run: new RunPage(app.page) };
}
