import type { GivenOptions } from '#core/base/lab/listing.ts';
import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { sumOf } from '#core/base/lists.ts';
import type { RunResult } from '#core/result/schema.ts';
import { Visitor } from '#lab/testing/visitor.ts';
import { accountFile } from '../framework/accounts.ts';
import { equalFigure, exactFigure, type Figure } from '../framework/figure.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { PlanOfStory, Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';
import { journeyOfPupils, startsAt } from './journey.ts';

const START_MS = 400;
/** Time limit for an opening in ms. It is so short that a server with too few resources serves only some of the users in time. */
const MAX_MS = 2_000;
const BELL_SECOND = 11;

interface Fault {
  readonly lab: GivenOptions;
  /** The id of the first finding that is a problem or a warning; null if there is none. */
  readonly finding: string | null;
  /** Text in the sentence or evidence of that finding. */
  readonly cause: RegExp;
  /** Whether fewer users would have been served in time. */
  readonly isTooMany: boolean;
}

const FAULTS = {
  none: { lab: { workers: 40 }, finding: null, cause: /^$/, isTooMany: false },
  backlog: {
    lab: { workers: 6, backlog: 12, 'start-ms': START_MS },
    finding: 'bellRefusals.start',
    cause: /queue of workers was full/,
    isTooMany: true,
  },
  'address limit': {
    lab: { workers: 40, 'address-limit': 18 },
    finding: 'bellRefusals.start',
    cause: /limit per address/,
    isTooMany: true,
  },
  cold: { lab: { workers: 40, 'cold-cache': true, 'cold-ms': 1_500 }, finding: 'bellColdStart.start', cause: /was cold/, isTooMany: false },
  'shared session': { lab: { 'service-ms': 150 }, finding: 'bellLock.start', cause: /share one session/, isTooMany: true },
  lock: { lab: { lock: 'everybody', 'start-ms': 100 }, finding: 'bellLock.start', cause: /one after the other/, isTooMany: true },
  database: {
    lab: { workers: 60, pool: 8, 'pool-refuses': true, 'start-ms': START_MS },
    finding: 'databaseFault.connections',
    cause: /as many as it allows were open/,
    isTooMany: false,
  },
  pool: { lab: { workers: 40, pool: 3, 'start-ms': START_MS }, finding: 'bellPool.start', cause: /3 at a time/, isTooMany: true },
} as const satisfies Record<string, Fault>;
type FaultName = keyof typeof FAULTS;

/**
 * The opening of an exam on a server with at most one fault. The first finding must name the fault, and the smaller number of users that a
 * finding names must be served in time.
 */
export const opening = story({
  id: 'exam/opening',
  statement:
    'At a bell, one thing is too little: the result names it first, is sure of nothing else, and says how many would have been served.',
  owner: 'conclusions',
  usualSeconds: 80,
  needs: [],
  draw: (dice) => ({ fault: dice.pick(Object.keys(FAULTS) as [FaultName, ...FaultName[]]), users: dice.whole(30, 45) }),
  async play(scene, { fault, users }) {
    const { lab: options, finding, cause, isTooMany } = FAULTS[fault] as Fault;
    const lab = await scene.lab('exam', { 'service-ms': 10, 'start-ms': 20, accounts: 200, ...options });
    const ring = async (people: number): Promise<RunResult> => {
      await lab.act('forget-attempts');
      return scene.run(fault === 'shared session' ? await makePlanOfOneSession(lab, people) : await makePlanOfPupils(scene, lab, people));
    };
    const result = await ring(scene.hidden(users));
    // This machine may be busy with the servers of the story.
    const first = result.findings.find(({ id, level }) => level !== 'info' && id !== 'generatorLimited');
    const certain = result.findings.filter(
      ({ id, level, confidence }) => level !== 'info' && confidence === 'certain' && !id.startsWith('bells.'),
    );
    const responses = countResponses(result.outcomes.requests);
    // The one login that all users share takes place before the load.
    const lines = await lab.linesWhen(responses, 'exam', ({ path }) => fault !== 'shared session' || path.includes('execute'));
    const figures = [
      equalFigure('responses', responses, lines.filter(({ complete }) => complete).length),
      exactFigure('users at the bell', users, result.bells?.[0]?.waited ?? NaN, null),
      exactFigure('first finding is the fault', 1, (first?.id ?? null) === finding ? 1 : 0, null),
      exactFigure(
        'cause in its text',
        1,
        cause.test(first === undefined ? '' : [first.sentence, ...first.evidence].join(' ')) ? 1 : 0,
        null,
      ),
      exactFigure('other findings that are certain', 0, certain.length, null),
    ];
    return isTooMany ? [...figures, ...(await checkNumber(result, ring))] : figures;
  },
});

/** Rings the bell for the number of users that a finding names, and returns the figure for how many of them were served in time. */
async function checkNumber({ findings }: RunResult, ring: (people: number) => Promise<RunResult>): Promise<Figure[]> {
  const named = Number(/^About (\d+) users/.exec(findings.find(({ id }) => id === 'bellCapacity.start')?.sentence ?? '')?.[1]);
  if (Number.isNaN(named)) return [exactFigure('named number', 1, 0, null)];
  const { bells: [bell] = [] } = await ring(named);
  const served = sumOf((bell?.opening ?? []).slice(0, MAX_MS / 100), (tenth) => tenth.served);
  return [
    { name: 'users who are served in time', unit: '', predicted: named, measured: served, logged: null, within: Math.ceil(0.1 * named) },
  ];
}

function makePlan(url: string, users: number, journey: PlanOfStory['journey'], cookie?: string): PlanOfStory {
  return {
    targets: [{ url, ...(cookie === undefined ? {} : { cookie }) }],
    journey,
    bells: { start: { atSeconds: BELL_SECOND }, again: { atSeconds: BELL_SECOND + 10, maxLostShare: 1 } },
    load: { model: 'users', paceSeconds: 60, stages: [{ users, startUpSeconds: 9, startUpCounts: true, seconds: BELL_SECOND + 12 }] },
    criteria: [{ kind: 'responseTime', step: 'start', percentile: 80, maxMs: MAX_MS }],
    safety: { stopAtErrorShare: 0.95, errorWindowSeconds: 30 },
  };
}

async function makePlanOfPupils(scene: Scene, lab: LabProcess, users: number): Promise<PlanOfStory> {
  const plan = makePlan(lab.urls[0] ?? '', users, journeyOfPupils(['start', 'again']));
  return { ...plan, feeds: { accounts: { file: await accountFile(scene, lab), order: 'unique' } } };
}

/** Returns a plan in which all users have the session of one login, as in a recording without accounts. */
async function makePlanOfOneSession(lab: LabProcess, users: number): Promise<PlanOfStory> {
  const [url = ''] = lab.urls;
  const [{ username, password } = { username: '', password: '' }] = lab.accounts;
  const visitor = new Visitor(url);
  const page = await (await visitor.get('public/code/index.php')).text();
  const token = /name="csrf_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
  await visitor.post('public/code/index.php', { xuser_name: username, xuser_password: password, csrf_token: token });
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return makePlan(url, users, startsAt(['start', 'again']), cookie);
}
