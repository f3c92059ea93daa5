import type { Plan } from '#core/plan/schema/plan.ts';
import { planOf } from '#core/review/parse.ts';
import type { Issue } from '#core/plan/issues.ts';
import { EXIT } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { accessIssues, keeperOf, readAccess, type Access } from '../plans/access.ts';
import { setFields } from '../plans/fields.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { Consent } from '../input/consent.ts';
import { readCriteria } from '../input/criteria.ts';
import { performRun } from '../running/perform.ts';
import { collect, OptionReader } from '../input/optionReader.ts';
import { withBackend, type AddCommand } from './command.ts';
import { addLoadOptions, readLoadFlags, type LoadFlags, addAccessOptions } from './loadOptions.ts';
import { addQuickLoadOptions, quickLoad, type QuickLoadFlags } from './quickLoad.ts';
import { addRunOptions, runOutput, type RunFlags } from './runOptions.ts';

interface QuickFlags extends RunFlags, LoadFlags, QuickLoadFlags {
  readonly header: string[];
  readonly cookie: string[];
  readonly head?: boolean;
  readonly threads?: string;
  readonly expectBody: string[];
  readonly expectStatus?: string;
  readonly criterion: string[];
}

export const addQuick: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('quick')
    .description(
      'test one address: connections that each send the next request after a response, requests at a rate (-R), or users with think time (--users)',
    )
    .argument('<url>', 'the address, with http:// or https://');
  addAccessOptions(addQuickLoadOptions(command))
    .option('-i, --head', 'send HEAD requests, for the headers only')
    .option('--expect-body <text>', 'a response is successful only if its body contains this text (repeatable)', collect, [])
    .option('--expect-status <codes>', 'status codes of successful responses, for example 200 or 200,304 (default: any 2xx)')
    .option('-t, --threads <n>', 'worker threads')
    .option('--criterion <limit>', 'pass criterion: p95<=500ms, errors<=1%, errors=0, rate>=100 (repeatable)', collect, []);
  addRunOptions(addLoadOptions(command)).action(async (url: string, flags: QuickFlags) => {
    const { fields, issues: unreadable } = await readLoadFlags(flags, context.currentDirectory);
    const letIn = { cookies: flags.cookie, headers: flags.header };
    const draft = quickPlan(url, flags, fields, { cookie: undefined, headers: {} });
    const problems = [...unreadable, ...(await accessIssues(letIn, context))];
    if (!draft.plan || problems.length > 0) {
      await printIssues(context.err, [...problems, ...draft.issues]);
      return exit(EXIT.invalidPlan);
    }
    const consent = new Consent(flags.allow, context);
    await withBackend(context, async (backend) => {
      const client = backend.client();
      const access = await readAccess(letIn, context, keeperOf(client));
      const { plan, issues } = quickPlan(url, flags, fields, access);
      if (plan) return exit(await performRun(plan, runOutput(flags), context, client, consent));
      await printIssues(context.err, issues);
      exit(EXIT.invalidPlan);
    });
  });
};

/** Plan fields that come from numeric options. */
const FROM_NUMBERS = /^(load|threads|journey|-c)/;

/** Builds the plan from the flags of `quick`, or returns every problem with them. */
function quickPlan(
  url: string,
  flags: QuickFlags,
  fields: ReadonlyMap<string, string>,
  access: Access,
): { plan: Plan | null; issues: Issue[] } {
  const { load, asked, issues: unreadable } = quickLoad(flags);
  const reader = new OptionReader();
  const criteria = readCriteria(flags.criterion, reader);
  const written = {
    holdfast: 1,
    name: `Quick test of ${URL.canParse(url) ? new URL(url).host : url}`.slice(0, 120),
    targets: [{ url, headers: access.headers, ...(access.cookie === undefined ? {} : { cookie: access.cookie }) }],
    journey: [{ name: 'page', ...(flags.head ? { method: 'HEAD' } : {}), ...expectations(flags, reader) }],
    load,
    ...(criteria === undefined ? {} : { criteria }),
    ...(flags.threads === undefined ? {} : { threads: reader.whole('-t', flags.threads) }),
    exercises: [
      `one address, ${asked} over ${flags.keepalive ? 'connections kept open where the server allows it' : 'a new connection each time'}`,
    ],
  };
  const issues = [...unreadable, ...reader.issues, ...setFields(written, fields)];
  const parsed = inOptions(planOf(written), url, flags);
  // Omits the plan's issue for an invalid number, which is already reported.
  if (issues.length > 0) return { plan: null, issues: [...issues, ...parsed.issues.filter(({ path }) => !FROM_NUMBERS.test(path))] };
  return { plan: hasErrors(parsed.issues) ? null : parsed.plan, issues: parsed.issues };
}

/** Replaces plan paths in problems by option names, because users of `quick` see no plan. */
function inOptions(parsed: ReturnType<typeof planOf>, url: string, { connections }: QuickFlags): ReturnType<typeof planOf> {
  const issues = parsed.issues.map((issue) => {
    if (issue.path === 'targets[0].url' && issue.code === 'NOT_VALID')
      return { ...issue, path: 'url', message: `“${url}” is not a full address.` };
    return issue.path === 'load.stages[0].connections'
      ? { ...issue, path: '-c', message: issue.message.replace(`“${issue.path}”`, `-c ${connections ?? ''}`) }
      : issue;
  });
  return { ...parsed, issues };
}

function expectations({ expectBody, expectStatus }: QuickFlags, reader: OptionReader): object {
  const codes = expectStatus?.split(',').map((code) => reader.whole('--expect-status', code.trim()));
  const checks = expectBody.map((text) => ({ kind: 'contains', text }));
  return { ...(codes === undefined ? {} : { expectStatus: codes }), ...(checks.length === 0 ? {} : { checks }) };
}
