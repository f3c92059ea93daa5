import { describe, expect, it } from 'vitest';
import { readImported, findRefusal, linesOfNotes } from '../testing/imported.ts';
import { element, request, group, scheduled, planDocument, readOfGroup } from './testing/elements.ts';

const json = (path: string, match: string): string =>
  element('JSONPostProcessor', 'X', {
    'JSONPostProcessor.referenceNames': 'x',
    'JSONPostProcessor.jsonPathExprs': path,
    'JSONPostProcessor.match_numbers': match,
  });

describe('importJmeter: a controller', () => {
  const first = request({}, '', '', 'First');
  const both = request() + request({}, '', '', 'Second');
  const throughput = (percent: string): string =>
    first + element('ThroughputController', 'C', { 'ThroughputController.percentThroughput': percent }, request());
  const each = (list: string): string =>
    element('ForeachController', 'C', { 'ForeachController.inputVal': list }, request({}, '', '', 'Each'));

  it.each<[string, string, unknown]>([
    ['repeats', element('LoopController', 'C', { 'LoopController.loops': '3' }, both), [[{ repeat: 3, flow: ['R', 'Second'] }]]],
    [
      'repeats its steps zero times',
      first + element('LoopController', 'C', { 'LoopController.loops': '0' }, both),
      [['First', { repeat: 0, flow: ['R', 'Second'] }]],
    ],
    [
      'runs once if its loop is endless',
      element('LoopController', 'C', { 'LoopController.loops': '-1' }, both),
      [null, 'changed C: The loop is endless, or its count is a variable. It runs once in each journey.'],
    ],
    [
      'runs once if its count is a variable',
      element('LoopController', 'C', { 'LoopController.loops': '${n}' }, both),
      [null, 'changed C: The loop is endless, or its count is a variable. It runs once in each journey.'],
    ],
    [
      'picks a step at random',
      element('RandomController', 'C', {}, both),
      [
        [
          {
            choose: [
              { weight: 1, flow: ['R'] },
              { weight: 1, flow: ['Second'] },
            ],
          },
        ],
      ],
    ],
    [
      'picks a step at random with a note if it alternates',
      element('InterleaveControl', 'C', {}, both),
      [
        [
          {
            choose: [
              { weight: 1, flow: ['R'] },
              { weight: 1, flow: ['Second'] },
            ],
          },
        ],
        'changed C: It alternates between its parts. The plan picks one at random each time.',
      ],
    ],
    [
      'runs its steps with a probability',
      throughput('20'),
      [
        [
          'First',
          {
            choose: [
              { weight: 20, flow: ['R'] },
              { weight: 80, flow: [] },
            ],
          },
        ],
      ],
    ],
    [
      'never runs at a percentage of 0',
      throughput('0'),
      [
        [
          'First',
          {
            choose: [
              { weight: 0, flow: ['R'] },
              { weight: 100, flow: [] },
            ],
          },
        ],
      ],
    ],
    ['needs no flow at a percentage of 100', throughput('100'), [null]],
    [
      'is taken at times, as older ones write it',
      first + element('ThroughputController', 'C', {}, request(), '<FloatProperty><name>x</name><value>12.5</value></FloatProperty>'),
      [
        [
          'First',
          {
            choose: [
              { weight: 12.5, flow: ['R'] },
              { weight: 87.5, flow: [] },
            ],
          },
        ],
      ],
    ],
    ['needs no flow for a transaction', element('TransactionController', 'C', {}, both), [null]],
    [
      'runs once with a note if it has a condition',
      element('WhileController', 'C', {}, both),
      [null, 'changed C: WhileController uses a condition or its own order. Its steps run once in each journey.'],
    ],
    [
      'runs once with a note if it has its own order',
      element('RandomOrderController', 'C', {}, both),
      [null, 'changed C: RandomOrderController uses a condition or its own order. Its steps run once in each journey.'],
    ],
    [
      'runs once with a note if it loops over a captured list',
      request({}, json('$.a[*]', '-1')) + each('x'),
      [
        null,
        'changed C: It loops over a captured list, with a variable for the item. Its steps run once, with the whole list as the item. Add forEach to the flow of the plan.',
      ],
    ],
    [
      'runs once with a note if it loops over a single value',
      request({}, json('$.a', '1')) + each('x'),
      [null, 'changed C: It loops over a list that no step captures. Its steps run once.'],
    ],
    [
      'runs once with a note if it loops over an unknown variable',
      each('x'),
      [null, 'changed C: It loops over a list that no step captures. Its steps run once.'],
    ],
    ['is ignored if it is empty', element('LoopController', 'C', { 'LoopController.loops': '3' }) + request(), [null]],
  ])('%s', (_name, below, expected) => {
    const imported = readImported(planDocument(group(below, scheduled)));
    expect([imported.written['flow'] ?? null, ...linesOfNotes(imported)]).toEqual(expected);
  });

  it('is left out if it is nested too deeply', () => {
    const nested = (depth: number): string => (depth === 0 ? request() : element('GenericController', `C${depth}`, {}, nested(depth - 1)));
    expect(findRefusal(planDocument(group(nested(40))))).toEqual(['NO_REQUESTS']);
    expect(readOfGroup(request() + nested(40)).slice(1)).toEqual(['leftOut C34: Controllers are nested too deeply. It was left out.']);
  });
});
