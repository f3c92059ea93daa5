import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createSecureServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { contestLab, type RunningContest } from '#lab/contest/contest.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { cert, key } from '#workers/testing/certificate.ts';
import { EXIT } from '../exitCodes.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

let cli: Harness;
beforeEach(async () => {
  cli = await startHarness();
});

async function startLab(): Promise<RunningContest> {
  const lab = await contestLab.start({ 'service-ms': 20 }, testSurroundings());
  onTestFinished(() => lab.stop());
  return lab;
}

function setOptions(...settings: string[]): string[] {
  return settings.flatMap((setting) => ['--set', setting]);
}

async function savedResult(): Promise<RunResult> {
  return resultSchema.parse(JSON.parse(await readFile(join(cli.directory, 'result.json'), 'utf8')));
}

const SHORT = ['load.stages[0].seconds=0.3', 'load.stages[1].seconds=1'];
/** Settings that make a run long enough for a verdict. */
const LONG_ENOUGH = ['load.stages[0].seconds=0.5', 'load.stages[1].seconds=2'];

describe('holdfast run with a preset, as browsers load pages', () => {
  const respondHello = (response: { end(text: string): void }): void => void setTimeout(() => response.end('hello'), 10);
  const runAgainst = async (server: Server, ...settings: string[]) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const done = await cli.run(
      'run',
      'plain-page',
      '--insecure',
      '--json',
      'result.json',
      ...setOptions(`target=${url}`, 'connections=2', 'seconds=1', ...settings),
    );
    return { ...done, result: await savedResult() };
  };

  it('uses HTTP/2 if the server offers it', async () => {
    const { err, result } = await runAgainst(createHttp2({ key, cert, allowHTTP1: true }, (_, response) => respondHello(response)));
    expect(err).toContain('Browsers use HTTP/2 with this server, and so does the test.');
    expect(result.plan.connections.protocol).toBe('h2');
    expect(result.outcomes.requests.ok).toBeGreaterThan(0);
    expect(result.verdict.notExercised.join()).not.toContain('HTTP/2');
  });

  it('uses HTTP/1.1 if the server lacks HTTP/2 or the user sets it', async () => {
    const { err, result } = await runAgainst(createHttps({ key, cert }, (_, response) => respondHello(response)));
    expect(err).not.toContain('HTTP/2');
    expect(result.plan.connections.protocol).toBeUndefined();
    const stated = await runAgainst(
      createHttp2({ key, cert, allowHTTP1: true }, (_, response) => respondHello(response)),
      'connections.protocol=http/1.1',
    );
    expect(stated.result.plan.connections.protocol).toBe('http/1.1');
    expect(stated.result.verdict.notExercised.join()).toContain('HTTP/2, which browsers use here');
  });
});

describe('holdfast run with a preset', () => {
  it('logs in at the practice contest, loads every shard and gives a verdict', async () => {
    const lab = await startLab();
    const [account] = lab.accounts;
    const { code, out, err } = await cli.run(
      'run',
      'cms-contest',
      '--json',
      'result.json',
      '--junit',
      'load.xml',
      ...setOptions(
        `target=${lab.urls.join(',')}`,
        `username=${account?.username}`,
        `password=${account?.password}`,
        'participants=75',
        ...LONG_ENOUGH,
      ),
    );
    expect(err).toMatch(/^holdfast: Which page do participants read\? \/tasks\/coprobber\/description, found on .*\n$/);
    const result = await savedResult();
    expect(await readFile(join(cli.directory, 'load.xml'), 'utf8')).toContain('<testsuite');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(result.verdict.sentence);
    // A busy load generator may make the run inconclusive, but must never make it fail.
    const isLimited = result.findings.some(({ id }) => id.startsWith('generatorLimited'));
    const unknown = isLimited ? [{ code: EXIT.inconclusive, outcome: 'inconclusive' }] : [];
    expect([{ code: EXIT.fine, outcome: 'passed' }, ...unknown]).toContainEqual({ code, outcome: result.verdict.outcome });
    expect(result.run.preset).toBe('cms-contest');
    expect(result.outcomes.requests.ok).toBe(lab.log.countOf('GET', '/tasks/coprobber/description', 200));
    expect(result.outcomes.requests.sent).toBe(result.outcomes.requests.ok);
    expect(result.stages.map(({ counted }) => counted)).toEqual([false, true]);
    expect(JSON.stringify(result)).not.toContain(account?.password);
  });

  it("starts the practice server, logs in, uses the server's values for the questions, and stops it", async () => {
    const { code, err } = await cli.run('run', 'cms-contest', '--lab', '--json', 'result.json', ...setOptions('participants=15', ...SHORT));
    expect(err).toContain('/tasks/coprobber/description, found on');
    const result = await savedResult();
    // On a busy computer the run may be inconclusive, but the practice server must have responded.
    expect([0, 98]).toContain(code);
    expect(result.outcomes.requests.ok).toBeGreaterThan(0);
    expect(result.outcomes.requests.ok).toBe(result.outcomes.requests.sent);
    const [target] = result.plan.targets;
    await expect(fetch(target?.url ?? '')).rejects.toThrow();
  });

  it('requests the lists of a scoreboard as the page of CMS does, and fails for other pages', async () => {
    const short = [0, 1, 2].flatMap((stage) => ['startUpSeconds', 'seconds'].map((field) => `load.stages[${stage}].${field}=0.5`));
    await cli.run('run', 'scoreboard', '--lab', '--json', 'result.json', ...setOptions('kind=cms', 'spectators=8', ...short));
    const { outcomes, status } = await savedResult();
    expect(Object.keys(status)).toEqual(['200']);
    expect(outcomes.requests.ok).toBe(outcomes.requests.sent);
  });

  it('accepts only one server', async () => {
    const both = await cli.run('run', 'plain-page', '--lab', ...setOptions('target=http://127.0.0.1:9/'));
    expect([both.code, both.err]).toEqual([1, expect.stringContaining('Leave out either --lab or --set target')]);
    const file = await cli.run('try', 'mine.yaml', '--lab');
    expect([file.code, file.out]).toEqual([1, '']);
  });

  it('warns before the run that nobody is logged in, and fails because the responses are redirects', async () => {
    const lab = await startLab();
    const { code, err } = await cli.run(
      'run',
      'cms-contest',
      ...setOptions(`target=${lab.urls[0]}`, 'page=tasks/coprobber/description', 'participants=75', ...SHORT),
      '--json',
      'result.json',
    );
    expect(err).toContain('you measure the redirect');
    const result = await savedResult();
    // An overloaded generator may make the run inconclusive, but must never make it pass.
    expect([EXIT.safetyStop, EXIT.inconclusive, EXIT.criteriaFailed]).toContain(code);
    expect(result.outcomes.requests.ok).toBe(0);
    expect(Object.keys(result.status)).toEqual(['302']);
  });

  it('asks which page participants read if the server has no known start page', async () => {
    const lab = await startLab();
    const { code, err } = await cli.run('run', 'cms-contest', ...setOptions(`target=${lab.urls[0]}`, 'participants=75', ...SHORT));
    expect(code).toBe(1);
    expect(err).toContain('The question “Which page do participants read?” has no answer');
    // One request checks whether the server redirects to https, and the other one looks for the page.
    expect(lab.log.requests).toBe(2);
  });

  it('reports a rejected login', async () => {
    const lab = await startLab();
    const { code, err } = await cli.run(
      'run',
      'cms-contest',
      ...setOptions(`target=${lab.urls[0]}`, 'username=nobody', 'password=wrong-password'),
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^holdfast: /);
    expect(err).not.toContain('wrong-password');
    expect(lab.log.countOf('GET', '/tasks/coprobber/description', 200)).toBe(0);
  });

  it('lists every problem with the answers to the questions', async () => {
    const { code, err, out } = await cli.run(
      'run',
      'cms-contest',
      ...setOptions('participants=many', 'minutes=-1', 'colour=red', 'username=anna'),
    );
    expect([code, out]).toEqual([2, '']);
    for (const word of ['participants', 'minutes', 'colour', 'password', 'target']) expect(err).toContain(word);
  });
});

const plan = (url: string, extra = ''): string => `holdfast: 1
name: A plan of mine
targets: [{ url: '${url}' }]
journey: [{ name: page }]
load: { model: connections, stages: [{ connections: 2, requests: 40 }] }
${extra}`;

describe('holdfast run with a plan', () => {
  it('runs the plan as written, and with changed settings', async () => {
    const target = await startTarget();
    await writeFile(join(cli.directory, 'plan.yaml'), plan(target.url));
    expect((await cli.run('run', 'plan.yaml', '--quiet')).code).toBe(0);
    expect(target.requests).toBe(40);
    const other = await startTarget();
    const changed = setOptions(`target=${other.url}`, 'load.stages[0].requests=60', 'header=X-Note: hello', 'cookie=env:COOKIE');
    process.env['COOKIE'] = 'a=from-the-environment';
    onTestFinished(() => void delete process.env['COOKIE']);
    expect((await cli.run('run', 'plan.yaml', ...changed, '--quiet')).code).toBe(0);
    expect([target.requests, other.requests]).toEqual([40, 60]);
    expect(other.lastHeaders).toMatchObject({ 'x-note': 'hello', cookie: 'a=from-the-environment' });
  });

  it('prompts for secrets and keeps them and plain cookies out of the store', async () => {
    const target = await startTarget();
    const askedNames: string[] = [];
    cli = await startHarness({
      hiddenInput: async (label) => {
        askedNames.push(label);
        return 'planted-answer';
      },
    });
    const text = plan(target.url).replace("' }]", "', cookie: login=planted, headers: { X-Token: { secret: 'ask:Your token' } } }]");
    await writeFile(join(cli.directory, 'plan.yaml'), text);
    const { code, out } = await cli.run('run', 'plan.yaml', '--json', '-');
    expect([code, askedNames]).toEqual([0, ['Your token']]);
    expect(target.lastHeaders).toMatchObject({ 'x-token': 'planted-answer', cookie: 'login=planted' });
    expect(out).not.toContain('planted');
  });

  it('exits with code 97 if a safety limit stops the run', async () => {
    const target = await startTarget();
    await writeFile(
      join(cli.directory, 'plan.yaml'),
      plan(target.url, 'safety: { maxRequests: 20 }\n').replace('requests: 40', 'seconds: 4'),
    );
    const { code } = await cli.run('run', 'plan.yaml', '--json', 'result.json');
    expect(code).toBe(97);
    expect((await savedResult()).run.endedBecause?.code).toBe('safety');
  });

  it('lists every problem of the plan and reports a missing file', async () => {
    await writeFile(
      join(cli.directory, 'plan.yaml'),
      'holdfast: 1\nname: ""\ntargets: []\njourney: [{nme: x}]\nload: {model: connections, stages: []}\n',
    );
    const { code, err, out } = await cli.run('run', 'plan.yaml');
    expect([code, out]).toEqual([2, '']);
    for (const word of ['name', 'targets', 'journey', 'load.stages']) expect(err).toContain(word);
    const missing = await cli.run('run', 'no-such-plan');
    expect(missing.code).toBe(1);
    expect(missing.err).toMatch(/no-such-plan[\s\S]*cms-contest/);
  });
});
