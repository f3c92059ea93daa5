import { describe, expect, it } from 'vitest';
import { readImported, linesOfNotes } from '../testing/imported.ts';
import {
  properties,
  element,
  collection,
  within,
  argument,
  request,
  group,
  scheduled,
  planDocument,
  type Properties,
} from './testing/elements.ts';

describe('importJmeter: threads', () => {
  const loops = (count: string): string => within('ThreadGroup.main_controller', properties({ 'LoopController.loops': count }));
  const buildLoad = (...groups: readonly string[]): unknown[] => {
    const imported = readImported(planDocument(groups.join('')));
    return [imported.written['load'], ...linesOfNotes(imported)];
  };
  const stepping = (given: Properties): string =>
    element('com.blazemeter.jmeter.threads.concurrency.ConcurrencyThreadGroup', 'S', given, request());

  it.each<[string, string, unknown[]]>([
    [
      'end by time',
      group(request(), { ...scheduled, 'ThreadGroup.ramp_time': '10', 'ThreadGroup.num_threads': '7' }),
      [{ model: 'users', stages: [{ name: 'load', users: 7, startUpSeconds: 10, seconds: 50 }] }],
    ],
    [
      'end by time, after a delay',
      group(request(), { ...scheduled, 'ThreadGroup.delay': '5' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'leftOut G: Its threads start after a delay. It was left out.',
      ],
    ],
    [
      'end by loops',
      group(request() + request(), { 'ThreadGroup.num_threads': '4' }, loops('25')),
      [{ model: 'connections', stages: [{ name: 'load', connections: 4, requests: 200 }] }],
    ],
    [
      'end by loops, and start slowly',
      group(request(), { 'ThreadGroup.ramp_time': '3' }, loops('2')),
      [
        { model: 'connections', stages: [{ name: 'load', connections: 1, requests: 2 }] },
        'leftOut G: Threads start over 3 s. The plan starts them at once and sends as many requests as the loops.',
      ],
    ],
    [
      'end by loops, with pauses',
      group(element('ConstantTimer', 'T', { 'ConstantTimer.delay': '5' }) + request(), {}, loops('2')),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'changed G: Each thread runs it 2 times. Users repeat it for a minute, because a plan with users ends by time. Change the seconds of its stage.',
      ],
    ],
    [
      'never end',
      group(request(), {}, loops('-1')),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'assumed G: The threads run until they are stopped. The plan ends after a minute. Change the seconds of its stage.',
      ],
    ],
    [
      'never end, whatever the duration of no schedule',
      group(request(), { 'ThreadGroup.duration': '30' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'assumed G: The threads run until they are stopped. The plan ends after a minute. Change the seconds of its stage.',
      ],
    ],
    [
      'are at least one',
      group(request(), { 'ThreadGroup.num_threads': '0' }, loops('0')),
      [{ model: 'connections', stages: [{ name: 'load', connections: 1, requests: 1 }] }],
    ],
    [
      'are limited to the maximum of users',
      group(request(), { ...scheduled, 'ThreadGroup.num_threads': '20001' }),
      [{ model: 'users', stages: [{ name: 'load', users: 20_000, seconds: 60 }] }],
    ],
    [
      'are one if their number is a variable',
      group(request(), { ...scheduled, 'ThreadGroup.num_threads': '${n}' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'assumed G: The number of threads is missing, or is a variable without a value. The plan has one user.',
      ],
    ],
    [
      'stop after a failure',
      group(request(), { ...scheduled, 'ThreadGroup.on_sample_error': 'stoptest' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
        'leftOut G: After a failure it does not continue (stoptest). A journey ends when something it needs fails, and the test continues. To end the test, set safety.stopAtErrorShare.',
      ],
    ],
    [
      'continue after a failure',
      group(request(), { ...scheduled, 'ThreadGroup.on_sample_error': 'continue' }),
      [{ model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] }],
    ],
    [
      'start evenly',
      stepping({ TargetLevel: '30', RampUp: '2', Hold: '5', Unit: 'M', Steps: '1' }),
      [{ model: 'users', stages: [{ name: 'load', users: 30, startUpSeconds: 120, seconds: 300 }] }],
    ],
    [
      'start evenly with a note if they start in steps',
      stepping({ TargetLevel: '30', RampUp: '20', Hold: '50', Unit: 'S', Steps: '3' }),
      [
        { model: 'users', stages: [{ name: 'load', users: 30, startUpSeconds: 20, seconds: 50 }] },
        'changed S: Threads start in steps. The plan starts them evenly.',
      ],
    ],
    [
      'are proposed if their schedule is unsupported',
      stepping({}),
      [
        { model: 'users', stages: [{ name: 'load', users: 10, seconds: 60 }] },
        'changed S: Holdfast does not read the schedule of ConcurrencyThreadGroup. The plan has ten users for a minute.',
      ],
    ],
    [
      'run for at least a second after a long start-up',
      group(request(), { ...scheduled, 'ThreadGroup.ramp_time': '60' }),
      [{ model: 'users', stages: [{ name: 'load', users: 1, startUpSeconds: 60, seconds: 1 }] }],
    ],
  ])('%s', (_name, threads, expected) => {
    expect(buildLoad(threads)).toEqual(expected);
  });

  it('are summed over several groups, without the threads of setUp and tearDown groups', () => {
    const setUp = element('SetupThreadGroup', 'Before', {}, request());
    const tearDown = element('PostThreadGroup', 'After', {}, request());
    const off = group(request()).replace('enabled="true"', 'enabled="false"');
    const two = [group(request(), scheduled), group(request(), { 'ThreadGroup.num_threads': '2' })];
    expect(buildLoad(setUp, ...two, tearDown, off)).toEqual([
      { model: 'users', stages: [{ name: 'load', users: 3, seconds: 60 }] },
      'leftOut Before: These requests run before the load. Prepare data with populate of the plan.',
      'leftOut After: These requests run after the load. Prepare data with populate of the plan.',
      'changed Thread Groups: 2 thread groups run at the same time. The plan adds up their threads. Each user picks one of their journeys at random, weighted by threads.',
    ]);
    expect(readImported(planDocument(two.join(''))).written['flow']).toEqual([
      {
        choose: [
          { weight: 1, flow: ['G: R'] },
          { weight: 2, flow: ['G: R (2)'] },
        ],
      },
    ]);
    expect(
      [readImported(planDocument(two.join(''), { 'TestPlan.serialize_threadgroups': 'true' }))].map(({ written, notes }) => [
        written['load'],
        notes,
      ]),
    ).toEqual([
      [
        { model: 'users', stages: [{ name: 'load', users: 2, seconds: 120 }] },
        [
          {
            kind: 'changed',
            location: 'Thread Groups',
            what: '2 thread groups run one after another (serialize_threadgroups).',
            instead:
              'A plan has one journey. 2 users, as many as the largest group has threads, pick one of the groups’ journeys at random, weighted by threads. To run the groups in turn, make a plan of each.',
          },
          {
            kind: 'assumed',
            location: 'Thread Groups',
            what: 'Not every group has a duration.',
            instead: 'The plan assumes 60 s for the others.',
          },
        ],
      ],
    ]);
  });

  it('do not count for an empty group', () => {
    expect(buildLoad(group(''), group(request(), scheduled))).toEqual([
      { model: 'users', stages: [{ name: 'load', users: 1, seconds: 60 }] },
    ]);
  });

  it('are read with the name, the comment and the variables of their plan', () => {
    const values = within('TestPlan.user_defined_variables', collection('Arguments.arguments', argument('host', 'b.example')));
    const { written } = readImported(
      planDocument(group(request({ 'HTTPSampler.domain': '${host}' })), { 'TestPlan.comments': 'Why' }, values),
    );
    expect([written['name'], written['story'], written['targets']]).toEqual(['P', 'Why', [{ url: 'http://b.example/' }]]);
  });
});
