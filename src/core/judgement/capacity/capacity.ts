import { answeredRequests } from '#core/measurement/ledger.ts';
import type { Finding, ObjectiveResult, RunResult, Verdict } from '#core/result/schema.ts';
import type { Demand } from '#core/plan/schema/demand.ts';
import { type MeasuredRun, sickShare } from '../diagnosis/rule.ts';
import { type Headroom, headroomEvidence, headroomFor, headroomSentence, roomWords } from './demand.ts';
import { resourcesOf } from './firstToGive.ts';
import { bestCycle, type Cycle, cyclesOf } from './cycles.ts';
import { type LevelSet, levelsOfRun } from './levels.ts';
import { type Scaling, scalingOf } from './scaling.ts';
import { ruleOf } from '#core/judgement/diagnosis/rule.ts';

/**
 * The head-room: good answers a second of the counted stage that managed most without missing a limit, divided by what the plan says the real thing
 * will ask for. A limit that is itself a rate is left out: it says how much is wanted, not how well it is answered.
 */
export function headroomOf(
  { plan, stages }: Pick<MeasuredRun, 'plan' | 'stages'>,
  objectives: readonly ObjectiveResult[],
): Headroom | null {
  const broken = new Set(missedOf(objectives).map(({ stage }) => stage));
  const loads = stages.flatMap(({ name, counted, requests, rates }) => {
    const complete = answeredRequests(requests);
    if (!counted || rates.completedPerSecond === null || complete === 0) return [];
    return [
      {
        name,
        perSecond: (rates.completedPerSecond * requests.ok) / complete,
        startedPerSecond: rates.startedPerSecond ?? 0,
        broke: broken.has(name),
      },
    ];
  });
  return headroomFor(plan.demand, loads);
}

function missedOf(objectives: readonly ObjectiveResult[]): ObjectiveResult[] {
  return objectives.filter(({ objective, outcome }) => outcome === 'breaks' && objective.kind !== 'throughput');
}

/** From this share of sick seconds on, too low a rate may be that of the generator. */
const MUCH_SICK = 0.2;

/** The head-room as something to notice; nothing where it is not known. */
export function headroom(facts: MeasuredRun, objectives: readonly ObjectiveResult[]): Finding[] {
  const room = headroomOf(facts, objectives);
  if (room === null || (room.factor < 1 && sickShare(facts) > MUCH_SICK)) return [];
  const { factor, brokeAt, stage, perSecond } = room;
  const own = facts.stages.find(({ name }) => name === stage);
  const [from, to] = [own?.startedAtSecond ?? null, own?.endedAtSecond ?? null];
  const resources = from === null || to === null ? [] : resourcesOf(facts, { fromSecond: from, toSecond: to, perSecond });
  const missed = missedOf(objectives).flatMap((one) => (one.stage === brokeAt ? [one.text] : []));
  return [
    {
      id: 'headroom',
      level: factor < 1 ? 'warning' : 'info',
      sentence: headroomSentence(room),
      evidence: headroomEvidence(room, missed, resources),
      remedy: brokeAt === null ? 'To find where it ends, run it again with more.' : 'Nothing to do: this is the reserve.',
      confidence: brokeAt === null ? 'likely' : 'certain',
      range: null,
    },
  ];
}

/** One set of levels and what can be read off it. */
export interface ScaledSet {
  readonly set: LevelSet;
  readonly scaling: Scaling;
}

/** How much something can do, as far as a run or a series tells. */
export interface Capacity {
  readonly sets: readonly ScaledSet[];
  /** Of a run: its counted stages with a number of users or connections. Empty for a series, whose table they are. */
  readonly cycles: readonly Cycle[];
  readonly best: Cycle | null;
  readonly headroom: Headroom | null;
}

/** Findings that say that a rate was not the server's. */
const NOT_THE_SERVER: ReadonlySet<string> = new Set(['generatorLimited', 'portsExhausted', 'bandwidthBound']);

type Run = Pick<RunResult, 'stages' | 'pages' | 'windows' | 'objectives' | 'plan' | 'findings'>;

/** Of a run; `demand` instead of the one in its plan. */
export function capacityOfRun(run: Run, demand: Demand | undefined = run.plan.demand): Capacity {
  const set = levelsOfRun(run);
  const isAnothers = run.findings.some((finding) => NOT_THE_SERVER.has(ruleOf(finding)));
  const judged = set === null ? null : isAnothers ? { ...set, levels: set.levels.map((level) => ({ ...level, isDoubted: true })) } : set;
  const cycles = cyclesOf(run);
  return {
    sets: judged === null ? [] : [{ set: judged, scaling: scalingOf(judged) }],
    cycles,
    best: cycles.length < 2 ? null : bestCycle(cycles),
    headroom: headroomOf({ ...run, plan: { ...run.plan, demand } }, run.objectives),
  };
}

/** With fewer successful responses a rate says too little to count people by it. */
const MIN_RESPONSES_OF_ROOM = 100;

/** The verdict of a passed run, its headline with the number of people that the measured capacity is enough for. */
export function withRoom(verdict: Verdict, run: Run): Verdict {
  const { headline, sentence, outcome } = verdict;
  const { headroom: room, sets } = capacityOfRun(run);
  const stage = run.stages.find(({ name }) => name === room?.stage);
  if (outcome !== 'holds' || room === null || (stage?.requests.ok ?? 0) < MIN_RESPONSES_OF_ROOM) return verdict;
  const isBounded = room.brokeAt !== null || sets.some(({ scaling }) => isSaturated(scaling));
  const words = roomWords(room, run.plan.claim, isBounded);
  return { ...verdict, headline: `${headline}${words}`, sentence: `${headline}${words}${sentence.slice(headline.length)}` };
}

/** Whether levels show where the rate stops growing. */
function isSaturated(scaling: Scaling): boolean {
  return scaling.kind === 'limit' || (scaling.kind === 'curve' ? scaling.peak !== null : scaling.why === 'flat');
}

/** Whether there is anything to tell beside the figures that stand elsewhere. */
export function hasCapacity({ sets, headroom, cycles }: Capacity): boolean {
  return sets.length > 0 || headroom !== null || cycles.length > 1;
}
