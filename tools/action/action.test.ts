import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listen, type Listening } from '#lab/listen.ts';
import { publishComment } from './comment.mjs';
import { emptyFolder, plainEnvironment, root, run } from '../testing/processes.ts';
import { cliProgram } from '../testing/threads.ts';

interface Comment {
  readonly id: number;
  readonly login: string;
  body: string;
}

/** The comments on one pull request, served as GitHub and as GitLab serve them. */
class Forge {
  readonly comments: Comment[] = [];
  readonly calls: string[] = [];
  isReadOnly = false;
  private server!: Listening;

  async start(): Promise<void> {
    this.server = await listen((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        this.calls.push(`${request.method} ${request.url}`);
        const [status, reply] = this.reply(request.method ?? '', request.url ?? '', text);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
      });
    }, null);
  }

  get url(): string {
    return this.server.url.slice(0, -1);
  }

  stop(): Promise<void> {
    return this.server.close();
  }

  private reply(method: string, url: string, text: string): [number, unknown] {
    if (url === '/user') return this.isGitLab ? [200, { username: 'holdfast-bot' }] : [403, {}];
    if (method === 'GET') {
      const all = this.comments.map(({ id, login, body }) => ({ id, body, user: { login }, author: { username: login } }));
      return [200, url.includes('&page=1') ? all : []];
    }
    if (this.isReadOnly) return [403, { message: 'Resource not accessible by integration' }];
    const { body } = JSON.parse(text) as { body: string };
    const id = Number(/(\d+)$/.exec(url)?.[1]);
    const earlier = method === 'POST' ? undefined : this.comments.find((one) => one.id === id);
    if (earlier) earlier.body = body;
    else this.comments.push({ id: this.comments.length + 100, login: this.isGitLab ? 'holdfast-bot' : 'github-actions[bot]', body });
    return [200, {}];
  }

  isGitLab = false;
}

/** Text that a hostile server sends: a workflow command, a mention and markup. */
const HOSTILE = '\n::error::owned\n@team <img src=x> [x](https://evil.example)';

let forge: Forge;
let target: Listening;
let isBroken = false;
let folder: string;

beforeEach(async () => {
  forge = new Forge();
  await forge.start();
  isBroken = false;
  target = await listen((_, response) => {
    response.statusCode = isBroken ? 500 : 200;
    response.end(isBroken ? HOSTILE : 'ok');
  }, null);
  folder = await emptyFolder();
  const plan = [
    'holdfast: 1',
    'name: Shop',
    `targets: [{ url: '${target.url}' }]`,
    'journey:',
    '  - { name: home }',
    'load: { model: arrivals, stages: [{ kind: constant, perSecond: 200, seconds: 2 }] }',
    'criteria:',
    '  - { kind: errors, maxShare: 0.01 }',
  ];
  await writeFile(join(folder, 'plan.yaml'), plan.join('\n'));
});
afterEach(async () => {
  await target.close();
  await forge.stop();
});

interface Build {
  readonly code: number | null;
  readonly stdout: string;
  readonly summary: string;
  readonly outputs: string;
}

/** Runs the test step of action.yml as a GitHub runner does, but without the steps of other actions. */
async function build(inputs: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv): Promise<Build> {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as {
    inputs: Record<string, { default?: string }>;
    runs: { steps: { id?: string; run?: string }[] };
  };
  const givenSettings = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: usual }]) => [name, inputs[name] ?? usual ?? '']),
  );
  const script = action.runs.steps.find(({ id }) => id === 'test')?.run ?? '';
  await writeFile(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }));
  await Promise.all(['summary', 'outputs'].map((name) => writeFile(join(folder, name), '')));
  const { code, stdout } = await run('bash', ['-c', script], {
    cwd: folder,
    env: {
      ...plainEnvironment(),
      GITHUB_ACTION_PATH: root,
      HOLDFAST_BIN: cliProgram,
      HOLDFAST_HOME: join(folder, 'home'),
      HOLDFAST_REPORTS: join(folder, 'reports'),
      HOLDFAST_INPUTS: JSON.stringify(givenSettings),
      HOLDFAST_TOKEN: 'secret-token',
      ...environment,
    },
  });
  const [summary = '', outputs = ''] = await Promise.all(['summary', 'outputs'].map((name) => readFile(join(folder, name), 'utf8')));
  return { code, stdout, summary, outputs };
}

function gitHub(): NodeJS.ProcessEnv {
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: forge.url,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'shop/shop',
    GITHUB_RUN_ID: '1',
    GITHUB_JOB: 'load',
    GITHUB_REF_NAME: '7/merge',
    HOLDFAST_DEFAULT_BRANCH: 'main',
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_OUTPUT: join(folder, 'outputs'),
  };
}

describe('the GitHub action', () => {
  it('updates one comment, annotates the failed criterion, and escapes texts from the server', async () => {
    forge.comments.push({ id: 1, login: 'stranger', body: '<!-- holdfast:0 -->' });
    const healthy = await build({ plan: 'plan.yaml' }, gitHub());
    expect(healthy).toMatchObject({ code: 0, outputs: 'outcome=passed\nexit-code=0\n' });
    expect(healthy.summary).toContain('### ✅ Load test: Shop');
    const [, marker] = forge.comments.map(({ body }) => body.split('\n', 1)[0] ?? '');
    forge.comments[0] = { id: 1, login: 'stranger', body: `${marker} copied` };
    isBroken = true;
    const broken = await build({ plan: 'plan.yaml' }, gitHub());
    expect(broken).toMatchObject({ code: 99, outputs: 'outcome=failed\nexit-code=99\n' });
    expect(forge.comments.map(({ login }) => login)).toEqual(['stranger', 'github-actions[bot]']);
    const { body = '' } = forge.comments[1] ?? {};
    expect(body).toContain('### ❌ Load test: Shop');
    expect(body).not.toMatch(/@team|<img|\[x\]\(/);
    expect(body.split('\n').length).toBeLessThanOrEqual(41);
    expect(broken.stdout).toContain('::error file=plan.yaml,line=8,');
    const commands = broken.stdout.replaceAll(/::stop-commands::(\w+)\n[\s\S]*?::\1::/g, '').match(/^::.*$/gm);
    expect(commands?.filter((line) => !line.startsWith('::error file=plan.yaml'))).toEqual([]);
  });

  it('compares a pull request with the runs of the default branch', { timeout: 180_000 }, async () => {
    const settings = { plan: 'plan.yaml', baseline: 'branch' };
    await build(settings, { ...gitHub(), GITHUB_REF_NAME: 'main' });
    const { summary } = await build(settings, gitHub());
    expect(summary).toMatch(/\| Figure \| .*\(1 run\) \| .*\(1 run\) \| Change \|/);
    expect(summary).toContain('Too few runs');
  });
});

describe('a duet in the GitHub action', () => {
  it.each<[string, number, number]>([
    ['the same', 1, 0],
    ['slower by half', 1.5, 94],
  ])('judges a head that is %s', async (_kind, factor, code) => {
    // The difference of 10 ms is larger than the delays of timers on a busy machine.
    const servers = await Promise.all(
      [20, 20 * factor].map((ms) => listen((_, response) => void setTimeout(() => response.end('ok'), ms), null)),
    );
    const [base, head] = servers.map(({ url }) => url);
    const plan = [
      'holdfast: 1',
      'name: Shop',
      'journey: [{ name: home }]',
      'load: { model: connections, stages: [{ connections: 4, seconds: 6 }] }',
      'series:',
      '  variants:',
      `    - { name: base, targets: [{ url: '${base}' }] }`,
      `    - { name: head, targets: [{ url: '${head}' }] }`,
    ];
    await writeFile(join(folder, 'duet.yaml'), plan.join('\n'));
    const built = await build({ plan: 'duet.yaml', duet: 'true', inconclusive: 'warn' }, gitHub());
    await Promise.all(servers.map((server) => server.close()));
    expect(built.code, built.stdout).toBe(code);
    expect(forge.comments.map(({ body }) => body).join('')).toMatch(
      code === 0 ? /“head” (is|may be) as fast as “base”/ : /“head” is slower than “base” by \d+\s%/,
    );
  });
});

describe('the installation for a build', () => {
  it('builds before it packs, once for each state of the sources', async () => {
    const called = join(folder, 'called');
    const npm = `#!/bin/sh\necho "$1 $2" >> ${called}\nif [ "$1" = pack ]; then : > "$3/holdfast-0.tgz"; fi\n`;
    await writeFile(join(folder, 'npm'), npm, { mode: 0o755 });
    const environment = { ...plainEnvironment(), PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const program = join(folder, 'program');
    const install = async (): Promise<readonly string[]> => {
      await writeFile(called, '');
      const script = join(root, 'tools/action/installation.mjs');
      const { code } = await run(process.execPath, [script, 'install', program], { cwd: folder, env: environment });
      expect(code).toBe(0);
      return (await readFile(called, 'utf8')).match(/^\w+/gm) ?? [];
    };
    const calls = ['ci', 'run', 'pack', 'install'];
    expect(await install()).toEqual(calls);
    expect(await install()).toEqual([]);
    // The cache has the program of an earlier commit.
    await writeFile(join(program, 'sources'), 'other');
    expect(await install()).toEqual(calls);
  });
});

describe('the comment of a build', () => {
  it('is created once on GitLab, and then updated', async () => {
    forge.isGitLab = true;
    const environment = {
      CI_API_V4_URL: forge.url,
      CI_PROJECT_ID: '3',
      CI_MERGE_REQUEST_IID: '7',
      CI_JOB_NAME: 'load',
      HOLDFAST_TOKEN: 'secret',
    };
    expect(await publishComment('first\n', 'plan.yaml', environment)).toBe('Comment created.');
    expect(await publishComment('second\n', 'plan.yaml', environment)).toBe('Comment updated.');
    expect(forge.comments.map(({ body }) => body.split('\n')[1])).toEqual(['second']);
    expect(await publishComment('other\n', 'other.yaml', environment)).toBe('Comment created.');
  });

  it('is replaced by a sentence if the token cannot write, and outside of pull requests', async () => {
    forge.isReadOnly = true;
    await writeFile(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }));
    const environment = { ...gitHub(), HOLDFAST_TOKEN: 'secret' };
    expect(await publishComment('text\n', 'plan.yaml', environment)).toMatch(/^No comment \(.*status 403\)/);
    await writeFile(join(folder, 'event.json'), '{}');
    expect(await publishComment('text\n', 'plan.yaml', environment)).toBe('No comment: this build is not of a pull request.');
    expect(forge.comments).toEqual([]);
  });
});
