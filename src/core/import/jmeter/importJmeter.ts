import { Draft, buildFlow, type WrittenLoad } from '../draft.ts';
import { type ImportResult, refuse } from '../imported.ts';
import type { XmlElement } from '../xml.ts';
import { readAddress } from '../address.ts';
import { type Element, childElements, isTrue, numberOf, property, textOf } from './element.ts';
import { readArguments, Values } from './values.ts';
import { Samplers } from './samplers.ts';
import { leaveOutRate, type Rate } from './timers.ts';
import { assumeServer, ONE_USER_NOTE, STAND_IN_TARGET } from '../notes.ts';

/** Number of a group's threads, and how long they run. */
interface Threads {
  readonly title: string;
  readonly users: number;
  readonly rampSeconds: number;
  /** Duration in seconds; null if the threads run until their loops end, or forever. */
  readonly seconds: number | null;
  /** Number of loops; null if the threads loop forever. */
  readonly loops: number | null;
}

const MAX_SECONDS = 604_800;

function readThreads(draft: Draft, values: Values, group: Element): Threads {
  const { xml, kind } = group;
  const title = group.title.slice(0, 60);
  const read = (name: string): number | null => numberOf(values.plain(textOf(xml, name)));
  const clampOr = (value: number | null, least: number, most: number, otherwise: number): number =>
    Math.min(most, Math.max(least, value ?? otherwise));
  if (kind !== 'ThreadGroup') {
    const unit = textOf(xml, 'Unit').trim() === 'M' ? 60 : 1;
    const users = read('TargetLevel');
    if (users === null)
      draft.noteChanged(
        title,
        `Holdfast does not read the schedule of ${kind.split('.').at(-1) ?? kind}.`,
        'The plan has ten users for a minute.',
      );
    else if ((read('Steps') ?? 0) > 1) draft.noteChanged(title, 'Threads start in steps.', 'The plan starts them evenly.');
    return {
      title,
      users: Math.floor(clampOr(users, 1, 20_000, 10)),
      rampSeconds: clampOr(read('RampUp'), 0, MAX_SECONDS, 0) * unit,
      seconds: clampOr(read('RampUp'), 0, MAX_SECONDS, 0) * unit + clampOr(read('Hold'), 1, MAX_SECONDS, 60) * unit,
      loops: null,
    };
  }
  const users = read('ThreadGroup.num_threads');
  if (users === null) draft.noteAssumed(title, 'The number of threads is missing, or is a variable without a value.', ONE_USER_NOTE);
  const controller = property(xml, 'ThreadGroup.main_controller');
  const loops = controller === null ? null : numberOf(values.plain(textOf(controller, 'LoopController.loops')));
  const isScheduled = isTrue(xml, 'ThreadGroup.scheduler');
  const duration = read('ThreadGroup.duration');
  if (isScheduled && (read('ThreadGroup.delay') ?? 0) > 0) draft.noteLeftOut(title, 'Its threads start after a delay.');
  const onError = textOf(xml, 'ThreadGroup.on_sample_error').trim();
  if (onError !== '' && onError !== 'continue')
    draft.noteLeftOut(
      title,
      `After a failure it does not continue (${onError.slice(0, 40)}).`,
      'A journey ends when something it needs fails, and the test continues. To end the test, set safety.stopAtErrorShare.',
    );
  return {
    title,
    users: Math.floor(clampOr(users, 1, 20_000, 1)),
    rampSeconds: clampOr(read('ThreadGroup.ramp_time'), 0, MAX_SECONDS, 0),
    seconds: isScheduled && duration !== null && duration > 0 ? clampOr(duration, 1, MAX_SECONDS, 60) : null,
    loops: loops === null || loops < 0 ? null : clampOr(loops, 1, 1_000_000, 1),
  };
}

const THREAD_GROUP_PATTERN = /^(ThreadGroup|com\.blazemeter\.jmeter\.threads\..*ThreadGroup|kg\.apc\.jmeter\.threads\..*ThreadGroup)$/;

/** Makes a plan from a JMeter test plan (JMX). */
export function importJmeter(root: XmlElement | null): ImportResult {
  const draft = new Draft('jmeter');
  const tree = root?.children.find(({ name }) => name === 'hashTree');
  if (root?.name !== 'jmeterTestPlan' || tree === undefined)
    return refuse(
      'NOT_A_JMX',
      root?.name.slice(0, 60) ?? '',
      'This XML is not a JMeter test plan.',
      'A JMX file begins with <jmeterTestPlan>.',
    );
  const values = new Values(draft);
  const top = childElements(tree);
  const plan = top.find(({ kind }) => kind === 'TestPlan');
  const elements = plan === undefined ? top : plan.below;
  if (plan !== undefined)
    for (const [name, value] of readArguments(plan, 'TestPlan.user_defined_variables', 'Arguments.arguments')) values.define(name, value);
  define(values, elements);
  const samplers = new Samplers(draft, values);
  const groups = elements.filter(({ kind, isEnabled }) => THREAD_GROUP_PATTERN.test(kind) && isEnabled);
  for (const { kind, title } of elements)
    if (kind === 'SetupThreadGroup' || kind === 'PostThreadGroup')
      draft.noteLeftOut(
        title.slice(0, 60),
        `These requests run ${kind === 'SetupThreadGroup' ? 'before' : 'after'} the load.`,
        'Prepare data with populate of the plan.',
      );
  const scope = samplers.buildScope(
    elements.filter((element) => !THREAD_GROUP_PATTERN.test(element.kind)),
    null,
  );
  const read = groups.map((group) => {
    define(values, group.below);
    return {
      threads: readThreads(draft, values, group),
      flow: samplers.readFlow(group.below, scope, groups.length > 1 ? group.title : '', 0),
    };
  });
  const groupsWithFlow = read.filter(({ flow }) => flow.length > 0);
  const flow = buildFlow(groupsWithFlow.map((one) => ({ weight: one.threads.users, flow: one.flow })));
  const origin = samplers.origin ?? STAND_IN_TARGET;
  if (samplers.origin === null && draft.steps.length > 0)
    assumeServer(draft, 'HTTP Request', 'The test plan does not name its server, or uses a variable without a value.');
  const { timeoutSeconds, connectSeconds } = samplers;
  return draft.finish({
    name: plan?.title ?? 'JMeter test plan',
    story: plan === undefined ? '' : textOf(plan.xml, 'TestPlan.comments'),
    targets: [{ url: `${readAddress(origin)?.origin ?? STAND_IN_TARGET}/` }],
    load: addPace(
      draft,
      buildLoad(
        draft,
        groupsWithFlow.map(({ threads }) => threads),
        draft.steps.length,
        { isFixed: flow.flow === undefined, isSerial: plan !== undefined && isTrue(plan.xml, 'TestPlan.serialize_threadgroups') },
      ),
      samplers.rates,
      flow.flow === undefined,
    ),
    settings: {
      ...flow,
      cookies: samplers.cookies,
      ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      ...(connectSeconds === null ? {} : { connections: { connectSeconds } }),
    },
  });
}

/** Returns the load at the rate of a throughput timer: each user starts journeys at that pace. */
function addPace(draft: Draft, load: WrittenLoad, rates: readonly Rate[], isFixed: boolean): WrittenLoad {
  const [rate, ...others] = rates;
  if (rate === undefined) return load;
  for (const other of others) leaveOutRate(draft, other.location);
  const steps = draft.steps.length;
  if (load.model !== 'users' || !isFixed || steps === 0) {
    leaveOutRate(draft, rate.location);
    return load;
  }
  const users = rate.isPerThread ? 1 : Math.max(...load.stages.map((stage) => stage.users));
  const paceSeconds = Math.min(MAX_SECONDS, Math.max(0.001, Math.round(((users * steps) / rate.perSecond) * 1_000) / 1_000));
  draft.noteChanged(
    rate.location,
    `It slows ${rate.isPerThread ? 'each thread' : 'the threads'} down to ${Math.round(rate.perSecond * 60_000) / 1_000} requests a minute.`,
    `Each user begins a journey every ${paceSeconds} s, which is that rate as long as responses come in time.`,
  );
  return { ...load, paceSeconds };
}

function define(values: Values, elements: readonly Element[]): void {
  for (const element of elements) {
    if (!element.isEnabled) continue;
    if (element.kind === 'Arguments') for (const [name, value] of readArguments(element, 'Arguments.arguments')) values.define(name, value);
    if (element.kind === 'CSVDataSet') values.feed(element);
  }
}

interface Order {
  /** Whether the journey is a fixed sequence of steps, without a flow of its own. */
  readonly isFixed: boolean;
  /** Whether thread groups run one after another. */
  readonly isSerial: boolean;
}

/** Returns the load of all thread groups: their threads are summed, unless the groups run one after another. */
function buildLoad(draft: Draft, groups: readonly Threads[], steps: number, { isFixed, isSerial }: Order): WrittenLoad {
  const [first] = groups;
  if (first === undefined) return { model: 'users', stages: [{ users: 1, seconds: 60 }] };
  if (groups.length > 1 && isSerial) return loadOfSerialGroups(draft, groups);
  if (groups.length > 1)
    draft.noteChanged(
      'Thread Groups',
      `${groups.length} thread groups run at the same time.`,
      'The plan adds up their threads. Each user picks one of their journeys at random, weighted by threads.',
    );
  const users = Math.min(
    20_000,
    groups.reduce((sum, group) => sum + group.users, 0),
  );
  const startUpSeconds = Math.max(...groups.map((group) => group.rampSeconds));
  const known = groups.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  const hasPauses = draft.steps.some(({ thinkTime }) => thinkTime !== undefined);
  const isCounted = groups.length === 1 && first.loops !== null && first.seconds === null;
  if (isCounted && isFixed && !hasPauses && steps > 0) {
    const requests = Math.min(1_000_000_000, first.users * (first.loops ?? 1) * steps);
    if (startUpSeconds > 0)
      draft.noteLeftOut(
        first.title,
        `Threads start over ${startUpSeconds} s.`,
        'The plan starts them at once and sends as many requests as the loops.',
      );
    return { model: 'connections', stages: [{ name: 'load', connections: users, requests }] };
  }
  if (known.length === 0) {
    if (isCounted)
      draft.noteChanged(
        first.title,
        `Each thread runs it ${first.loops ?? 1} times.`,
        'Users repeat it for a minute, because a plan with users ends by time. Change the seconds of its stage.',
      );
    else
      draft.noteAssumed(
        first.title,
        'The threads run until they are stopped.',
        'The plan ends after a minute. Change the seconds of its stage.',
      );
  }
  // A thread group's duration counts from the start of its first thread.
  const seconds = known.length === 0 ? 60 : Math.max(1, Math.max(...known) - startUpSeconds);
  return { model: 'users', stages: [{ name: 'load', users, ...(startUpSeconds === 0 ? {} : { startUpSeconds }), seconds }] };
}

const ASSUMED_SECONDS = 60;

/** Returns the load of groups that run one after another: the threads of the largest group, for the total duration. */
function loadOfSerialGroups(draft: Draft, groups: readonly Threads[]): WrittenLoad {
  const users = Math.min(20_000, Math.max(...groups.map((group) => group.users)));
  const startUpSeconds = Math.max(...groups.map(({ rampSeconds }) => rampSeconds));
  const all = groups.reduce((sum, { seconds }) => sum + (seconds ?? ASSUMED_SECONDS), 0);
  draft.noteChanged(
    'Thread Groups',
    `${groups.length} thread groups run one after another (serialize_threadgroups).`,
    `A plan has one journey. ${users} users, as many as the largest group has threads, pick one of the groups’ journeys at random, weighted by threads. To run the groups in turn, make a plan of each.`,
  );
  if (groups.some(({ seconds }) => seconds === null))
    draft.noteAssumed('Thread Groups', 'Not every group has a duration.', `The plan assumes ${ASSUMED_SECONDS} s for the others.`);
  const seconds = Math.min(MAX_SECONDS, Math.max(1, all - startUpSeconds));
  return { model: 'users', stages: [{ name: 'load', users, ...(startUpSeconds === 0 ? {} : { startUpSeconds }), seconds }] };
}
