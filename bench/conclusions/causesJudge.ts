import type { Finding, RunResult } from '#core/result/schema.ts';
import type { Requirement } from '../figures/requirement.ts';
import type { Section } from '../parts/part.ts';
import type { CauseKind } from './causeKinds.ts';

/** Rules that are about the load generator itself. */
const GENERATOR_RULES: ReadonlySet<string> = new Set(['generatorLimited', 'standstill']);
/** Minimum share of causes that are named first. */
const MIN_NAMED_PERCENT = 90;

export interface CauseRun {
  readonly kind: string;
  readonly isHealthy: boolean;
  /** Warnings and problems about the server, in the order of the report. */
  readonly stated: readonly string[];
  readonly isNamedFirst: boolean;
  /** Wrong statements that the app calls certain. */
  readonly wrong: readonly string[];
  readonly overloadedSeconds: number;
}

export function judgeCause(
  { id, named, alsoTrue }: Pick<CauseKind, 'id' | 'named' | 'alsoTrue'>,
  { findings, generators }: Pick<RunResult, 'findings' | 'generators'>,
): CauseRun {
  const grave = findings.filter((finding) => finding.level !== 'info' && !GENERATOR_RULES.has(ruleOf(finding)));
  const [first] = grave;
  return {
    kind: id,
    isHealthy: named.length === 0,
    stated: grave.map((finding) => `${finding.id} (${finding.confidence})`),
    isNamedFirst: first !== undefined && named.includes(ruleOf(first)),
    wrong: grave
      .filter((finding) => finding.confidence === 'certain' && ![...named, ...alsoTrue].includes(ruleOf(finding)))
      .map(({ id: found, sentence }) => `${found}: ${sentence}`),
    overloadedSeconds: generators.reduce((sum, { overloadedSeconds }) => sum + overloadedSeconds, 0),
  };
}

function ruleOf({ id }: Finding): string {
  return id.split('.', 1)[0] ?? id;
}

/** Returns the line that is printed at the end of a run. */
export function describeCauseRun({ isHealthy, stated, isNamedFirst, wrong }: CauseRun): string {
  const right = isHealthy ? stated.length === 0 : isNamedFirst;
  return `${right ? 'right' : 'WRONG'}: ${stated.join(', ') || 'nothing'}${wrong.length === 0 ? '' : `; CERTAIN AND WRONG: ${wrong.join(' | ')}`}`;
}

export function causeSections(runs: readonly CauseRun[], kinds: readonly Pick<CauseKind, 'id' | 'title' | 'named'>[]): Section[] {
  return [
    {
      title: 'Causes',
      caption:
        'Servers with one thing wrong, and with nothing. “Named first”: the first warning or problem about the server is of that cause; of healthy servers, there is none.',
      head: ['server', 'runs', 'right', 'stated', 'certain and wrong', 'seconds overloaded'],
      rows: kinds.map(({ id, title }) => {
        const ownCauseRuns = runs.filter(({ kind }) => kind === id);
        return [
          title,
          String(ownCauseRuns.length),
          String(ownCauseRuns.filter(isRight).length),
          [...new Set(ownCauseRuns.flatMap(({ stated }) => stated))].join(', ') || 'nothing',
          ownCauseRuns.flatMap(({ wrong }) => wrong).join(' · ') || 'none',
          String(ownCauseRuns.reduce((sum, { overloadedSeconds: overloaded }) => sum + overloaded, 0)),
        ];
      }),
    },
  ];
}

function isRight({ isHealthy, stated, isNamedFirst }: CauseRun): boolean {
  return isHealthy ? stated.length === 0 : isNamedFirst;
}

export function causeRequirements(runs: readonly CauseRun[]): Requirement[] {
  const [healthy, planted] = [runs.filter((run) => run.isHealthy), runs.filter((run) => !run.isHealthy)];
  return [
    {
      what: 'of the causes named first',
      value: planted.length === 0 ? null : (100 * planted.filter(isRight).length) / planted.length,
      unit: ' %',
      limit: { kind: 'atLeast', value: MIN_NAMED_PERCENT },
      aim: 100,
    },
    {
      what: 'healthy runs with a warning',
      value: healthy.filter((run) => !isRight(run)).length,
      unit: '',
      limit: { kind: 'atMost', value: 0 },
      aim: null,
    },
    {
      what: 'runs with a statement that is certain and wrong',
      value: runs.filter(({ wrong }) => wrong.length > 0).length,
      unit: '',
      limit: { kind: 'atMost', value: 0 },
      aim: null,
    },
  ];
}
