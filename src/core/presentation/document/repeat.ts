import { formatElapsed } from '../charts/units.ts';
import { HERE, THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import { formatCount } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { list, pairs, table } from './blocks.ts';
import type { Block } from './model.ts';
import { planText } from './planText.ts';
import { instantText } from './words.ts';

const MOST_EVENTS = 100;

/** Everything that it takes to run it again and to find this run. */
export function repeatBlocks(result: RunResult): Block[] {
  const { run, plan, generators } = result;
  const hosts = generators.map(({ name }) => name);
  const on = hosts.length > 1 || (hosts[0] !== undefined && hosts[0] !== THIS_COMPUTER) ? ` --on ${hosts.map(placeOf).join(',')}` : '';
  return [
    ...pairs('This run', [
      ['id', run.id],
      ['began', instantText(run.startedAt)],
      ['ended', run.endedAt === null ? 'it was not over' : instantText(run.endedAt)],
      ['Holdfast', run.holdfastVersion],
      ...(run.preset === null ? [] : [['made from the preset', run.preset] as const]),
      ...(run.series === undefined
        ? []
        : [['part of the series', `${run.series.name}: ${run.series.cell}, repeat ${run.series.repeat} (${run.series.id})`] as const]),
    ]),
    ...list('To run it again', [
      `Save the plan below as plan.yaml and run: holdfast run plan.yaml${on}`,
      'Secrets are in no report: where the plan says “secret”, it names where the value is taken from. A value that was kept for that session only has to be given again.',
      `The same data as numbers: holdfast report ${run.id} --json result.json --csv seconds.csv`,
    ]),
    { kind: 'code', title: 'The plan', text: planText(plan) },
  ];
}

function placeOf(name: string): string {
  return name === THIS_COMPUTER ? HERE : name;
}

/** What happened beside answers: stops, losses, changes. */
export function eventBlocks({ events }: Pick<RunResult, 'events'>): Block[] {
  const rest = events.length - MOST_EVENTS;
  return table(
    'What happened',
    ['#At', 'Event'],
    events.slice(0, MOST_EVENTS).map(({ second, text }) => [formatElapsed(second), text]),
    rest > 0 ? `and ${formatCount(rest)} more, which the JSON of the result holds` : undefined,
  );
}
