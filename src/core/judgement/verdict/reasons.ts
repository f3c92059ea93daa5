import { capitalized } from '#core/base/text.ts';
import type { CriterionResult, Verdict } from '#core/result/schema.ts';
import { judgedStages, stageName } from '#core/plan/names.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { atStart, inARow } from '#core/plan/hosts/places.ts';
import { overloadWords } from '#core/result/generatorNames.ts';
import { OVERLOAD_WORDS } from '#core/result/overloadWords.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import { formatCount, formatMs, formatPortion, formatSeconds } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';
import { neverWorked, neverWorkedWords } from './neverWorked.ts';
import { notSeenWords } from './notSeen.ts';
import { notOfferedWords } from './offered.ts';
import { storageReason } from './storage.ts';
import { lowerStart } from './words.ts';

type Reason = Verdict['reasons'][number];

/** Code of the reason that says what may have been missed. */
export const NOT_SEEN = 'time.notSeen';
/** Code of the reason that says how long load generators were overloaded. */
export const OVERLOADED = 'generator.overloaded';

const ORDER: Readonly<Record<CriterionResult['outcome'], number>> = { failed: 0, unknown: 1, passed: 2 };

/** Maximum number of steps named in a sentence. */
const MAX_NAMED = 4;

/** Returns the reasons of the verdict: what decided it first, what it does not cover last. */
export function reasonsOf(
  criteria: readonly CriterionResult[],
  notSeen: Verdict['notSeen'],
  input: JudgeInput,
  storage?: Verdict['storage'],
): Reason[] {
  // A criterion that passed at the highest load is the most informative, and plans list stages from low to high.
  const judged = [...criteria]
    .sort((a, b) => ORDER[a.outcome] - ORDER[b.outcome] || (a.outcome === 'passed' ? levelOfStage(b, input) - levelOfStage(a, input) : 0))
    .map(criterionReason);
  return [
    ...judged.filter((reason) => reason !== null),
    ...passedByDefault(criteria),
    ...[storageReason(storage)].filter((reason) => reason !== null),
    ...endReasons(input),
    ...neverWorkedReasons(input),
    ...offeredReasons(input),
    ...generatorReasons(input),
    ...notSeenReasons(notSeen),
  ];
}

/** Returns the highest load of the judged stage; 0 if the plan has no such stage. */
function levelOfStage({ stage }: CriterionResult, { plan }: JudgeInput): number {
  const found = plan.load.stages.find((_, index) => stageName(plan, index) === stage);
  return found === undefined ? 0 : levelOf(found).highest;
}

function criterionReason({ criterion, outcome, text, reason, isDefault }: CriterionResult): Reason | null {
  if (isDefault === true && outcome === 'passed') return null;
  return { code: `${criterion.kind}.${outcome}`, text: `${capitalized(text)}: ${lowerStart(reason)}` };
}

/** Returns one sentence for all of them, because a recorded journey has many steps. */
function passedByDefault(criteria: readonly CriterionResult[]): Reason[] {
  const passed = criteria.filter(({ isDefault, outcome }) => isDefault === true && outcome === 'passed');
  if (passed.length === 0) return [];
  const names = passed.flatMap(({ step }) => (step === null ? [] : [`“${step}”`]));
  const failed = passed.reduce((sum, { over }) => sum + (over ?? 0), 0);
  const which = names.length > MAX_NAMED ? `${formatCount(names.length)} steps without an error criterion of their own` : inARow(names);
  return [
    {
      code: 'default.passed',
      text: `By default, at most 1 % may fail, and none of fewer than 100: ${which} passed, with ${failed === 0 ? 'no failure' : formatCount(failed)}${failed > 0 ? ` ${failed === 1 ? 'failure' : 'failures'}` : ''}.`,
    },
  ];
}

function notSeenReasons(notSeen: Verdict['notSeen']): Reason[] {
  return notSeen === undefined ? [] : [{ code: NOT_SEEN, text: notSeenWords(notSeen) }];
}

function endReasons({ head, balances }: JudgeInput): Reason[] {
  const reasons: Reason[] = [];
  if (head.endedBecause) reasons.push({ code: `ended.${head.endedBecause.code}`, text: head.endedBecause.text });
  if (!balances) {
    reasons.push({ code: 'outcomes.unbalanced', text: 'Not every request is accounted for. That is a bug of Holdfast: report it.' });
  }
  return reasons;
}

function neverWorkedReasons(input: JudgeInput): Reason[] {
  return neverWorked(input).map((step) => ({ code: 'step.neverWorked', text: `${capitalized(neverWorkedWords(step))}.` }));
}

function offeredReasons(input: JudgeInput): Reason[] {
  return notOfferedWords(input, judgedStages(input.plan)).map((text) => ({ code: 'load.notOffered', text }));
}

function generatorReasons({ evidence, overload, generators }: JudgeInput): Reason[] {
  const reasons: Reason[] = generators.flatMap(({ name, lost }) =>
    lost === null
      ? []
      : [
          {
            code: 'generator.lost',
            text: `Degraded: ${name} was lost in second ${Math.floor(lost.second)}, together with its part of the load. ${lost.text}`,
          },
        ],
  );
  const { seconds, causes } = evidence.overload();
  if (seconds > 0) {
    const why = overload.causes.map(({ cause }) => OVERLOAD_WORDS[cause].what).join('; ');
    reasons.push({
      code: OVERLOADED,
      text: `${atStart(overloadWords(generators))} for ${formatSeconds(overload.seconds)}: ${why}.`,
    });
  }
  const { scheduleLag } = evidence;
  if (causes.includes('scheduleLag') && scheduleLag.totalCount > 0) {
    const p99 = milliseconds(valueAtRank(scheduleLag, percentileRank(99, scheduleLag.totalCount)));
    reasons.push({
      code: 'generator.late',
      text: `Requests started late: ${formatPortion(99)} within ${formatMs(p99)} of their scheduled time.`,
    });
  }
  if (generators.some((generator) => generator.sharesMachineWithTarget)) {
    reasons.push({ code: 'generator.shared', text: 'Load generator and target ran on the same machine and shared its cores.' });
  }
  return reasons;
}
