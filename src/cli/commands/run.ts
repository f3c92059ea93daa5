import type { Client } from '#contract/rpc/client.ts';
import { cookiesOf } from '#core/work/journey/walked.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { wantsLogin } from '#core/presets/build.ts';
import { questionsToFind } from '#core/presets/pageList.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { connectionSettings, secureAddress } from '#core/plan/url.ts';
import { isRedirect } from '#core/work/journey/redirects.ts';
import { trialPlan } from '#core/work/samples/trial.ts';
import type { ExitCode } from '../exitCodes.ts';
import { type CliContext, type AddCommand, withClient } from '../context.ts';
import { printIssues, invalidPlan } from '../output/problems.ts';
import { useBrowserProtocol, findAnswers, hasErrors, draftFrom, planFrom } from '../plans/fromPreset.ts';
import { accessIssues, createSecretKeeper, logIn, readAccess } from '../plans/access.ts';
import { resolvePlanFiles } from '../plans/fromFile.ts';
import { readSettings, type Settings } from '../plans/settings.ts';
import { findPlanSource, type PlanSource, readGivenSettings, listQuestions } from '../plans/source.ts';
import { type AllowFlags, Consent } from '../input/consent.ts';
import { type SinkFlags, sinkOptions } from '../input/metricsSink.ts';
import { judgeAgainstBaseline } from '../running/againstBaseline.ts';
import { measureRun } from '../running/perform.ts';
import { REUSE_ROWS_HELP } from '../running/preflight.ts';
import { withPracticeServer } from '../running/practiceServer.ts';
import { performPresetSeries } from '../running/performSeries.ts';
import { collect } from '../input/optionReader.ts';
import { addBaselineOptions, type BaselineFlags, readBaseline, withRepeats } from './baselineOptions.ts';
import { addLoadOptions, answersOption, type LoadFlags, PLAN_OR_PRESET, readLoadFlags } from './loadOptions.ts';
import { addRunOptions, type RunFlags, runOutput } from './runOptions.ts';

interface GraphFlags {
  readonly graph: string[];
  readonly graphZone?: string;
  readonly trial: boolean;
  readonly reuseRows?: boolean;
}

export const addRun: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('run')
    .description('run a preset, or a plan from a file')
    .argument('<preset or file>', PLAN_OR_PRESET)
    .option(
      '--set <key=value>',
      'answer to a question of the preset, or field of the plan; target=URL is the server (several separated by commas); cookie=, header=, username=, password= and loginAt= log you in (repeatable)',
      collect,
      [],
    )
    .addOption(answersOption())
    .option('--lab', LAB_HELP)
    .option('--graph <file>', 'attach a graph from this CSV file to the run when it has ended (repeatable)', collect, [])
    .option('--no-trial', 'send nothing before the load: no trial of a login, no check for redirects to https')
    .option('--reuse-rows', REUSE_ROWS_HELP)
    .option('--graph-zone <zone>', 'time zone of times in --graph without one: UTC, +02:00, Europe/Berlin');
  addBaselineOptions(command);
  addRunOptions(addLoadOptions(command)).action(
    async (name: string, flags: RunFlags & LoadFlags & GraphFlags & PresetFlags & BaselineFlags) => {
      const source = await findPlanSource(name, context);
      const set = await readGivenSettings(source, flags, context);
      const output = {
        ...runOutput(flags),
        tries: flags.trial,
        reusesRows: flags.reuseRows === true,
        graphs: flags.graph.map((file) => ({ file, zone: flags.graphZone })),
      };
      const perform: UsePlan = async (plan, client, consent, ownSeries) => {
        const baseline = await readBaseline(flags, { plan, series: ownSeries }, client);
        const series = withRepeats(ownSeries, flags.repeats);
        const measuredRuns =
          series === null
            ? await measureRun(plan, output, context, client, consent)
            : await performPresetSeries({ plan, series }, output, context, client, consent);
        if (baseline === null) return measuredRuns.code;
        return judgeAgainstBaseline(measuredRuns, baseline, { isQuiet: output.quiet, isOutputTaken: output.json === '-' }, context, client);
      };
      const run = (settings: readonly string[]): Promise<ExitCode> =>
        withPlan(source, { ...flags, set: settings }, output.quiet, context, perform, { runsCommands: true });
      exit(flags.lab === true ? await withPracticeServer(source, set, context, run) : await run(set));
    },
  );
};

interface PresetFlags {
  readonly set: readonly string[];
  readonly answers?: string;
  readonly lab?: boolean;
}

export const LAB_HELP = 'test the practice server of the preset: start it, use its address, account and answers, and stop it afterwards';

/** What a command does with its plan. It asks for the user's consent itself before it sends anything. */
export type UsePlan = (plan: Plan, client: Client, consent: Consent, series: Series | null) => Promise<ExitCode>;

/** Reads the plan from a preset or file, logs in if that is configured, and calls `use`. Throws all problems of the plan. */
export async function withPlan(
  source: PlanSource,
  flags: LoadFlags & AllowFlags & SinkFlags & { readonly set: readonly string[]; readonly trial?: boolean },
  isQuiet: boolean,
  context: CliContext,
  use: UsePlan,
  backendOptions: { readonly runsCommands?: boolean } = {},
): Promise<ExitCode> {
  const set = readSettings(flags.set, listQuestions(source));
  const load = await readLoadFlags(flags, context.currentDirectory);
  const givenSettings: Settings = { ...set.settings, fields: new Map([...set.settings.fields, ...load.fields]) };

  // Collects problems of the plan and of the settings together, before anything is opened.
  const draft = draftFrom(source, givenSettings);
  const unreadable = await accessIssues(givenSettings, context);
  const problems = [...set.issues, ...load.issues, ...unreadable, ...draft.issues.filter(({ level }) => level === 'error')];
  if (hasErrors(problems)) throw invalidPlan(problems);
  const consent = new Consent(flags.allow, context, source);
  if (!isQuiet)
    await printIssues(
      context.err,
      draft.issues.filter(({ code }) => code === 'CONSENT_IN_FILE'),
    );
  return withClient(
    context,
    async (client) => {
      const plan = await planToUse(
        { source, given: givenSettings, draft: draft.plan, looksFirst: flags.trial !== false, isQuiet },
        consent,
        context,
        client,
      );
      return use(plan.plan, client, consent, plan.series);
    },
    { ...backendOptions, ...sinkOptions(flags) },
  );
}

interface PlanRequest {
  readonly source: PlanSource;
  readonly given: Settings;
  readonly draft: Plan | null;
  /** Whether requests may be sent to the server before the load. */
  readonly looksFirst: boolean;
  readonly isQuiet: boolean;
}

/**
 * Follows redirects to https, logs in, finds answers to open questions on the page, and builds the plan. Throws every issue of the plan.
 */
async function planToUse(
  { source, given, draft: first, looksFirst, isQuiet }: PlanRequest,
  consent: Consent,
  context: CliContext,
  client: Client,
) {
  const resolveFiles = (plan: Plan): Plan => resolvePlanFiles(plan, source, context);
  const isPreset = source.kind === 'preset';
  const settings =
    first && looksFirst && (isPreset || mayProbeFirst(first))
      ? { ...given, movedTo: await followToHttps(resolveFiles(first), consent, context, client) }
      : given;
  const { plan: draft } = draftFrom(source, settings);
  const access = await readAccess(settings, context, createSecretKeeper(client));
  const cookie = access.cookie ?? (draft ? await logIn(settings, resolveFiles(draft), consent, context, client) : undefined);
  const logsInItself = draft !== null && cookiesOf(draft) !== 'ignore';
  const hasAccess = logsInItself || cookie !== undefined || Object.keys(access.headers).length > 0;
  if (isPreset && wantsLogin(source.preset, settings.answers) && !hasAccess && !isQuiet) await context.err.write(NOT_LOGGED_IN);
  const toFind = isPreset ? questionsToFind(source.preset, given.answers) : [];
  const found = draft === null ? {} : await findAnswers(toFind, resolveFiles(draft), { ...access, cookie }, consent, context, client);
  const built = planFrom(source, { ...settings, answers: { ...settings.answers, ...found } }, { ...access, cookie });
  if (!built.plan) throw invalidPlan(built.issues);
  const plan = resolveFiles(built.plan);
  return { plan: isPreset ? await useBrowserProtocol(plan, consent, context, client) : plan, series: built.series };
}

const NOT_LOGGED_IN = `holdfast: Nobody is logged in, and the pages of this preset usually need a login.
  If the server redirects to a login form, you measure the redirect. Add --set username=… --set password=…, or --set cookie=…
`;

const MAX_PROBED_TARGETS = 4;

/**
 * Returns whether Holdfast may send requests to the server of a plan file before the load. In general, the server's log should contain only
 * the load. The exceptions are a plan with a login, which is tried first, and an address without a port, which is typical of public sites.
 */
function mayProbeFirst(plan: Plan): boolean {
  const [first] = plan.journey;
  // The plan measures the redirect itself, so it must not be followed.
  if (first?.expectStatus?.some(isRedirect) === true) return false;
  return trialPlan(plan) !== null || plan.targets.some(({ url }) => new URL(url).port === '');
}

/**
 * Returns the target addresses, with https where the server redirects visitors from http to https on the same host and the user agrees.
 * Throws `MOVED_TO_HTTPS` if there is nobody to ask, because the load would measure a redirect.
 */
async function followToHttps(
  plan: Plan,
  consent: Pick<Consent, 'agreeToPlan'>,
  { err, hiddenInput }: Pick<CliContext, 'err' | 'hiddenInput'>,
  client: Client,
): Promise<readonly string[]> {
  const urls = plan.targets.map(({ url }) => url);
  const plain = plan.targets.filter(({ url }) => url.startsWith('http://')).slice(0, MAX_PROBED_TARGETS);
  if (plain.length === 0) return urls;
  const agreedKeys = await consent.agreeToPlan({ plan }, client);
  const moved = new Map<string, string>();
  for (const { url, headers } of plain) {
    const { redirect } = await client.call('targets.probe', { target: { url, headers }, agreed: agreedKeys, ...connectionSettings(plan) });
    const secure = redirect === null ? null : secureAddress(url, redirect.location);
    if (secure !== null) moved.set(url, secure);
  }
  if (moved.size === 0) return urls;
  await err.write([...moved].map(([from, to]) => `holdfast: ${from} sends visitors to ${to}.\n`).join(''));
  const answer = await hiddenInput('Use the https address? Y/n (what you type is not shown)').catch((thrown: unknown) => {
    if (thrown instanceof HoldfastError && thrown.code === 'NO_TERMINAL') throw movedToHttpsError([...moved.values()]);
    throw thrown;
  });
  return /^n(o)?$/i.test(answer.trim()) ? urls : urls.map((url) => moved.get(url) ?? url);
}

function movedToHttpsError(addresses: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'MOVED_TO_HTTPS',
    message: 'The server sends visitors from http to https. The load would measure that redirect. Nothing was loaded.',
    hint: `Use its address with https: --set target=${addresses.join(',')}`,
    data: { addresses },
  });
}
