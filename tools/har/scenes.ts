import type { Page } from '@playwright/test';
import { recordByDevTools, recordByPlaywright, type Recorder } from './browsers.ts';
import {
  account,
  askQuestion,
  behindWorker,
  logInAtContest,
  type Place,
  pollNotifications,
  read,
  refusedRequests,
  revisitShop,
  settled,
  streamsAndFailures,
  submitAndPoll,
  twoShards,
  urlOf,
  visitShop,
  type Walk,
} from './walks.ts';

/** A participant's phone, simulated by a page of the same server: a token, the campaigns, an upload with a photo, and stored data. */
const phone: Walk = async (page, place) => {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/web/home'));
  await read(page);
  await page.evaluate(
    async ({ user, password }) => {
      const post = async (path: string, body: URLSearchParams | FormData): Promise<{ token?: string }> =>
        (await fetch(`/app/${path}`, { method: 'POST', body })).json();
      const { token = '' } = await post('user/auth_token', new URLSearchParams({ user, password, client: 'phone' }));
      await post('campaign/read', new URLSearchParams({ auth_token: token, client: 'phone', output_format: 'short' }));
      const photo = '5f0c7fe6-1b0c-4a53-9d4b-2c7a0f3b1a10';
      const survey = {
        survey_key: '8d3b7a52-6a0f-4f7e-8a39-6f1f5f5f2f01',
        time: 1_700_000_000_000,
        timezone: 'America/Los_Angeles',
        survey_id: 'snackSurvey',
        survey_launch_context: { launch_time: 1_700_000_000_000, launch_timezone: 'America/Los_Angeles', active_triggers: [] },
        location_status: 'unavailable',
        responses: [
          { prompt_id: 'SnackWhen', value: 2 },
          { prompt_id: 'SnackPhoto', value: photo },
        ],
      };
      const form = new FormData();
      const fields = {
        auth_token: token,
        client: 'phone',
        campaign_urn: 'urn:campaign:lab:snack',
        campaign_creation_timestamp: '2013-09-04 12:00:00',
        surveys: JSON.stringify([survey]),
      };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set(photo, new Blob([new Uint8Array(600).fill(65)], { type: 'image/jpeg' }), 'photo.jpg');
      await post('survey/upload', form);
      const query = new URLSearchParams({
        auth_token: token,
        client: 'phone',
        campaign_urn: 'urn:campaign:lab:snack',
        user_list: user,
        column_list: 'urn:ohmage:special:all',
        output_format: 'json-rows',
        num_to_skip: '0',
        num_to_process: '2',
      });
      await (await fetch(`/app/survey_response/read?${query}`)).json();
    },
    { user: account?.username ?? '', password: account?.password ?? '' },
  );
  await settled(page);
};

/** A wrong password, with status 200 too, then the right one; a cookie identifies the user. */
const whoAmI: Walk = async (page, place) => {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/web/home'));
  await page.evaluate(
    async ({ user, password }) => {
      const logIn = (typed: string): Promise<Response> =>
        fetch('/app/user/auth_token', { method: 'POST', body: new URLSearchParams({ user, password: typed, client: 'web' }) });
      await logIn('guessed');
      await new Promise((resolve) => setTimeout(resolve, 900));
      await logIn(password);
      await (await fetch('/app/user/whoami?client=web')).json();
      await (await fetch('/app/config/read')).text();
    },
    { user: account?.username ?? '', password: account?.password ?? '' },
  );
  await settled(page);
};

async function logIn(page: Page, place: Place): Promise<void> {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/login'));
  await page.getByLabel('User name').fill(account?.username ?? '');
  await page.getByLabel('Password').fill(account?.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You are now logged in').waitFor();
  await settled(page);
}

/** An arithmetic question in a second tab; another server provides the answer. */
const practise: Walk = async (page, place) => {
  await logIn(page, place);
  await page.goto(urlOf(place, '/@@practice/select_chapter/5'));
  const seed = /Random seed: (\d+)/.exec(await page.locator('main').innerText())?.[1] ?? '';
  const template = /Template id: (\d+)/.exec(await page.locator('main').innerText())?.[1] ?? '';
  const oracle = place.addresses.find(({ label }) => /oracle/i.test(label))?.url ?? '';
  const tab = await page.context().newPage();
  await tab.goto(`${oracle}?templateId=${template}&seed=${seed}`);
  const answers: string[][] = JSON.parse(await tab.locator('body').innerText());
  await tab.close();
  const fields = page.locator('input[type="text"]');
  for (const [index, answer] of answers.flat().entries()) await fields.nth(index).fill(answer);
  await read(page, 1);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Correct!').waitFor();
  await page.getByRole('button', { name: 'Go to next question' }).click();
  await page.getByText('Random seed').waitFor();
  await settled(page);
};

/** The same pages twice: the second time most come from the browser's cache. */
const cachedPages: Walk = async (page, place) => {
  await page.goto(urlOf(place, '/'));
  await settled(page);
  const content = page.locator('main li a').first();
  const path = (await content.getAttribute('href')) ?? '';
  await page.goto(urlOf(place, path));
  await settled(page);
  await read(page);
  await page.goto(urlOf(place, '/'));
  await settled(page);
  await page.goto(urlOf(place, path));
  await settled(page);
};

/** Plain text pages, a slow one, a missing one, and an aborted one. */
const nodeErrors: Walk = async (page, place) => {
  await page.goto(urlOf(place, '/node/ping'));
  await read(page);
  await page.goto(urlOf(place, '/node/timeout'));
  await page.goto(urlOf(place, '/nowhere'));
  await page.evaluate(async () => {
    await Promise.all(['/node/ping', '/gunicorn/ping', '/node_replicated/ping'].map(async (path) => (await fetch(path)).text()));
    await fetch('/node/timeout', { signal: AbortSignal.timeout(50) }).catch(() => null);
    await fetch('/node/ping', { method: 'HEAD' });
    await fetch('/node/ping', { method: 'OPTIONS' });
  });
  await settled(page);
};

export interface Scene {
  /** Name of the recording. */
  readonly name: string;
  /** Arguments of the practice server; absent if only the shop is visited. */
  readonly lab?: readonly string[];
  readonly recorder: Recorder;
  readonly walk: Walk;
}

const contest = ['contest', '--port', '19710', '--service-ms', '5', '--evaluation-ms', '1500'];
const school = ['school-site', '--port', '19750', '--service-ms', '20'];
const survey = ['survey-lab', '--port', '19730'];
const node = ['node-vs-gunicorn', '--port', '19770', '--replicas', '1', '--service-ms', '2000'];

const withDevTools = recordByDevTools({ isSensitive: true });
/** The default of DevTools: without cookies and Authorization. */
const withoutSecrets = recordByDevTools({ isSensitive: false });

export const SCENES: readonly Scene[] = [
  { name: 'contest-question', lab: contest, recorder: recordByPlaywright, walk: askQuestion },
  { name: 'contest-submit-poll', lab: contest, recorder: recordByPlaywright, walk: submitAndPoll },
  { name: 'contest-notifications', lab: contest, recorder: recordByPlaywright, walk: pollNotifications },
  { name: 'contest-two-shards', lab: contest, recorder: recordByPlaywright, walk: twoShards },
  { name: 'contest-refused', lab: contest, recorder: recordByPlaywright, walk: refusedRequests },
  { name: 'school-practice', lab: school, recorder: recordByPlaywright, walk: practise },
  { name: 'school-cached', lab: school, recorder: recordByPlaywright, walk: cachedPages },
  { name: 'survey-phone', lab: survey, recorder: recordByPlaywright, walk: phone },
  { name: 'survey-cookie', lab: survey, recorder: recordByPlaywright, walk: whoAmI },
  { name: 'node-errors', lab: node, recorder: recordByPlaywright, walk: nodeErrors },
  { name: 'shop-visit', recorder: recordByPlaywright, walk: visitShop },
  { name: 'shop-account', recorder: recordByPlaywright, walk: account },
  { name: 'shop-worker', recorder: recordByPlaywright, walk: behindWorker },
  { name: 'shop-failures', recorder: recordByPlaywright, walk: streamsAndFailures },
  { name: 'tools-contest', lab: contest, recorder: withDevTools, walk: logInAtContest },
  { name: 'tools-contest-sanitized', lab: contest, recorder: withoutSecrets, walk: logInAtContest },
  { name: 'tools-survey-phone', lab: survey, recorder: withDevTools, walk: phone },
  { name: 'tools-shop-revisit', recorder: withDevTools, walk: revisitShop },
  { name: 'tools-shop-account-sanitized', recorder: withoutSecrets, walk: account },
];
