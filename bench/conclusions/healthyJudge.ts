import type { Requirement } from '../figures/requirement.ts';
import type { Section } from '../parts/part.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import { formatFigure } from '../output/table.ts';
import { MAX_STOLEN_SHARE } from '../running/stealGate.ts';

/** What the app states about a run against a healthy server. */
export interface HealthyRun {
  readonly place: number;
  readonly kind: string;
  readonly requests: number;
  readonly outcome: RunResult['verdict']['outcome'];
  /** Sentences on which the verdict is based. */
  readonly reasons: readonly string[];
  /** Warnings and problems about the server. Each one is a false alarm. */
  readonly alarms: readonly Finding[];
  /** Warnings about this computer. They may be justified. */
  readonly ownAlarms: readonly Finding[];
  /** Ids of the remarks. */
  readonly remarks: readonly string[];
  readonly balances: boolean;
  /** Number of seconds in which this computer was overloaded. */
  readonly overloadedSeconds: number;
  readonly stolenShare: number | null;
}

const MAX_FALSE_PERCENT = 2;
/** Rules about the load generator rather than the server. */
const GENERATOR_RULES: ReadonlySet<string> = new Set(['generatorLimited', 'standstill']);

export function makeHealthyRun(place: number, kind: string, result: RunResult, stolenShare: number | null): HealthyRun {
  const { findings, verdict, outcomes, balances, generators } = result;
  const grave = findings.filter(({ level }) => level !== 'info');
  return {
    place,
    kind,
    requests: outcomes.requests.sent,
    outcome: verdict.outcome,
    reasons: verdict.reasons.map(({ text }) => text),
    alarms: grave.filter((finding) => !isAboutGenerator(finding)),
    ownAlarms: grave.filter(isAboutGenerator),
    remarks: findings.filter(({ level }) => level === 'info').map(({ id }) => id),
    balances,
    overloadedSeconds: generators.reduce((sum, each) => sum + each.overloadedSeconds, 0),
    stolenShare,
  };
}

function isAboutGenerator({ id }: Finding): boolean {
  return GENERATOR_RULES.has(id.split('.')[0] ?? id);
}

/** Returns whether stolen processor time explains the overload, either in the whole run or in one of its seconds. */
function isExplained({ stolenShare, ownAlarms }: HealthyRun): boolean {
  return (stolenShare ?? 0) > MAX_STOLEN_SHARE || ownAlarms.some(({ causes = [] }) => causes.some(({ cause }) => cause === 'steal'));
}

/**
 * Returns whether the verdict is wrong. “Passed” is right. “Inconclusive” is acceptable if the hypervisor stole time. “Failed” is never
 * right.
 */
export function isFalselyJudged(run: HealthyRun): boolean {
  return !run.balances || run.outcome === 'failed' || (run.outcome !== 'passed' && !isExplained(run));
}

/** Returns the line that is printed at the end of a run. */
export function describeHealthyRun({ requests, outcome, alarms, ownAlarms, overloadedSeconds }: HealthyRun): string {
  const alarmed = alarms.length === 0 ? 'no alarm' : `FALSE ALARM: ${alarms.map(({ id }) => id).join(', ')}`;
  const own = ownAlarms.length === 0 ? '' : `, of this computer: ${ownAlarms.map(({ id }) => id).join(', ')} (${overloadedSeconds} s)`;
  return `${requests} requests, ${outcome}, ${alarmed}${own}`;
}

/** Returns the sections of the report. @param kinds Ids and titles of the kinds, in the order of the table. */
export function healthySections(runs: readonly HealthyRun[], kinds: readonly { readonly id: string; readonly title: string }[]): Section[] {
  const made = kinds.map(({ id, title }) => ({ title, own: runs.filter(({ kind }) => kind === id) }));
  const judged = runs.filter(({ outcome, balances }) => outcome !== 'passed' || !balances);
  return [
    {
      title: 'Healthy servers',
      caption:
        'Runs of 2 to 3 s against servers with which nothing is wrong, each a process of its own that has just begun. A warning or a problem about the server is a false alarm; every verdict should be “passed”. “Of this computer”: runs in which it is said that it did not keep up itself. Remarks: what is told without alarm, and how often.',
      head: ['target', 'runs', 'requests', 'with a false alarm', 'of this computer', 'not “passed”', 'most stolen %', 'remarks'],
      rows: made.map(({ title, own }) => [
        title,
        String(own.length),
        String(sum(own.map(({ requests }) => requests))),
        String(own.filter(({ alarms }) => alarms.length > 0).length),
        String(own.filter(({ ownAlarms }) => ownAlarms.length > 0).length),
        String(own.filter(({ outcome }) => outcome !== 'passed').length),
        percent(maxStolenShare(own)),
        countRules(own.flatMap(({ remarks }) => remarks)),
      ]),
    },
    ...makeSections(
      'Alarms',
      'Each with what it rests on.',
      ['run', 'target', 'finding', 'says', 'evidence', 'stolen %'],
      runs.flatMap(({ place, kind, alarms, ownAlarms, stolenShare }) =>
        [...alarms, ...ownAlarms].map(({ id, level, sentence, evidence, figures = [] }) => [
          String(place),
          kind,
          `${id} (${level})`,
          sentence,
          [...evidence, ...figures.map(({ what, value }) => `${what}: ${value}`)].join(' · '),
          percent(stolenShare),
        ]),
      ),
    ),
    ...makeSections(
      'Verdicts that are not “passed”',
      'With what they rest on.',
      ['run', 'target', 'verdict', 'because', 'seconds not kept up', 'stolen %'],
      judged.map(({ place, kind, outcome, reasons, balances, overloadedSeconds, stolenShare }) => [
        String(place),
        kind,
        balances ? outcome : `${outcome}, and the outcomes do not balance`,
        reasons.join(' · '),
        String(overloadedSeconds),
        percent(stolenShare),
      ]),
    ),
  ];
}

export function healthyRequirements(runs: readonly HealthyRun[]): Requirement[] {
  const share = (count: number): number | null => (runs.length === 0 ? null : (100 * count) / runs.length);
  return [
    {
      what: 'of them with a false alarm',
      value: share(runs.filter(({ alarms }) => alarms.length > 0).length),
      unit: ' %',
      limit: { kind: 'atMost', value: MAX_FALSE_PERCENT },
      aim: 0,
    },
    {
      what: 'of them judged other than “passed”, without stolen processors as the reason',
      value: share(runs.filter(isFalselyJudged).length),
      unit: ' %',
      limit: { kind: 'atMost', value: MAX_FALSE_PERCENT },
      aim: 0,
    },
    {
      what: 'of them in which this computer is said not to have kept up, without stolen processors as the reason',
      value: share(runs.filter((run) => run.ownAlarms.length > 0 && !isExplained(run)).length),
      unit: ' %',
      limit: { kind: 'atMost', value: MAX_FALSE_PERCENT },
      aim: 0,
    },
  ];
}

/** Returns the section as a list, which is empty if the section has no rows. */
function makeSections(title: string, caption: string, head: readonly string[], rows: readonly (readonly string[])[]): Section[] {
  return rows.length === 0 ? [] : [{ title, caption, head, rows }];
}

/** Returns a text such as “growingQueue × 2, behaviour”. */
function countRules(ids: readonly string[]): string {
  return [...new Set(ids.map((id) => id.split('.')[0] ?? id))]
    .map((id) => ({ id, times: ids.filter((each) => each.split('.')[0] === id).length }))
    .map(({ id, times }) => (times === 1 ? id : `${id} × ${times}`))
    .join(', ');
}

function maxStolenShare(runs: readonly HealthyRun[]): number | null {
  const known = runs.flatMap(({ stolenShare }) => stolenShare ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function percent(share: number | null): string {
  return formatFigure(share === null ? null : share * 100, 1);
}
