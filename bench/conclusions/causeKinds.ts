import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { CauseSettings } from '../targets/causeSettings.ts';
import type { Dice } from './dice.ts';

/** A server with at most one defect, and the parts of a plan that load it. */
export interface DrawnCause {
  readonly server: CauseSettings;
  readonly load: PlanInput['load'];
  readonly journey?: PlanInput['journey'];
  readonly variables?: PlanInput['variables'];
  /** nginx configuration for the site. If it is set, nginx is in front of the server. */
  readonly limit?: { readonly zone: string; readonly location: string };
}

export interface CauseKind {
  readonly id: string;
  readonly title: string;
  /** Accepted rules. One of them must give the first warning. Empty for a healthy server. */
  readonly named: readonly string[];
  /** Further rules whose warnings are also true for this cause. */
  readonly alsoTrue: readonly string[];
  draw(dice: Dice): DrawnCause;
}

const arrivals = (perSecond: number, seconds: number): PlanInput['load'] => ({
  model: 'arrivals',
  spacing: 'poisson',
  stages: [{ kind: 'constant', perSecond, seconds }],
});
const connections = (count: number, seconds: number): PlanInput['load'] => ({
  model: 'connections',
  stages: [{ connections: count, seconds }],
});
const visitors = (users: number, seconds: number): PlanInput['load'] => ({
  model: 'users',
  thinkTime: { kind: 'uniform', fromSeconds: 0.1, toSeconds: 0.3 },
  stages: [{ users, startUpSeconds: 0, startUpCounts: true, seconds }],
});
const LOGIN: PlanInput['journey'] = [
  {
    name: 'login',
    method: 'POST',
    path: 'login',
    form: { user: 'u{{number}}', password: 'secret' },
    checks: [{ kind: 'contains', text: 'A page' }],
  },
];
const NUMBER_VARIABLE: PlanInput['variables'] = { number: { kind: 'integer', from: 1, to: 400 } };

/** Kinds of servers with one defect. */
export const CAUSE_KINDS: readonly CauseKind[] = [
  {
    id: 'limit',
    title: 'nginx limit_req, refusing with 503',
    named: ['clientLimit'],
    alsoTrue: ['fastFailures'],
    draw: (dice) => ({
      server: { cause: 'none', ms: 3 },
      load: arrivals(dice.integer(50, 80), 8),
      limit: { zone: `rate=${dice.integer(8, 20)}r/s`, location: 'limit_req zone=one burst=5 nodelay;' },
    }),
  },
  {
    id: 'pace',
    title: 'nginx limit_req, delaying',
    named: ['clientLimit'],
    alsoTrue: [],
    draw: (dice) => ({
      server: { cause: 'none', ms: 3 },
      load: connections(dice.integer(6, 12), 9),
      limit: { zone: `rate=${dice.integer(8, 20)}r/s`, location: 'limit_req zone=one burst=100;' },
    }),
  },
  {
    id: 'hash',
    title: 'passwords hashed in one thread',
    named: ['hashing'],
    alsoTrue: [],
    draw: (dice) => ({
      server: { cause: 'hash', ms: 2 },
      load: visitors(dice.integer(25, 40), 8),
      journey: [
        { name: 'login', method: 'POST', path: 'login', form: { user: 'ada', password: 'secret' } },
        { name: 'page', path: 'page' },
      ],
    }),
  },
  {
    id: 'freeze',
    title: 'nothing is sent for 6 to 7 s',
    named: ['freeze'],
    alsoTrue: [],
    draw: (dice) => ({
      server: { cause: 'freeze', ms: 15, fromSecond: 4, toSecond: dice.integer(10, 11) },
      load: connections(dice.integer(5, 10), 16),
    }),
  },
  {
    id: 'outage',
    title: '503 for 3 to 5 s',
    named: ['outage'],
    alsoTrue: ['unexpectedStatus'],
    draw: (dice) => ({
      server: { cause: 'outage', ms: 15, fromSecond: 4, toSecond: dice.integer(7, 9) },
      load: arrivals(dice.integer(30, 60), 14),
    }),
  },
  {
    id: 'backlog',
    title: 'a full queue: 502 at once',
    named: ['fullBacklog'],
    alsoTrue: ['unexpectedStatus'],
    draw: (dice) => ({
      server: { cause: 'backlog', ms: 80, workers: 2, room: dice.integer(6, 14) },
      load: arrivals(dice.integer(45, 60), 8),
    }),
  },
  {
    id: 'nagle',
    title: 'responses in two writes with Nagle’s algorithm',
    named: ['delayedAck'],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'nagle', ms: 2 }, load: connections(dice.integer(3, 6), 8) }),
  },
  {
    id: 'redirect',
    title: 'every page is redirected to the login',
    named: ['redirectMeasured'],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'redirect', ms: 5 }, load: arrivals(dice.integer(30, 60), 5) }),
  },
  {
    id: 'missing',
    title: 'the page does not exist',
    named: ['missingRoute'],
    alsoTrue: ['unexpectedStatus'],
    draw: (dice) => ({ server: { cause: 'missing' }, load: arrivals(dice.integer(30, 60), 5) }),
  },
  {
    id: 'accounts',
    title: 'a quarter of the accounts is refused, at any load',
    named: ['refusedAtAnyLoad'],
    alsoTrue: ['wrongContent', 'lengthVaries'],
    draw: (dice) => ({
      server: { cause: 'accounts', ms: 20, share: dice.integer(3, 6) },
      load: {
        model: 'connections',
        stages: [
          { connections: 2, seconds: 4 },
          { connections: 6, seconds: 4 },
        ],
      },
      journey: LOGIN,
      variables: NUMBER_VARIABLE,
    }),
  },
  {
    id: 'cold',
    title: 'a cold cache: slow for the first seconds',
    named: ['warmingUp'],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'cold', ms: dice.integer(18, 25), toSecond: 5 }, load: arrivals(dice.integer(40, 60), 15) }),
  },
  {
    id: 'overload',
    title: 'more requests than a pool of workers completes',
    named: ['growingQueue', 'limitReached'],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'none', ms: 60, workers: 2 }, load: arrivals(dice.integer(45, 55), 10) }),
  },
  {
    id: 'cut',
    title: 'one page in eight is cut off',
    named: ['lengthVaries'],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'cut', ms: 10, share: 8 }, load: arrivals(dice.integer(40, 60), 6) }),
  },
];

/** Kinds of healthy servers that may look defective. */
export const HEALTHY_KINDS: readonly CauseKind[] = [
  {
    id: 'quick',
    title: 'a page of a few milliseconds',
    named: [],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'none', ms: dice.integer(0, 8) }, load: arrivals(dice.integer(20, 60), 5) }),
  },
  {
    id: 'list',
    title: 'a list that grows during the run',
    named: [],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'list', ms: 8 }, load: arrivals(dice.integer(30, 60), 6) }),
  },
  {
    id: 'crowd',
    title: 'users who all begin at once, with a login',
    named: [],
    alsoTrue: [],
    draw: (dice) => ({
      server: { cause: 'none', ms: 15, workers: 8 },
      load: visitors(dice.integer(8, 16), 6),
      journey: [
        { name: 'login', method: 'POST', path: 'login', form: { user: 'ada', password: 'secret' } },
        { name: 'page', path: 'page' },
      ],
    }),
  },
  {
    id: 'pool',
    title: 'a pool of workers, half of them busy',
    named: [],
    alsoTrue: [],
    draw: (dice) => ({ server: { cause: 'none', ms: 40, workers: 4 }, load: arrivals(dice.integer(35, 50), 8) }),
  },
  {
    id: 'generous',
    title: 'nginx limit_req above the load',
    named: [],
    alsoTrue: [],
    draw: (dice) => ({
      server: { cause: 'none', ms: 5 },
      load: arrivals(dice.integer(20, 40), 6),
      limit: { zone: 'rate=500r/s', location: 'limit_req zone=one burst=100 nodelay;' },
    }),
  },
];

export function causePlan({ load, journey, variables }: DrawnCause, name: string, url: string): Plan {
  return planSchema.parse({
    holdfast: 1,
    name,
    targets: [{ url }],
    journey: journey ?? [{ name: 'page', path: 'page' }],
    ...(variables && { variables }),
    load,
  });
}
