import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { RUN_FORMATS, SERIES_FORMATS } from '#contract/replies.ts';
import type { Client } from '#contract/rpc/client.ts';
import { schemaFields } from '#core/review/asks/testing/schemaFields.ts';
import { findValues } from '#core/review/asks/ask.ts';
import { toProblem } from '#core/base/errors.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';
import { makeStandIn, putOnPath, type StandIn } from '#engine/k6/testing/standIn.ts';
import { browserOfWalks } from '#tools/check/browser.ts';
import { BROWSER_VARIABLE } from './browser/findBrowser.ts';
import { printPdf } from './reports/printPdf.ts';
import { startTestBackend, type TestBackend, watchToEnd } from './testing/backend.ts';
import { canary, filesUnder, findCanaries, plantedCanaries, startEcho, watchChildren } from './testing/canaries.ts';
import { canaryPlans, canarySeries } from './testing/canaryPlans.ts';
import { planFor } from './testing/plans.ts';
import { poppler } from './testing/poppler.ts';

/** Plan fields that hold no secrets, each with the reason, for example that users see their values anyway. */
const NO_SECRET: readonly (readonly [RegExp, string])[] = [
  [/\.secret$/, 'a reference already'],
  [
    /(^|\.)(step|target|counts|preset|feed|key|unlike|gate|after|background\.(after|until)|again\.while|confirms(\[\])?|stage|as|each|forEach|flow\[\])$|^demand\.|^flow/,
    'names something else in the plan',
  ],
  [
    /\.(flags|path)$|captures\[\]\.name$|^servers\.header$|processes\[\]$|instance$|metrics\[\]$|multipart\[\]\.type$/,
    'a path, a name or a pattern of fixed letters',
  ],
  [/again\.first$/, 'a number'],
  [/items\.(one|many|done)$|^people\.(one|many)$/, 'a noun'],
  [/^people\.(milestones\.\*|items\.steps(\[\])?|name)$/, 'names something else in the plan'],
  [/^trace\.link$/, 'refused with a secret in it: trace.test.ts'],
  [/^duet\.variants\[\]$/, 'names of variants, which stand beside all their figures'],
  [/stream\.protocols\[\]$/, 'a word of a protocol'],
  [/stream\.send\.messages\[\]$/, 'hidden as bodies are: hideSecrets.test.ts'],
  [/captures\[\]\.text$/, 'hidden as form fields are: hideSecrets.test.ts'],
  [
    /captures\[\]\.(field|labels\[\])$|places\.full$/,
    'the name of a field or the words beside a choice, which the page shows to everybody',
  ],
  [/(file|bodyFile|folder|fileName|socketPath)$/, 'a file of this computer'],
  [/(host|^watchFrom|resolve\[\]|sideHosts\[\]|otherHosts\[\]|serverName|localAddresses\[\]|consentedHosts\[\])$/, 'a host'],
  [/^stored\[\]\.marker$/, 'names of values, whose texts are compared and not kept'],
  [/^watchPages\[\](\.steps\[\])?\.click$|^watchPages\[\]\.steps\[\]\.title$/, 'what stands on a button or a page, for everybody to read'],
  [/^tls\.(ca|clientCertificate\.certificate)$/, 'public by its nature'],
  [/^feeds\.\*\.secret\[\]$|multipart\[\]\.name$|monitors\[\]\.user$|auth\.user$/, 'a name of a column, a field or a user'],
];

/** All output, by the location where it appeared, which is searched for secrets. */
class CollectedOutput {
  readonly all = new Map<string, Buffer>();

  record(location: string, value: unknown): void {
    this.all.set(location, Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
  }

  /** Records the result of a call, or its error. Returns the result; null for an error. */
  async recordCall<Value>(location: string, work: Promise<Value>): Promise<Value | null> {
    try {
      const value = await work;
      this.record(location, value);
      return value;
    } catch (thrown) {
      this.record(`${location}: error`, toProblem(thrown));
      return null;
    }
  }
}

/** Records a PDF: its bytes, its inflated streams and its text. */
async function notePdf(output: CollectedOutput, location: string, html: string, folder: string): Promise<void> {
  const program = browserOfWalks() ?? (await import('@playwright/test')).chromium.executablePath();
  const pdf = await printPdf(html, program);
  const file = join(folder, 'report.pdf');
  writeFileSync(file, pdf);
  output.record(`${location}: PDF`, pdf);
  let streams = 0;
  for (const { 1: content = '' } of pdf.toString('latin1').matchAll(/\bstream\r?\n([^]*?)\r?\nendstream/g)) {
    try {
      output.record(`${location}: PDF, stream ${(streams += 1)}`, inflateSync(Buffer.from(content, 'latin1')));
    } catch {
      // A stream that is not compressed is already covered by the raw bytes.
    }
  }
  const text = await poppler('pdftotext', ['-layout', file, '-']);
  expect(text, 'the text can be read').toContain('walked');
  output.record(`${location}: PDF, text`, text);
  expect(streams).toBeGreaterThan(5);
}

/** Records the temporary files that k6 reads. */
function watchK6Folders(output: CollectedOutput): () => void {
  const look = (): void => {
    for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(`holdfast-k6-${process.pid}-`)))
      for (const file of filesUnder(join(tmpdir(), name))) output.record(`for k6: ${file}`, readFileSync(file));
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch {
      // Files may disappear while they are read.
    }
  }, 5);
  return () => clearInterval(timer);
}

describe('secrets in all positions of a plan', () => {
  let test: TestBackend;
  let echo: Awaited<ReturnType<typeof startEcho>>;
  let all: ReturnType<typeof canaryPlans>;
  let standIn: StandIn;
  let putBack: () => void;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-canaries-'));
  beforeAll(async () => {
    const feed = join(folder, 'rows.csv');
    writeFileSync(feed, 'username\nada\n');
    standIn = await makeStandIn({ journeys: 10, perSecond: 10 });
    putBack = putOnPath(standIn.folder);
    process.env['HOLDFAST_CANARY'] = canary();
    vi.stubEnv(BROWSER_VARIABLE, browserOfWalks());
    test = await startTestBackend({ runsCommands: true, visitsWithoutLoad: 1 });
    echo = await startEcho();
    all = canaryPlans(echo.url, feed, new URL(echo.url).host);
  });
  afterAll(async () => {
    delete process.env['HOLDFAST_CANARY'];
    vi.unstubAllEnvs();
    putBack();
    await standIn.remove();
    await test.close();
    echo.server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('cover every position that accepts a secret', () => {
    const isText = (schema: z.core.$ZodType): boolean =>
      !(schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum);
    const positions = [
      ...new Set(
        schemaFields(planSchema)
          .filter(({ schema }) => isText(schema))
          .map(({ path }) => path),
      ),
    ];
    const isPlanted = (path: string): boolean =>
      all.some(({ plan }) => findValues(plan, path).some(({ value }) => JSON.stringify(value ?? null).includes('canary')));
    const openPositions = positions.filter((path) => !isPlanted(path) && !NO_SECRET.some(([pattern]) => pattern.test(path)));
    expect(openPositions, 'plant a canary there, or say in NO_SECRET why none stands there').toEqual([]);
    expect(positions.filter(isPlanted).length).toBeGreaterThan(40);
  });

  it('appear only at the target', { timeout: 240_000 }, async () => {
    const output = new CollectedOutput();
    const children = watchChildren();
    const outcomes: string[] = [];
    for (const { name, plan } of all) {
      const stopLooking = plan.engine === 'k6' ? watchK6Folders(output) : () => {};
      outcomes.push(await playPlan(test.client, name, planFor('', plan), output));
      stopLooking();
    }
    await playSeries(test.client, echo.url, output);
    children.stop();
    await output.recordCall('list', test.client.call('runs.list', {}));
    const html = output.all.get('walked by the native engine: html')?.toString() ?? '';
    await notePdf(output, 'walked', z.object({ content: z.string() }).parse(JSON.parse(html)).content, folder);
    for (const file of [...filesUnder(test.dataDirectory), ...filesUnder(folder)]) output.record(file, readFileSync(file));
    for (const [index, argv] of children.argv.entries()) output.record(`argv ${index}: ${argv[0] ?? ''}`, argv);
    const ofCommands = children.argv.map(([program = '', , line = '']) => program === '/bin/sh' && line.startsWith('eval '));
    for (const [index, environ] of children.environ.entries()) {
      const own = ofCommands[index] === true ? environ.filter((variable) => !variable.startsWith('HOLDFAST_CANARY=')) : environ;
      output.record(`environ ${index}: ${children.argv[index]?.slice(0, 2).join(' ') ?? ''}`, own);
    }
    expect(ofCommands.filter(Boolean).length, 'commands ran, with the environment of whoever wrote them').toBeGreaterThan(3);

    expect([...output.all.keys()].some((location) => location.endsWith('.sqlite-wal'))).toBe(true);
    const ran = outcomes.filter((outcome) => outcome.endsWith(': ran'));
    expect(ran, outcomes.join('\n')).toEqual(
      expect.arrayContaining(['walked by the native engine: ran', 'the same requests by autocannon: ran', 'by k6: ran']),
    );
    expect(
      [...output.all.keys()].some((location) => location.endsWith('script.js')),
      'the script of k6 was seen',
    ).toBe(true);
    expect(echo.received().match(/canary\d{3}/g)?.length, 'they were sent').toBeGreaterThan(20);
    expect(children.argv.map(([program = '']) => program)).toEqual(expect.arrayContaining(['k6', 'sh', '/bin/sh']));
    const counted = { positions: plantedCanaries(), locations: output.all.size, children: children.argv.length };
    expect({ ...counted, found: findCanaries(output.all) }).toEqual({ ...counted, found: [] });
  });
});

/** Performs every action with a plan and records all output. Returns how the run ended. */
async function playPlan(client: Client, name: string, plan: ReturnType<typeof planFor>, output: CollectedOutput): Promise<string> {
  const started = await output.recordCall(`${name}: start`, client.call('runs.start', { plan }));
  if (started !== null) {
    const { runId } = started;
    output.record(`${name}: live`, await watchToEnd(client, runId));
    for (const format of RUN_FORMATS) await output.recordCall(`${name}: ${format}`, client.call('runs.export', { runId, format }));
    await output.recordCall(`${name}: samples`, client.call('runs.samples', { runId }));
    const result = await output.recordCall(`${name}: result`, client.call('runs.result', { runId }));
    if (result !== null)
      for (const kind of ['k6', 'artillery', 'curl', 'ab'] as const) output.record(`${name}: as ${kind}`, exportPlan(kind, result.plan));
  }
  if (plan.stored === undefined && plan.monitors === undefined) await output.recordCall(`${name}: try`, client.call('plans.try', { plan }));
  const going =
    plan.populate === undefined
      ? null
      : await output.recordCall(`${name}: populate`, client.call('populate.start', { plan, mode: 'create' }));
  if (going !== null) {
    const items: unknown[] = [];
    await new Promise<void>((resolve) =>
      client.open('populate.watch', { id: going.id }, { onItem: (item) => items.push(item), onEnd: () => resolve() }),
    );
    output.record(`${name}: populate live`, items);
  }
  return `${name}: ${started === null ? (output.all.get(`${name}: start: error`)?.toString().slice(0, 200) ?? '') : 'ran'}`;
}

/** Runs a series whose commands fail and print their input. */
async function playSeries(client: Client, url: string, output: CollectedOutput): Promise<void> {
  const { plan, series } = canarySeries(url);
  const document = { plan: planFor(url, plan), series: seriesSchema.parse(series) };
  const started = await output.recordCall('series: start', client.call('series.start', { document }));
  expect(started, 'the series started').not.toBeNull();
  const { seriesId } = started ?? { seriesId: '' };
  const items: unknown[] = [];
  await new Promise<void>((resolve) =>
    client.open('series.watch', { seriesId }, { onItem: (item) => items.push(item), onEnd: () => resolve() }),
  );
  output.record('series: live', items);
  await output.recordCall('series: result', client.call('series.result', { seriesId }));
  for (const format of SERIES_FORMATS) await output.recordCall(`series: ${format}`, client.call('series.export', { seriesId, format }));
}
