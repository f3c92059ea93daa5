import type { Issue } from '#core/plan/issues.ts';
import { parseValue } from '#core/review/check.ts';
import { type Plan, type Target, targetSchema } from '#core/plan/schema/plan.ts';
import { buildPlan } from '#core/presets/build.ts';
import type { Answers, BuiltPlan, Preset, Question } from '#core/presets/schema.ts';
import type { Series } from '#core/plan/schema/series.ts';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import { connectionSettings, isSecureUrl } from '#core/plan/url.ts';
import { chooseFoundPages, fillStandIns } from '#core/presets/pageList.ts';
import type { CliContext } from '../context.ts';
import type { Consent } from '../input/consent.ts';
import { type Access, NO_ACCESS } from './access.ts';
import { setFields } from './fields.ts';
import { setNamedTargets, planFromFile } from './fromFile.ts';
import type { Settings } from './settings.ts';
import type { PlanSource } from './source.ts';
import { invalidPlan } from '../output/problems.ts';

/** A plan, or the issues that prevent it. `built` explains how the plan follows from the answers to the questions. */
export interface PresetPlan {
  readonly plan: Plan | null;
  /** The series of runs that the preset needs, or null for a single run. */
  readonly series: Series | null;
  readonly issues: readonly Issue[];
  readonly built: BuiltPlan;
}

/** Builds the plan of a preset from the settings, and then sets plan fields from the settings. */
export function planFromPreset(preset: Preset, settings: Settings, access: Access): PresetPlan {
  const { targets, issues } = readTargets(settings.movedTo ?? settings.targets, access);
  const built = buildPlan(preset, settings.answers, targets);
  // A missing target is reported only once, in the terms of the command line.
  const all = [...issues, ...built.issues.filter(({ code }) => code !== 'TARGET_MISSING')];
  const { series } = built;
  if (!built.plan || settings.fields.size + settings.namedTargets.size === 0)
    return { plan: hasErrors(all) ? null : built.plan, series, issues: all, built };
  const changed = structuredClone<Record<string, unknown>>(built.plan);
  all.push(...setFields(changed, settings.fields));
  setNamedTargets(changed, settings);
  if (hasErrors(all)) return { plan: null, series, issues: all, built };
  const parsedPlan = parseValue(changed);
  return { plan: parsedPlan.plan, series, issues: [...all, ...parsedPlan.issues], built };
}

/** Builds the plan of a preset or a file; `built` is null for a file. */
export function planFrom(
  source: PlanSource,
  settings: Settings,
  access: Access = NO_ACCESS,
): Omit<PresetPlan, 'built'> & { readonly built: BuiltPlan | null } {
  if (source.kind === 'preset') return planFromPreset(source.preset, settings, access);
  return { ...planFromFile(source.text, settings, access), series: null, built: null };
}

/** Like {@link planFrom}, but gives placeholder answers to open questions of a preset. */
export function draftFrom(source: PlanSource, settings: Settings): ReturnType<typeof planFrom> {
  return planFrom(source, source.kind === 'preset' ? fillStandIns(source.preset, settings) : settings);
}

/** Returns the plan, or throws every issue if the plan is missing or has errors. */
export function requirePlan(plan: Plan | null, issues: readonly Issue[]): Plan {
  if (plan === null || hasErrors(issues)) throw invalidPlan(issues);
  return plan;
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some(({ level }) => level === 'error');
}

function readTargets(urls: readonly string[], access: Access): { targets: Target[]; issues: Issue[] } {
  const targets: Target[] = [];
  const issues: Issue[] = [];
  if (urls.length === 0)
    issues.push({
      level: 'error',
      code: 'NO_TARGET',
      path: 'target',
      message: 'No server given.',
      hint: 'Add --set target=URL. Without a server of your own, add --lab to start the preset’s practice server.',
    });
  for (const url of urls) {
    const parsed = targetSchema.safeParse({
      url,
      headers: access.headers,
      ...(access.cookie === undefined ? {} : { cookie: access.cookie }),
    });
    if (parsed.success) targets.push(parsed.data);
    else
      for (const problem of parsed.error.issues)
        issues.push({
          level: 'error',
          code: 'BAD_TARGET',
          path: `target ${url}`,
          message: problem.message,
          hint: 'Copy the address from your browser.',
        });
  }
  return { targets, issues };
}

const MAX_NAMED_CANDIDATES = 5;

/**
 * Requests the first target once, with the given access, to find answers to questions on its page. Prints the answers. Throws `NOT_FOUND`
 * if the page has no suitable link for a question.
 */
export async function findAnswers(
  questions: readonly Question[],
  plan: Plan,
  access: Access,
  consent: Pick<Consent, 'agreeToPlan'>,
  { err }: Pick<CliContext, 'err'>,
  client: Client,
): Promise<Answers> {
  const [first] = plan.targets;
  if (questions.length === 0 || first === undefined) return {};
  const agreedKeys = await consent.agreeToPlan({ plan }, client);
  const { cookie, headers } = access;
  const target = { ...first, headers, ...(cookie === undefined ? {} : { cookie }) };
  const seen = await client.call('targets.probe', { target, agreed: agreedKeys, ...connectionSettings(plan) });
  const answers: Answers = {};
  for (const question of questions) {
    const [page, ...others] = chooseFoundPages(question, seen.links);
    if (page === undefined) throw notFoundError(question, seen.url);
    setOwn(answers, question.id, page);
    const more =
      others.length === 0 ? '' : ` (--set ${question.id}=PATH chooses another: ${others.slice(0, MAX_NAMED_CANDIDATES).join(', ')})`;
    await err.write(`holdfast: ${question.label} ${page}, found on ${seen.url}${more}.\n`);
  }
  return answers;
}

/** Maximum number of targets to check. Others are assumed to be alike. */
const MAX_CHECKED_TARGETS = 4;

/** Sets the protocol that browsers use with the targets, unless the user has set one. Reports HTTP/2. */
export async function useBrowserProtocol(
  plan: Plan,
  consent: Pick<Consent, 'agreeToPlan'>,
  { err }: Pick<CliContext, 'err'>,
  client: Client,
): Promise<Plan> {
  const { connections, targets } = plan;
  if (connections.protocol !== undefined || !targets.every(({ url }) => isSecureUrl(url))) return plan;
  const agreedKeys = await consent.agreeToPlan({ plan }, client);
  const probeTarget = (target: Target) => client.call('targets.probe', { target, agreed: agreedKeys, ...connectionSettings(plan) });
  const seen = await Promise.all(targets.slice(0, MAX_CHECKED_TARGETS).map(probeTarget));
  if (!seen.every(({ httpVersion }) => httpVersion === '2.0')) return plan;
  await err.write(
    'holdfast: Browsers use HTTP/2 with this server, and so does the test. --set connections.protocol=http/1.1 changes that.\n',
  );
  return { ...plan, connections: { ...connections, protocol: 'h2' } };
}

function notFoundError({ id, label }: Question, where: string): HoldfastError {
  return new HoldfastError({
    code: 'NOT_FOUND',
    message: `The question “${label}” has no answer. Nothing that ${where} links to fits.`,
    hint: `Does it need a login? Add --set username=… --set password=…, or name the page: --set ${id}=PATH.`,
  });
}
