import type { Draft, WrittenLoad } from '../draft.ts';
import type { ToolName } from '../shells/shellText.ts';
import { durationSeconds, type Parsed, type Problem, rateOf, wholeNumber } from './parseOptions.ts';
import type { Tool } from './tools.ts';

export interface Amount {
  readonly connections: number;
  /** Requests a second of all connections together; null: as fast as answers come. */
  readonly perSecond: number | null;
  readonly end: Tool['end'];
}

/** How many connections a command opens, how fast they ask, and when it ends. */
export function readEnd(draft: Draft, name: ToolName, tool: Tool, { fields }: Parsed, problems: Problem[]): Amount {
  const last = (
    field: 'connections' | 'requests' | 'duration' | 'rate' | 'ratePerConnection',
    read: (text: string) => number | null,
  ): number | null => {
    const given = fields.get(field)?.at(-1);
    if (given === undefined) return null;
    const value = read(given.value);
    if (value === null || value === 0)
      problems.push({
        option: `${given.option} ${given.value.slice(0, 20)}`,
        message: 'This number or time cannot be read, or is 0.',
        hint: 'Write a number, for times with s, m or h behind it.',
      });
    return value;
  };
  const connections = last('connections', wholeNumber) ?? tool.connections;
  const requests = last('requests', wholeNumber);
  const seconds = last('duration', durationSeconds);
  const rate = last('rate', rateOf);
  const each = last('ratePerConnection', rateOf);
  if (name === 'ab' && seconds !== null)
    draft.changed(
      '-t',
      'ab ends after this time, and no later than after 50,000 requests or those of a -n behind it.',
      'The load goes on for all of the time.',
    );
  else if (requests !== null && seconds !== null)
    draft.leftOut(
      tool.bothEnds === 'seconds' ? '-n' : '-d',
      'Both a number of requests and a time are given.',
      `As for ${name}, the ${tool.bothEnds === 'seconds' ? 'time' : 'number'} counts.`,
    );
  const perSecond = each === null ? rate : each * connections;
  if (perSecond !== null)
    draft.changed(
      'rate',
      'Requests are sent at a rate by connections that wait for their answers.',
      'The plan has arrivals at that rate, and at most as many on their way as there are connections.',
    );
  return { connections, perSecond, end: endOf(tool, requests, seconds) };
}

function endOf(tool: Tool, requests: number | null, seconds: number | null): Tool['end'] {
  if (requests !== null && (seconds === null || tool.bothEnds === 'requests')) return { requests };
  return seconds === null ? tool.end : { seconds };
}

/**
 * A rate makes arrivals of it: the tools want requests to start at a rate, and so do arrivals. Their connections are how many can be on their
 * way at once. A number of requests takes as long as the rate makes it.
 */
export function loadOf({ connections, perSecond, end }: Amount): WrittenLoad {
  const name = 'load';
  if (perSecond === null) return { model: 'connections', stages: [{ name, connections, ...end }] };
  const stage =
    'seconds' in end
      ? { kind: 'constant' as const, name, perSecond, seconds: end.seconds }
      : { kind: 'count' as const, name, arrivals: end.requests, seconds: end.requests / perSecond };
  return { model: 'arrivals', maxInFlight: connections, stages: [stage] };
}
