import { comparisonTitle, formatJudgement, MEASURE_WORDS, formatScope, spreadWords } from '#core/comparison/figureTexts.ts';
import { isTooVariable } from '#core/comparison/conclusion.ts';
import { isWorse } from '#core/comparison/baseline.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import type { SeriesResult } from '#core/series/result.ts';
import type { RunResult } from '#core/result/schema.ts';
import { escapeHtml } from '../html/markup.ts';
import { listTargets } from '#core/plan/url.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

/**
 * Formats criteria as JUnit XML for CI servers. Each criterion is a test case, with a failure if it failed and an error if it is unknown. A
 * result without criteria has one case, which has an error unless the verdict is “measured”. Source of the format: the schema of Jenkins'
 * xUnit plugin (junit-10.xsd).
 */
export function formatJunit(result: RunResult): string {
  const suite = buildSuite(result);
  return document(result.run.name, [suite]);
}

/** Formats a suite per cell of a series. The criteria are in the reports of the cell's runs. */
export function formatSeriesJunit({ series, rows }: Pick<SeriesResult, 'series' | 'rows'>): string {
  const suites = rows.map(({ cell, runs }): Suite => {
    const cases = runs.map(({ repeat, state, reason, figures }): Case => {
      const name = `repeat ${repeat}`;
      if (state !== 'value') return { name, seconds: 0, error: { type: state, message: reason ?? state } };
      if (figures?.outcome === 'failed') return { name, seconds: 0, failure: { type: 'failed', message: 'A pass criterion failed.' } };
      if (figures?.outcome === 'inconclusive')
        return { name, seconds: 0, error: { type: 'inconclusive', message: 'The pass criteria are inconclusive.' } };
      return { name, seconds: 0 };
    });
    return { name: cell, at: series.startedAt, seconds: 0, properties: [['series', series.id]], cases };
  });
  return document(series.name, suites);
}

/** Formats a suite per pair. A figure that is worse by more than noise and by more than `tolerance` (a fraction) is a failure. */
export function formatComparisonJunit(comparison: Comparison, tolerance: number): string {
  const suites = comparison.pairs.map((pair): Suite => {
    const name = `${comparison.sides[pair.reference]?.name} / ${comparison.sides[pair.side]?.name}`;
    const cases = pair.differences.map((one): Case => {
      const base: Case = { name: `${MEASURE_WORDS[one.measure]} (${formatScope(one.scope)})`, seconds: 0 };
      const message = `${spreadWords(one, 'to')} instead of ${spreadWords(one, 'from')}: ${formatJudgement(one)}`;
      if (isWorse(one, tolerance)) return { ...base, failure: { type: 'worse', message } };
      return one.judgement === 'differs' || one.judgement === 'withinNoise' ? base : { ...base, error: { type: one.judgement, message } };
    });
    const at = comparison.sides[pair.side]?.runs[0]?.startedAt ?? '';
    const properties = [['result', pair.sentence]] as const;
    // If the noise is too large, differences within noise prove nothing.
    if (pair.conclusion !== 'withinNoise' || !isTooVariable(pair.differences)) return { name, at, seconds: 0, properties, cases };
    const open: Case = { name: 'told apart', seconds: 0, error: { type: 'notReportedApart', message: pair.sentence } };
    return { name, at, seconds: 0, properties, cases: [open, ...cases] };
  });
  return document(comparisonTitle(comparison), suites);
}

interface Fault {
  readonly type: string;
  readonly message: string;
}

interface Case {
  readonly name: string;
  readonly className?: string;
  readonly seconds: number;
  readonly failure?: Fault;
  readonly error?: Fault;
}

interface Suite {
  readonly name: string;
  readonly at: string;
  readonly seconds: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly Case[];
}

function buildSuite(result: RunResult): Suite {
  const { run, plan, durationSeconds, criteria, verdict } = result;
  const seconds = durationSeconds ?? 0;
  const measured: Case = { name: 'measured', className: plan.name, seconds };
  const undecided: Case = { ...measured, error: { type: verdict.outcome, message: verdict.sentence } };
  const none = verdict.outcome === 'measured' ? measured : undecided;
  return {
    name: run.name,
    at: run.startedAt,
    seconds,
    properties: [
      ['run', run.id],
      [
        'target',
        listTargets(plan)
          .map(({ url }) => url)
          .join(' '),
      ],
      ['verdict', verdict.sentence],
      ['holdfast', run.holdfastVersion],
    ],
    cases: criteria.length === 0 ? [none] : criteria.map((one) => buildCase(one, plan.name)),
  };
}

function buildCase({ text, stage, step, outcome, reason, unknownBecause, criterion }: CriterionResult, plan: string): Case {
  const where = [plan, stage, ...(step === null ? [] : [step])];
  const base: Case = { name: `${text} (${stage})`, className: where.join(' / '), seconds: 0 };
  if (outcome === 'failed') return { ...base, failure: { type: criterion.kind, message: reason } };
  if (outcome === 'unknown') return { ...base, error: { type: unknownBecause ?? 'unknown', message: reason } };
  return base;
}

function document(name: string, suites: readonly Suite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = suites.reduce((sum, suite) => sum + suite.seconds, 0);
  const attributes = `name="${escapeHtml(name)}" ${formatCounts(all)} time="${seconds.toFixed(3)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.map(suiteXml).join('')}</testsuites>\n`;
}

function suiteXml({ name, at, seconds, properties, cases }: Suite): string {
  const head = `  <testsuite name="${escapeHtml(name)}" ${formatCounts(cases)} skipped="0" time="${seconds.toFixed(3)}" timestamp="${at.slice(0, 19)}">`;
  const facts = properties.map(([key, value]) => `      <property name="${escapeHtml(key)}" value="${escapeHtml(value)}"/>\n`).join('');
  return `${head}\n    <properties>\n${facts}    </properties>\n${cases.map((one) => caseXml(one, name)).join('')}  </testsuite>\n`;
}

function caseXml({ name, className, seconds, failure, error }: Case, suite: string): string {
  const head = `    <testcase name="${escapeHtml(name)}" classname="${escapeHtml(className ?? suite)}" time="${seconds.toFixed(3)}"`;
  if (failure === undefined && error === undefined) return `${head}/>\n`;
  return `${head}>\n${faultXml('failure', failure)}${faultXml('error', error)}    </testcase>\n`;
}

function faultXml(tag: string, fault: Fault | undefined): string {
  if (fault === undefined) return '';
  return `      <${tag} type="${escapeHtml(fault.type)}" message="${escapeHtml(fault.message)}">${escapeHtml(fault.message)}</${tag}>\n`;
}

function formatCounts(cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
}
