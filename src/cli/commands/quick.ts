import type { Plan } from '#core/plan/schema.ts';
import { planOf } from '#core/plan/parse.ts';
import type { Issue } from '#core/plan/issues.ts';
import { EXIT } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { keeperOf, readAccess, type Access } from '../plans/access.ts';
import { setFields } from '../plans/fields.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { performRun } from '../running/perform.ts';
import { badOption } from '../input/badOption.ts';
import { parseDurationSeconds } from '../input/duration.ts';
import { collect, withBackend, type AddCommand } from './command.ts';
import { addLoadOptions, readLoadFlags, type LoadFlags } from './loadOptions.ts';
import { addRunOptions, runOutput, type RunFlags } from './runOptions.ts';

const DEFAULT_CONNECTIONS = '10';
const DEFAULT_DURATION = '10s';

interface QuickFlags extends RunFlags, LoadFlags {
  readonly connections: string;
  readonly requests?: string;
  readonly duration?: string;
  readonly header: string[];
  readonly cookie: string[];
  readonly head?: boolean;
  readonly threads?: string;
  readonly expectBody: string[];
  readonly expectStatus?: string;
}

export const addQuick: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('quick')
    .description('put a simple load on one address: each connection asks again as soon as it is answered')
    .argument('<url>', 'the address, with http:// or https://')
    .option('-c, --connections <n>', 'connections at the same time', DEFAULT_CONNECTIONS)
    .option('-n, --requests <n>', 'end after this many requests')
    .option('-d, --duration <time>', `end after this time, for example 10s or 1m30s (default: ${DEFAULT_DURATION})`)
    .option(
      '-H, --header <header>',
      "a header, written 'Name: value'; the value or all of it may be @file or env:NAME (repeatable)",
      collect,
      [],
    )
    .option('-C, --cookie <cookies>', 'cookies, written a=1; b=2, or @file or env:NAME', collect, [])
    .option('-i, --head', 'ask with HEAD, for the headers only')
    .option('--expect-body <text>', 'an answer is good only if its body contains this text (repeatable)', collect, [])
    .option('--expect-status <codes>', 'status codes of good answers, for example 200 or 200,304 (default: any 2xx)')
    .option('-t, --threads <n>', 'worker threads');
  addRunOptions(addLoadOptions(command)).action(async (url: string, flags: QuickFlags) => {
    const { fields, issues: problems } = await readLoadFlags(flags, context.currentDirectory);
    const draft = quickPlan(url, flags, fields, { cookie: undefined, headers: {} });
    if (!draft.plan || problems.length > 0) {
      await printIssues(context.err, [...problems, ...draft.issues]);
      return exit(EXIT.invalidPlan);
    }
    await withBackend(context, async (backend) => {
      const client = backend.client();
      const access = await readAccess({ cookies: flags.cookie, headers: flags.header }, context, keeperOf(client));
      const { plan, issues } = quickPlan(url, flags, fields, access);
      if (plan) return exit(await performRun(plan, runOutput(flags), context, client));
      await printIssues(context.err, issues);
      exit(EXIT.invalidPlan);
    });
  });
};

/** The plan that the flags of `quick` stand for, or every problem with them. */
function quickPlan(
  url: string,
  flags: QuickFlags,
  fields: ReadonlyMap<string, string>,
  access: Access,
): { plan: Plan | null; issues: Issue[] } {
  const issues: Issue[] = [];
  const whole = (option: string, text: string): number => {
    if (!/^\d+$/.test(text)) issues.push(badOption(option, text, 'Write a whole number.'));
    return Number(text);
  };
  const end = (): { requests: number } | { seconds: number } => {
    if (flags.requests !== undefined && flags.duration !== undefined)
      issues.push(badOption('-n', flags.requests, 'Use either -n or -d: a load ends after a number of requests or after a time.'));
    if (flags.requests !== undefined) return { requests: whole('-n', flags.requests) };
    const text = flags.duration ?? DEFAULT_DURATION;
    const seconds = parseDurationSeconds(text);
    if (seconds === null) issues.push(badOption('-d', text, 'Write a time such as 10s, 500ms, 2m or 1m30s.'));
    return { seconds: seconds ?? 1 };
  };
  const written = {
    holdfast: 1,
    name: `Quick test of ${URL.canParse(url) ? new URL(url).host : url}`.slice(0, 120),
    targets: [{ url, headers: access.headers, ...(access.cookie === undefined ? {} : { cookie: access.cookie }) }],
    journey: [{ name: 'page', ...(flags.head ? { method: 'HEAD' } : {}), ...expectations(flags, whole) }],
    load: { model: 'connections', stages: [{ name: 'load', connections: whole('-c', flags.connections), ...end() }] },
    ...(flags.threads === undefined ? {} : { threads: whole('-t', flags.threads) }),
    exercises: [
      flags.keepalive
        ? 'one address, asked for over connections that stay open where the server keeps them'
        : 'one address, asked for over a new connection each time',
    ],
  };
  issues.push(...setFields(written, fields));
  const parsed = planOf(written);
  // A number that is none fails in the plan a second time, where it would only repeat what was said.
  if (issues.length > 0) return { plan: null, issues: [...issues, ...parsed.issues.filter(({ path }) => path.startsWith('targets'))] };
  return { plan: hasErrors(parsed.issues) ? null : parsed.plan, issues: parsed.issues };
}

function expectations({ expectBody, expectStatus }: QuickFlags, whole: (option: string, text: string) => number): object {
  const codes = expectStatus?.split(',').map((code) => whole('--expect-status', code.trim()));
  const checks = expectBody.map((text) => ({ kind: 'contains', text }));
  return { ...(codes === undefined ? {} : { expectStatus: codes }), ...(checks.length === 0 ? {} : { checks }) };
}
