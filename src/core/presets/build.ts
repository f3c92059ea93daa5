import { isBlock } from '#core/base/json.ts';
import type { Issue } from '../plan/issues.ts';
import { parseValue } from '#core/review/check.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { secretSchema } from '../plan/schema/url.ts';
import { isSecureUrl } from '#core/plan/url.ts';
import { hasPasswordOfAccount } from '#core/work/accounts/accounts.ts';
import { readAnswers } from './answers.ts';
import { isFulfilled } from './conditions.ts';
import { evaluate, FormulaError } from './expression.ts';
import type { Answers, BuiltPlan, Preset } from './schema.ts';
import { fillTemplate, type TemplateContext } from './template.ts';
import { z } from 'zod';
import { schemaIssues } from '../plan/schemaIssues.ts';
import { checkSeries } from '#core/series/check.ts';
import { seriesSchema, type Series } from '#core/plan/schema/series.ts';

/**
 * Builds the plan of a preset from answers and targets, and the series if the preset has one, and checks them. Questions without an answer
 * use their default. All problems are reported. If one of them is an error, there is no plan.
 */
export function buildPlan(preset: Preset, answers: Answers, targets: readonly Target[]): BuiltPlan {
  const { values, choices, issues } = readAnswers(preset, answers);
  if (targets.length === 0) issues.push(targetMissing());
  const context: TemplateContext = { values, choices, questions: preset.questions };
  const derived = derive(preset, values, context, issues);
  const explanation = fillTemplateText(preset.explain, context, 'explain', issues);
  fillTemplateText(preset.targetHelp, context, 'targetHelp', issues);
  const emptyPlan = (): BuiltPlan => ({ plan: null, series: null, issues, derived, explanation });
  const filled = fillTemplate(preset.plan, context);
  const filledSeries = fillTemplate(preset.series, context);
  if (issues.length > 0) return emptyPlan();
  for (const { path, message } of filled.problems) issues.push(formulaIssue(`plan.${path}`, message));
  for (const { path, message } of filledSeries.problems) issues.push(formulaIssue(`series.${path}`, message));
  const scale = readTimeScale(preset, context, issues);
  if (issues.length > 0) return emptyPlan();
  const block = disableResumption(isBlock(filled.value) ? filled.value : {}, targets);
  const isShared = wantsLogin(preset, answers) || (preset.login === false && !hasPasswordOfAccount(JSON.stringify(block['journey'] ?? [])));
  const made = presetSeries(
    filledSeries.value,
    targets.map((target) => targetOf(preset, target, isShared)),
    scale,
  );
  issues.push(...made.issues);
  const parsed = planAt(scale, { ...block, targets: made.targets, preset: preset.id, answers: selectAnswers(preset, answers) });
  issues.push(...parsed.issues);
  const { plan } = parsed;
  if (plan === null || issues.some(({ level }) => level === 'error')) return emptyPlan();
  issues.push(...made.check(plan));
  if (issues.some(({ level }) => level === 'error')) return emptyPlan();
  return { plan, series: made.series, issues, derived, explanation };
}

/** Removes TLS resumption if no target uses TLS. */
function disableResumption(block: Record<string, unknown>, targets: readonly Target[]): Record<string, unknown> {
  const { tls, ...others } = block;
  if (!isBlock(tls) || targets.some(({ url }) => isSecureUrl(url))) return block;
  const { resume: _resume, ...settings } = tls;
  return Object.keys(settings).length === 0 ? others : { ...others, tls: settings };
}

/** Returns the answers to questions that the plan stores, without secrets in plain text. */
function selectAnswers({ questions }: Preset, answers: Answers): Answers {
  const isKept = (id: string, answer: Answers[string]): boolean => {
    const kind = questions.find((question) => question.id === id)?.kind;
    return kind !== 'secret' && kind !== 'database' ? true : answer === '' || secretSchema.shape.secret.safeParse(answer).success;
  };
  return Object.fromEntries(Object.entries(answers).filter(([id, answer]) => isKept(id, answer)));
}

/** Returns whether somebody must log in before the plan starts. */
export function wantsLogin(preset: Preset, answers: Answers): boolean {
  const { login } = preset;
  return typeof login === 'boolean' ? login : isFulfilled(login, readAnswers(preset, answers).choices);
}

/**
 * Returns the target for the plan: as a folder if required, and without a shared login if users log in themselves. A site ends a session
 * when another user logs in.
 */
function targetOf({ targetIsFolder }: Preset, target: Target, isShared: boolean): Target {
  const { cookie, ...others } = target;
  return { ...others, ...(cookie === undefined || !isShared ? {} : { cookie }), url: targetIsFolder ? folderOf(target.url) : target.url };
}

/** Adds a trailing slash, unless the address has a query or ends with a file name. */
function folderOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  return search !== '' || /(\/|\.\w+)$/.test(pathname) ? address : `${origin}${pathname}/`;
}

/** Fills in a text template as far as possible, to show it before an address is known. */
export function presetText(preset: Preset, template: Preset['explain'], answers: Answers): string {
  const { values, choices } = readAnswers(preset, answers);
  return fillTemplateText(template, { values, choices, questions: preset.questions }, '', []);
}

/** Returns the labels of the practice server's addresses that the answers to the questions select; empty for its defaults. */
export function listLabAddresses(preset: Preset, answers: Answers): string[] {
  const { values, choices } = readAnswers(preset, answers);
  const { value } = fillTemplate(preset.labAddresses, { values, choices, questions: preset.questions });
  return Array.isArray(value) ? value.filter((label) => typeof label === 'string') : [];
}

function planAt(scale: number, value: unknown): { plan: Plan | null; issues: Issue[] } {
  const asWritten = parseValue(value);
  return asWritten.plan === null || scale === 1 ? asWritten : parseValue(scaleTimesOfPlan(asWritten.plan, scale));
}

/** Adds derived values to `values` in order, as far as their inputs are known. */
function derive(preset: Preset, values: Map<string, number | string>, context: TemplateContext, issues: Issue[]): BuiltPlan['derived'] {
  const complete = issues.every((issue) => !issue.path.startsWith('answers.'));
  const derived: BuiltPlan['derived'] = [];
  for (const { id, label, formula, unit, explanation, when } of preset.derive) {
    if (!isFulfilled(when, context.choices)) continue;
    try {
      const value = evaluate(formula, values);
      values.set(id, value);
      derived.push({ id, label, value, unit, explanation });
    } catch (thrown) {
      if (!(thrown instanceof FormulaError)) throw thrown;
      // If an answer to a question is invalid, the formula is not at fault.
      if (complete) issues.push(formulaIssue(`derive.${id}`, thrown.message));
    }
  }
  return derived;
}

/** Returns the filled-in text; empty after an error, which is reported unless there are other issues. */
function fillTemplateText(template: Preset['explain'], context: TemplateContext, path: string, issues: Issue[]): string {
  // The text counts as prose, so that numbers are formatted for people.
  const { value, problems } = fillTemplate({ story: template }, context);
  const [problem] = problems;
  if (problem !== undefined) {
    if (issues.length === 0) issues.push(formulaIssue(`${path}${problem.path.slice('story'.length)}`, problem.message));
    return '';
  }
  const text = isBlock(value) ? value['story'] : '';
  return Array.isArray(text) ? text.join(' ') : typeof text === 'string' ? text : '';
}

function readTimeScale({ timeScale }: Preset, context: TemplateContext, issues: Issue[]): number {
  try {
    const { value, problems } = fillTemplate(timeScale, context);
    const [problem] = problems;
    if (problem !== undefined) throw new FormulaError(problem.message);
    const scale = typeof value === 'string' ? evaluate(value, context.values) : value;
    if (typeof scale === 'number' && scale > 0) return scale;
    issues.push(formulaIssue('timeScale', 'the time scale must be above 0'));
  } catch (thrown) {
    if (!(thrown instanceof FormulaError)) throw thrown;
    issues.push(formulaIssue('timeScale', thrown.message));
  }
  return 1;
}

function formulaIssue(path: string, message: string): Issue {
  return {
    level: 'error',
    code: 'FORMULA',
    path,
    message: `This cannot be calculated: ${message.replace(/[.?]+$/, '')}.`,
    hint: 'Change the values. In your own preset, you can also change the formula.',
  };
}

function targetMissing(): Issue {
  return {
    level: 'error',
    code: 'TARGET_MISSING',
    path: 'targets',
    message: 'There is no address to test.',
    hint: 'Enter at least one, for example http://contest.example.org/.',
  };
}

const { levels, duet, slotMs, repeats, interleaved, coolDownSeconds, baselineSeconds, readySeconds } = seriesSchema.shape;
const { name, factors } = seriesSchema.shape.variants.unwrap().element.shape;

/**
 * Series of a preset. It is like `series:` of a plan, but its variants are relative to the user's addresses. It has no commands, because
 * presets are untrusted.
 */
const presetSeriesSchema = z.strictObject({
  variants: z
    .union([
      /** Every address is a variant with a name of its own. */
      z.literal('eachTarget'),
      z
        .array(
          z.strictObject({
            name,
            factors,
            /** Path below each address. Default: the address itself. */
            path: z
              .string()
              .max(2_048)
              .regex(/^(?![a-z][a-z0-9+.-]*:|[/\\]{2})/i, 'Enter a path below the address, for example node/.')
              .default(''),
          }),
        )
        .max(50),
    ])
    .default([]),
  levels,
  duet,
  slotMs,
  repeats,
  interleaved,
  coolDownSeconds,
  baselineSeconds,
  readySeconds,
});

interface PresetSeries {
  /** The series; null for a single run. */
  readonly series: Series | null;
  /** Targets of the plan. The plan is the first variant of the series. */
  readonly targets: readonly Target[];
  readonly issues: readonly Issue[];
  /** Returns the problems of the series for a plan. */
  readonly check: (plan: Plan) => Issue[];
}

/** Returns the series of a filled-in template. If the preset has no series, `written` is undefined. */
function presetSeries(written: unknown, targets: readonly Target[], scale: number): PresetSeries {
  const single = { series: null, targets, issues: [], check: () => [] };
  if (written === undefined) return single;
  const parsed = presetSeriesSchema.safeParse(written);
  if (!parsed.success) {
    const issues = schemaIssues(parsed.error, presetSeriesSchema, written);
    return { ...single, issues: issues.map((issue) => ({ ...issue, path: issue.path === '' ? 'series' : `series.${issue.path}` })) };
  }
  const { variants: places, ...rest } = parsed.data;
  const variants =
    places === 'eachTarget'
      ? variantForEachTarget(targets)
      : places.map(({ path, ...place }) => ({ ...place, targets: targetsBelow(targets, path), before: [], after: [] }));
  const series: Series = { ...rest, variants, levels: levelsAtTimeScale(rest.levels, scale), before: [], after: [] };
  const first = variants[0]?.targets ?? targets;
  if (variants.length < 2 && Object.keys(series.levels).length === 0 && series.repeats === 1) return { ...single, targets: first };
  return { series, targets: first, issues: [], check: (plan) => checkSeries({ plan, series }) };
}

function variantForEachTarget(targets: readonly Target[]): Series['variants'] {
  const names = targets.map((target) => target.name ?? target.url.slice(0, 60));
  return targets.map((target, index) => {
    const own = names[index] ?? '';
    const isTaken = names.indexOf(own) < index;
    return { name: isTaken ? `${own.slice(0, 56)} ${index + 1}` : own, factors: {}, targets: [target], before: [], after: [] };
  });
}

/** Puts the path of a variant below the targets, as the path of a step is put below its target. */
function targetsBelow(targets: readonly Target[], path: string): Target[] {
  return targets.map((target) => ({ ...target, url: path === '' ? target.url : new URL(path, toFolder(target.url)).href }));
}

function toFolder(url: string): string {
  const withoutQuery = url.replace(/[?#].*$/s, '');
  return withoutQuery.endsWith('/') ? withoutQuery : `${withoutQuery}/`;
}

/** Minimum time-out in a plan, in seconds. */
const MIN_TIMEOUT_SECONDS = 1;

/**
 * Returns the plan at `scale` times the speed: durations, pauses and time limits are divided, rates are multiplied, and numbers of users
 * and requests are unchanged. Utilization and queue lengths stay the same if the server's times are divided, too. Fields are recognized by
 * the units in their names.
 */
export function scaleTimesOfPlan(plan: Plan, scale: number): unknown {
  if (scale === 1) return plan;
  return {
    ...plan,
    load: scalePart(plan.load, scale),
    criteria: scalePart(plan.criteria, scale),
    journey: plan.journey.map((step) => ({ ...step, ...scaleTimes(step, scale) })),
    ...(plan.demand === undefined ? {} : { demand: scalePart(plan.demand, scale) }),
    connections: scalePart(plan.connections, scale),
    timeoutSeconds: Math.max(MIN_TIMEOUT_SECONDS, divideTime(plan.timeoutSeconds, scale)),
    ...(plan.drainSeconds === undefined ? {} : { drainSeconds: divideTime(plan.drainSeconds, scale) }),
    safety: { ...plan.safety, ...(plan.safety.maxSeconds === undefined ? {} : { maxSeconds: divideTime(plan.safety.maxSeconds, scale) }) },
  };
}

/** Scales the levels of a series. The pauses between its runs stay unchanged. */
export function levelsAtTimeScale(levels: Series['levels'], scale: number): Series['levels'] {
  return Object.fromEntries(
    Object.entries(levels).map(([field, values]) => [field, values.map((value) => scaleNumber(field, value, scale))]),
  );
}

const STEP_TIME_FIELDS: ReadonlySet<string> = new Set(['thinkTime', 'poll', 'background', 'budgetMs']);

/** Scales only the times of a step, because its content may have fields with any name. */
function scaleTimes(step: object, scale: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(step)
      .filter(([key]) => STEP_TIME_FIELDS.has(key))
      .map(([key, value]) => [key, key === 'poll' ? scalePoll(value, scale) : scaleField(key, value, scale)]),
  );
}

/** Scales the times of a poll. Its condition is not a time. */
function scalePoll(poll: unknown, scale: number): unknown {
  if (!isBlock(poll)) return poll;
  const { until, ...times } = poll;
  return { until, ...Object.fromEntries(Object.entries(times).map(([key, value]) => [key, scaleField(key, value, scale)])) };
}

function scalePart(part: unknown, scale: number): unknown {
  if (Array.isArray(part)) return part.map((item) => scalePart(item, scale));
  if (!isBlock(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, scaleField(key, value, scale)]));
}

function scaleField(key: string, value: unknown, scale: number): unknown {
  return typeof value === 'number' ? scaleNumber(key, value, scale) : scalePart(value, scale);
}

function scaleNumber(key: string, value: number, scale: number): number {
  if (/PerSecond$|^perSecond$/.test(key)) return tidy(value * scale);
  return /Seconds$|^seconds|Ms$/.test(key) ? divideTime(value, scale) : value;
}

function divideTime(value: number, scale: number): number {
  return tidy(value / scale);
}

/** Removes rounding errors in the last digits. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
