import type { RunFacts } from '../diagnosis/rule.ts';
import { formatNumber, formatRate } from '../units.ts';
import type { Finding, ObjectiveResult } from './result.ts';

/** The most that a run managed within its limits, and what will be asked for. */
export interface Headroom {
  readonly stage: string;
  readonly perSecond: number;
  readonly demandPerSecond: number;
  /** `perSecond` by `demandPerSecond`. */
  readonly factor: number;
  /** Name of a stage that was loaded more and broke a limit; null where the run never went so far. */
  readonly brokeAt: string | null;
}

/**
 * The head-room: good answers a second of the counted stage that managed most without missing a limit, divided by what the plan says the real thing
 * will ask for. Only what was measured counts, so without a stage that broke it is a lower bound. null where the plan names no demand, or no
 * stage kept its limits. A limit that is itself a rate is left out: it says how much is wanted, not how well it is answered.
 */
export function headroomOf({ plan, stages }: Pick<RunFacts, 'plan' | 'stages'>, objectives: readonly ObjectiveResult[]): Headroom | null {
  const demandPerSecond = plan.demand?.requestsPerSecond;
  if (demandPerSecond === undefined) return null;
  const broken = new Set(
    objectives.flatMap(({ objective, outcome, stage }) => (outcome === 'breaks' && objective.kind !== 'throughput' ? [stage] : [])),
  );
  const reached = stages.flatMap(({ name, counted, requests, rates }) => {
    const answered = requests.ok + requests.httpError + requests.wrongBody;
    if (!counted || rates.completedPerSecond === null || answered === 0) return [];
    return [{ name, perSecond: (rates.completedPerSecond * requests.ok) / answered, started: rates.startedPerSecond ?? 0 }];
  });
  const kept = reached.filter(({ name }) => !broken.has(name)).sort((one, other) => other.perSecond - one.perSecond);
  const [best] = kept;
  if (best === undefined || best.perSecond === 0) return null;
  const beyond = reached.find(({ name, started }) => broken.has(name) && started > best.started);
  return {
    stage: best.name,
    perSecond: best.perSecond,
    demandPerSecond,
    factor: best.perSecond / demandPerSecond,
    brokeAt: beyond?.name ?? null,
  };
}

/** The head-room as something to notice; nothing where it is not known. */
export function headroom(facts: RunFacts, objectives: readonly ObjectiveResult[]): Finding[] {
  const room = headroomOf(facts, objectives);
  if (room === null) return [];
  const { factor, perSecond, demandPerSecond, brokeAt, stage } = room;
  const times = `${formatNumber(factor)} times`;
  return [
    {
      id: 'headroom',
      level: factor < 1 ? 'warning' : 'info',
      sentence:
        factor < 1
          ? `It managed ${formatRate(perSecond)} within the limits, ${times} the ${formatRate(demandPerSecond)} that are expected: that is not enough, or it was not asked for more.`
          : `It managed ${formatRate(perSecond)} within the limits, ${brokeAt === null ? 'at least ' : ''}${times} the ${formatRate(demandPerSecond)} that are expected.`,
      evidence: [
        `Most within the limits: “${stage}”, ${formatRate(perSecond)} good answers.`,
        brokeAt === null
          ? 'No stage that was loaded more missed a limit: where it ends is not known.'
          : `“${brokeAt}” was loaded more and missed a limit.`,
      ],
      remedy: brokeAt === null ? 'To find where it ends, run it again with more.' : 'Nothing to do: this is what is left in hand.',
      confidence: brokeAt === null ? 'likely' : 'certain',
      range: null,
    },
  ];
}
