import { headroomEvidence, headroomFor, headroomSentence, type Headroom } from './demand.ts';
import { resourcesOf } from './firstToGive.ts';
import { answered, type RunFacts } from '../diagnosis/rule.ts';
import type { Finding, ObjectiveResult } from '#core/result/schema.ts';

/**
 * The head-room: good answers a second of the counted stage that managed most without missing a limit, divided by what the plan says the real thing
 * will ask for. A limit that is itself a rate is left out: it says how much is wanted, not how well it is answered.
 */
export function headroomOf({ plan, stages }: Pick<RunFacts, 'plan' | 'stages'>, objectives: readonly ObjectiveResult[]): Headroom | null {
  const broken = new Set(missedOf(objectives).map(({ stage }) => stage));
  const loads = stages.flatMap(({ name, counted, requests, rates }) => {
    const complete = answered(requests);
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

/** The head-room as something to notice; nothing where it is not known. */
export function headroom(facts: RunFacts, objectives: readonly ObjectiveResult[]): Finding[] {
  const room = headroomOf(facts, objectives);
  if (room === null) return [];
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
      remedy: brokeAt === null ? 'To find where it ends, run it again with more.' : 'Nothing to do: this is what is left in hand.',
      confidence: brokeAt === null ? 'likely' : 'certain',
      range: null,
    },
  ];
}
