import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import type { RunningLab } from '../lab.ts';
import { readLog } from '../readLog.ts';
import { whyNot } from '../testing/needs.ts';
import { descendantsOf, filterAlive } from '../testing/processes.ts';
import { ask } from '../testing/requests.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { workersIn } from '../testing/together.ts';
import { createJpegWriter } from '#core/work/journey/jpeg.ts';
import { ACCOUNTS, CAMPAIGNS, hashedPassword } from './data.ts';
import { surveyLab } from './lab.ts';

const photoOf = createJpegWriter(98_831);

const missing = await surveyLab.missing(process.env);
const reason = await whyNot(missing);
const noPostgresql = await whyNot(missing.map((one) => ({ ...one, needed: true })));
const [ada = { username: '', password: '' }] = ACCOUNTS;
const [campaign = { urn: '', created: '' }] = CAMPAIGNS;
const PHOTO_BYTES = 98_831;
/** Size of a photo, including the photo's two smaller versions. */
const PHOTO_FILES = PHOTO_BYTES + 3_175 + 2_632;

const startedLabs: RunningLab[] = [];
async function start(givenOptions: GivenOptions = {}): Promise<RunningLab> {
  const lab = await surveyLab.start(
    { 'stream-rows': 1_000, responses: 100, 'service-ms': 0, 'upload-ms': 0, ...givenOptions },
    testSurroundings(),
  );
  startedLabs.push(lab);
  return lab;
}
afterEach(async () => {
  for (const lab of startedLabs.splice(0)) await lab.stop();
});

const urlOf = (lab: RunningLab): string => lab.urls[0] ?? '';

/** Posts the parameters as a form. Returns the body, or the status if it is not 200. */
async function postForm(lab: RunningLab, path: string, fields: Record<string, string> | FormData): Promise<unknown> {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
  const receivedResponse = await fetch(`${urlOf(lab)}app/${path}`, { method: 'POST', body });
  return receivedResponse.status === 200 ? receivedResponse.json() : (await receivedResponse.arrayBuffer(), receivedResponse.status);
}

async function makeToken(lab: RunningLab, account = ada): Promise<string> {
  const received = await postForm(lab, 'user/auth_token', { user: account.username, password: account.password, client: 'ohmage-gwt' });
  expect(received).toMatchObject({ result: 'success', token: expect.any(String) });
  return (received as { token: string }).token;
}

function survey(photo: string | null): FormData {
  const form = new FormData();
  const filled = {
    survey_key: randomUUID(),
    time: 1_378_300_000_000,
    timezone: 'America/Los_Angeles',
    survey_id: 'snackSurvey',
    survey_launch_context: { launch_time: 1_378_300_000_000, launch_timezone: 'America/Los_Angeles', active_triggers: [] },
    location_status: 'unavailable',
    responses: [
      { prompt_id: 'SnackPhoto', value: photo ?? 'SKIPPED' },
      ...Array.from({ length: 9 }, (_, index) => ({ prompt_id: `prompt${index}`, value: index })),
    ],
  };
  form.set('client', 'ohmage-android');
  form.set('campaign_urn', campaign.urn);
  form.set('campaign_creation_timestamp', campaign.created);
  form.set('surveys', JSON.stringify([filled]));
  if (photo !== null) form.set(photo, new File([Buffer.from(photoOf(photo))], 'photo.jpg', { type: 'image/jpeg' }));
  return form;
}

async function upload(lab: RunningLab, form = survey(randomUUID()), account = ada): Promise<unknown> {
  form.set('user', account.username);
  form.set('password', hashedPassword(account));
  return postForm(lab, 'survey/upload', form);
}

const runAction = async (lab: RunningLab, action: string): Promise<unknown> =>
  (await fetch(`${lab.control}actions/${action}`, { method: 'POST' })).json();

const getGauge = async (lab: RunningLab, name: string): Promise<number> => {
  const gauges: unknown = await (await fetch(`${lab.control}gauges`)).json();
  return z.record(z.string(), z.number()).parse(gauges)[name] ?? NaN;
};

describe.each([
  ['postgresql', noPostgresql],
  ['sqlite', reason],
] as const)('the practice server survey-lab on %s', (database, lacking) => {
  describe.skipIf(lacking !== null)(lacking ?? 'with all it needs', () => {
    let lab: RunningLab;
    let pids: number[];
    beforeAll(async () => {
      const before = await descendantsOf(process.pid);
      lab = await surveyLab.start({ 'stream-rows': 1_000, responses: 100, 'service-ms': 0, 'upload-ms': 0, database }, testSurroundings());
      pids = (await descendantsOf(process.pid)).filter((pid) => !before.includes(pid));
    });
    afterAll(() => lab?.stop());

    it('reads streams of rows from its database', async () => {
      const auth_token = await makeToken(lab);
      const stream = { auth_token, client: 'ohmage-gwt', observer_id: 'edu.ucla', stream_version: '1' };
      const counts = await Promise.all(
        ['sparse', 'moderate', 'frequent'].map((stream_id) => postForm(lab, 'stream/read', { ...stream, stream_id })),
      );
      // The streams have one per cent, ten per cent and all of the rows, spread over ten owners.
      expect(counts).toMatchObject([1, 10, 100].map((count) => ({ result: 'success', metadata: { count } })));
      expect(
        await postForm(lab, 'stream/read', { ...stream, stream_id: 'frequent', num_to_skip: '90', num_to_return: '30' }),
      ).toMatchObject({ metadata: { count: 10 } });
      // An unknown stream or version is not reported as an error.
      const nothing = { result: 'success', metadata: { count: 0 }, data: [] };
      expect(await postForm(lab, 'stream/read', { ...stream, stream_id: 'none' })).toEqual(nothing);
      expect(await postForm(lab, 'stream/read', { ...stream, stream_id: 'frequent', stream_version: '2' })).toEqual(nothing);
      const { stream_version: _version, ...withoutVersion } = stream;
      expect(await postForm(lab, 'stream/read', { ...withoutVersion, stream_id: 'frequent' })).toMatchObject({
        result: 'failure',
        errors: [{ code: '1508' }],
      });
      const ofNobody = { ...stream, auth_token: await makeToken(lab, ACCOUNTS[150]) };
      expect(await postForm(lab, 'stream/read', { ...ofNobody, stream_id: 'frequent' })).toEqual(nothing);
    });

    it("responds to the front end's calls, with status 200 even for failures", async () => {
      const auth_token = await makeToken(lab);
      const base = { auth_token, client: 'ohmage-gwt', output_format: 'json-rows' };
      expect(await postForm(lab, 'user/whoami', base)).toEqual({ result: 'success', username: ada.username });
      for (const path of ['config/read', 'user_info/read', 'class/read', 'user/read'])
        expect(await postForm(lab, path, base)).toMatchObject({ result: 'success', data: {} });
      expect(await postForm(lab, 'campaign/read', { ...base, output_format: 'long', campaign_urn_list: campaign.urn })).toMatchObject({
        data: { [campaign.urn]: { creation_timestamp: campaign.created, xml: expect.stringContaining('<campaign>') } },
      });
      const wanted = { user_list: 'urn:ohmage:special:all', column_list: 'urn:ohmage:user:id' };
      const unlisted = { ...base, campaign_urn: campaign.urn, ...wanted };
      const read = { ...unlisted, survey_id_list: 'urn:ohmage:special:all' };
      for (const both of [unlisted, { ...read, prompt_id_list: 'mood' }])
        expect(await postForm(lab, 'survey_response/read', both)).toMatchObject({ result: 'failure', errors: [{ code: '0618' }] });
      expect(await postForm(lab, 'survey_response/read', { ...read, survey_id_list: 'other' })).toMatchObject({ data: [] });
      const { survey_id_list: _surveys, ...byPrompt } = { ...read, prompt_id_list: 'mood' };
      expect(await postForm(lab, 'survey_response/read', byPrompt)).toMatchObject({ metadata: { number_of_surveys: 34 } });
      const users = await postForm(lab, 'survey_response/read', { ...read, collapse: 'true' });
      expect((users as { data: unknown[] }).data).toHaveLength(10);
      const rows = await postForm(lab, 'survey_response/read', read);
      expect((rows as { data: unknown[] }).data).toHaveLength(34);
      const listed = ACCOUNTS.slice(8, 12).map(({ username }) => username);
      const ofSome = await postForm(lab, 'survey_response/read', { ...read, user_list: listed.join(',') });
      expect(ofSome).toMatchObject({ metadata: { number_of_surveys: 7 } });
      const ofNobody = await postForm(lab, 'survey_response/read', { ...read, user_list: 'nobody' });
      expect(ofNobody).toMatchObject({ result: 'success', data: [] });
      const { column_list: _columns, ...withoutColumns } = read;
      expect(await postForm(lab, 'survey_response/read', withoutColumns)).toMatchObject({
        result: 'failure',
        errors: [{ code: '0624', text: expect.stringContaining('column_list') }],
      });
      expect(await postForm(lab, 'survey_response/function/read', read)).toMatchObject({ result: 'success' });
      expect(await postForm(lab, 'user/auth_token', { user: ada.username, password: 'no', client: 'x' })).toMatchObject({
        result: 'failure',
      });
      expect(await postForm(lab, 'user/whoami', { client: 'x', auth_token: 'forged' })).toMatchObject({
        result: 'failure',
        errors: [{ code: '0200' }],
      });
      expect((await ask(`${urlOf(lab)}app/config/read`)).status).toBe(200);
      expect((await ask(`${urlOf(lab)}app/class/read`)).status).toBe(405);
      expect((await ask(`${urlOf(lab)}web/`)).body).toContain('<html');
    });

    it('stores surveys and photos, and judges them by their content', async () => {
      await runAction(lab, 'forget-uploads');
      const photo = randomUUID();
      const form = survey(photo);
      expect(await upload(lab, form)).toEqual({ result: 'success' });
      // A repeated upload is not stored again.
      expect(await upload(lab, form)).toEqual({ result: 'success' });
      expect(await upload(lab, survey(null))).toEqual({ result: 'success' });
      expect(await runAction(lab, 'count-stored')).toEqual({ responses: 2, 'all responses': 102, photos: 1, bytes: PHOTO_FILES });
      expect((await ask(`${urlOf(lab)}app/image/read?id=${photo}`)).headers['content-length']).toBe(String(PHOTO_BYTES));
      expect((await ask(`${urlOf(lab)}app/image/read?id=../data`)).status).toBe(405);
      const lost = randomUUID();
      const without = survey(lost);
      without.delete(lost);
      const wrongCampaign = survey(null);
      wrongCampaign.set('campaign_urn', 'urn:other');
      const noSurveys = survey(null);
      noSurveys.set('surveys', 'no');
      const outOfDate = survey(null);
      outOfDate.set('campaign_creation_timestamp', '2013-09-04 12:00:01');
      const noise = survey(lost);
      noise.set(lost, new File([new Uint8Array(PHOTO_BYTES)], 'photo.jpg', { type: 'image/jpeg' }));
      for (const [bad, code] of [
        [without, '0600'],
        [wrongCampaign, '0700'],
        [outOfDate, '0710'],
        [noSurveys, '0600'],
        [noise, '0803'],
      ] as const)
        expect(await upload(lab, bad)).toMatchObject({ result: 'failure', errors: [{ code }] });
      const wrong = { username: ada.username, password: 'wrong' };
      const unknown = { result: 'failure', errors: [{ code: '0200', text: 'Unknown user or incorrect password.' }] };
      expect(await upload(lab, survey(null), wrong)).toEqual(unknown);
      const { username: user, password } = ada;
      expect(await postForm(lab, 'user/auth', { user, password: 'wrong', client: 'x' })).toEqual(unknown);
      expect(await postForm(lab, 'user/auth', { user, password, client: 'x' })).toEqual({
        result: 'success',
        hashed_password: hashedPassword(ada),
      });
      // The plain-text password works only for the login.
      expect(await postForm(lab, 'user/whoami', { user, password, client: 'x' })).toEqual(unknown);
      const byCookie = await fetch(`${urlOf(lab)}app/survey/upload`, {
        method: 'POST',
        headers: { Cookie: `auth_token=${await makeToken(lab)}` },
        body: survey(null),
      });
      expect(await byCookie.json()).toMatchObject({ result: 'failure', errors: [{ text: expect.stringContaining('parameter') }] });
      expect(await runAction(lab, 'count-stored')).toEqual({ responses: 2, 'all responses': 102, photos: 1, bytes: PHOTO_FILES });
      expect(await (await fetch(`${lab.control}gauges`)).json()).toMatchObject({
        'responses stored': 2,
        'photos stored': 1,
        'busy threads': 0,
      });
    });

    it('reads fewer blocks after a clean-up or after a column was dropped, with the same responses', async () => {
      const lab = await start({ database, responses: 900, holes: 1, 'spare-column-bytes': 500, 'list-query': 'portions' });
      const auth_token = await makeToken(lab);
      const timeListing = {
        auth_token,
        client: 'x',
        campaign_urn: campaign.urn,
        user_list: 'urn:ohmage:special:all',
        survey_id_list: 'urn:ohmage:special:all',
        output_format: 'json-rows',
      };
      const read = async (): Promise<unknown> => [
        await postForm(lab, 'survey_response/read', { ...timeListing, column_list: 'urn:ohmage:user:id', collapse: 'true' }),
        await postForm(lab, 'survey_response/read', { ...timeListing, column_list: 'urn:ohmage:survey:id' }),
      ];
      const [before, blocks] = [await read(), await getGauge(lab, 'blocks of responses')];
      expect(before).toMatchObject([{ metadata: { number_of_surveys: 10 } }, { metadata: { number_of_surveys: 300 } }]);
      const shares: number[] = [];
      // Dropping the column twice is no error.
      for (const action of ['put-in-order', 'drop-column', 'drop-column', 'rewrite-query']) {
        expect(await runAction(lab, action)).toEqual({});
        expect(await read()).toEqual(before);
        shares.push((await getGauge(lab, 'blocks of responses')) / blocks);
      }
      const [inOrder = 1, dropped = 1] = shares;
      expect([inOrder > 0.45, inOrder < 0.55, dropped > 0.2, dropped < 0.3]).toEqual([true, true, true, true]);
    });

    it('drops and creates its index, and leaves nothing behind when it is stopped', async () => {
      for (const action of ['drop-index', 'create-index', 'create-index']) expect(await runAction(lab, action)).toEqual({});
      const directory = dirname(dirname(lab.logs['nginx'] ?? ''));
      const seen = (await readLog(lab.logs['nginx'] ?? '')).length;
      await expect.poll(async () => (await readLog(lab.logs['survey'] ?? '')).length).toBe(seen);
      await lab.stop();
      expect([filterAlive(pids), existsSync(directory)]).toEqual([[], false]);
    });
  });
});

describe.skipIf(reason !== null)(reason ?? 'the threads of survey-lab', () => {
  it('work on the configured number of requests at once, and requests beyond the queue get no response', async () => {
    const lab = await start({ database: 'sqlite', threads: 3, queue: 3, 'service-ms': 150 });
    const responses = await Promise.all(Array.from({ length: 8 }, () => ask(`${urlOf(lab)}app/config/read?n=8`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 502, 502]);
    const completeLines = async () => (await readLog(lab.logs['survey'] ?? '')).filter((line) => line.complete);
    await expect.poll(async () => (await completeLines()).length).toBe(6);
    const lines = await completeLines();
    const { workers, medianMs } = workersIn(lines);
    expect([lines.length, workers, medianMs > 147, medianMs < 240]).toEqual([6, 3, true, true]);
  });

  it('serve requests that found the queue full when the requests retry, unless the proxy times out first', async () => {
    const faults = { 'when-full': 'ignore', 'proxy-timeout-ms': 2_500 };
    const lab = await start({ database: 'sqlite', threads: 1, queue: 1, 'service-ms': 200, ...faults });
    const responses = await Promise.all(Array.from({ length: 5 }, () => ask(`${urlOf(lab)}app/config/read`)));
    // Two are processed at once, and two of those that retry after a second. The fifth would be retried another two seconds later.
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 504]);
  });

  it('complete uploads after the proxy has timed out', async () => {
    const lab = await start({ database: 'sqlite', 'proxy-timeout-ms': 200, 'upload-ms': 600 });
    expect(await upload(lab)).toBe(504);
    await expect.poll(() => runAction(lab, 'count-stored'), { timeout: 30_000 }).toMatchObject({ responses: 1, photos: 1 });
  });

  it('run on machines with the configured cores, memory and disk, each at its own address', async () => {
    const settings = { machines: true, index: false, cores: 2, 'cpu-ms': 150, 'disk-ms': 4, 'memory-mb': 0 };
    const lab = await start({ database: 'sqlite', ...settings });
    const blocks = await getGauge(lab, 'blocks of streams');
    const stream = { observer_id: 'lab', stream_version: '1', num_to_return: '7' };
    const input = { user: ada.username, password: hashedPassword(ada), client: 'x', ...stream };
    const read = async (base: string): Promise<void> => {
      const receivedResponse = await fetch(`${base}app/stream/read/chatty`, { method: 'POST', body: new URLSearchParams(input) });
      expect(await receivedResponse.json()).toMatchObject({ result: 'success', metadata: { count: 7 } });
    };
    const getTimes = async (path: string): Promise<number[]> => {
      const lines = async () => (await readLog(lab.logs['survey'] ?? '')).filter((line) => line.path === path);
      await expect.poll(lines, { timeout: 30_000 }).toHaveLength(4);
      return (await lines()).map(({ ms }) => ms);
    };
    const machines = lab.addresses.filter(({ label }) => label.startsWith('Machine of'));
    expect(machines).toHaveLength(8);
    const own = machines.find(({ label }) => label === 'Machine of 8 GB with 4 cores')?.url ?? '';
    for (const base of [urlOf(lab), urlOf(lab), own, own]) await read(base);
    expect(blocks).toBeGreaterThan(50);
    const fromDisk = 150 + blocks * 4 - 5;
    // Without memory, every read is slow; with memory, only the first read is.
    expect((await getTimes('/app/stream/read/chatty')).map((ms) => ms >= fromDisk)).toEqual([true, true, true, false]);
    await Promise.all(Array.from({ length: 4 }, () => ask(`${urlOf(lab)}app/config/read?cores`)));
    const [, , third = 0, fourth = 0] = (await getTimes('/app/config/read?cores')).sort((left, right) => left - right);
    // The third and the fourth request wait for a core. If each had its own core, they would take 150 ms.
    expect([third > 225, fourth > 225]).toEqual([true, true]);
  });

  it.skipIf(noPostgresql !== null)(
    'fail with status 200 if the database allows no more connections, or if no connection in the pool becomes free in time',
    async () => {
      const settings = { database: 'postgresql', 'upload-holds-connection': true, 'upload-ms': 900 };
      const failed = { result: 'failure', errors: [{ code: '0103', text: 'General server error.' }] };
      const uploadTogether = async (lab: RunningLab): Promise<unknown[]> => {
        const responses = await Promise.all(Array.from({ length: 8 }, () => upload(lab)));
        return responses.filter((received) => JSON.stringify(received) === JSON.stringify(failed));
      };
      const limitedLab = await start({ ...settings, 'database-limit': 6 });
      // A connection that has just ended may still be counted.
      const refused = (await uploadTogether(limitedLab)).length;
      expect(refused).toBeGreaterThanOrEqual(2);
      expect(await getGauge(limitedLab, 'responses stored')).toBe(8 - refused);
      const waitingLab = await start({ ...settings, connections: 3, 'pool-wait-ms': 300 });
      expect(await uploadTogether(waitingLab)).toHaveLength(5);
      expect(await getGauge(waitingLab, 'responses stored')).toBe(3);
    },
  );

  it('return rows in pages with the address of the next page, and compress them on request', async () => {
    const lab = await start({ database: 'sqlite', 'page-rows': 40 });
    const input = { auth_token: await makeToken(lab), client: 'x', observer_id: 'lab', stream_version: '1', stream_id: 'frequent' };
    const read = (skip: number) => postForm(lab, 'stream/read', { ...input, num_to_skip: String(skip) });
    const pages = [await read(0), await read(40), await read(80)] as { metadata: Record<string, unknown>; data: unknown[] }[];
    expect(pages.map(({ data }) => data.length)).toEqual([40, 40, 20]);
    expect(pages.map(({ metadata }) => Object.keys(metadata))).toEqual([
      ['count', 'next'],
      ['count', 'previous', 'next'],
      ['count', 'previous'],
    ]);
    expect(pages[1]?.metadata['next']).toContain('num_to_skip=80&num_to_return=40');
    expect(await postForm(lab, 'stream/read', { ...input, num_to_return: '41' })).toMatchObject({ errors: [{ code: '0309' }] });
    // A full last page links to an empty one.
    const last = await postForm(lab, 'stream/read', { ...input, num_to_skip: '100' });
    expect(last).toEqual({ result: 'success', metadata: { count: 0, previous: expect.any(String) }, data: [] });
    const readAs = async (coding: string): Promise<void> => {
      const body = new URLSearchParams(input);
      const response = await fetch(`${urlOf(lab)}app/stream/read`, { method: 'POST', headers: { 'Accept-Encoding': coding }, body });
      expect([response.headers.get('content-encoding'), ((await response.json()) as { data: unknown[] }).data.length]).toEqual([
        coding === 'gzip' ? 'gzip' : null,
        40,
      ]);
    };
    for (const coding of ['gzip', 'identity']) await readAs(coding);
  });

  it('take longer for each row if configured', async () => {
    const lab = await start({ database: 'sqlite', 'row-ms': 3 });
    const input = { user: ada.username, password: hashedPassword(ada), client: 'x', observer_id: 'lab', stream_version: '1' };
    const startedMs = performance.now();
    expect(await postForm(lab, 'stream/read', { ...input, stream_id: 'frequent' })).toMatchObject({ metadata: { count: 100 } });
    expect(performance.now() - startedMs).toBeGreaterThan(297);
  });

  it('have a cold list at first, and again after the cache was emptied', async () => {
    const lab = await start({ database: 'sqlite', 'cold-cache': true, 'cold-ms': 300 });
    const auth_token = await makeToken(lab);
    const timeListing = async (): Promise<boolean> => {
      const startedMs = performance.now();
      const input = {
        auth_token,
        client: 'x',
        campaign_urn: campaign.urn,
        user_list: 'urn:ohmage:special:all',
        survey_id_list: 'urn:ohmage:special:all',
        column_list: 'urn:ohmage:user:id',
        output_format: 'json-rows',
        collapse: 'true',
      };
      expect(await postForm(lab, 'survey_response/read', input)).toMatchObject({ result: 'success' });
      return performance.now() - startedMs >= 299;
    };
    expect([await timeListing(), await timeListing()]).toEqual([true, false]);
    await runAction(lab, 'empty-cache');
    expect(await timeListing()).toBe(true);
  });
});
