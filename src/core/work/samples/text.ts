import { formatBytes, formatMs } from '#core/base/units.ts';
import { explainFailure } from './explain.ts';
import type { Sample, SampleMessage } from './schema.ts';
import type { TryReport } from './tryPlan.ts';

/** What was sent and what came back, for a terminal. */
function sampleText(sample: Sample): string {
  const { request, failure, sent, received, serviceMs, captured } = sample;
  const explained = failure === null ? null : explainFailure(failure);
  const time = serviceMs === null ? '' : ` · ${formatMs(serviceMs)}`;
  return [
    `${explained === null ? '✓' : '✗'} ${request}${time}${explained === null ? '' : `: ${explained.message}`}`,
    ...(explained === null ? [] : [`  ${explained.hint}`]),
    ...captured.map(({ name, value }) => `  {{${name}}} = ${value}`),
    ...(sent === null ? ['  Nothing was sent.'] : lines('>', sent)),
    ...(received === null ? ['  Nothing came back.'] : lines('<', received)),
  ].join('\n');
}

/** The failures that were kept of a run, for a terminal. */
export function samplesText(samples: readonly Sample[]): string {
  if (samples.length === 0) return 'No failure was kept with this run.\n';
  return `${samples.map(sampleText).join('\n\n')}\n`;
}

/** What trying a journey once found out, for a terminal. */
export function tryText({ samples, isGood, notReached, problem }: TryReport): string {
  const rest = notReached.length === 0 ? [] : [`Not reached: ${notReached.map((name) => `“${name}”`).join(', ')}.`];
  const end = isGood ? 'The journey went well to its end.' : 'The journey did not go well.';
  return `${[
    ...samples.map(sampleText),
    ...(problem === null ? [] : [`✗ ${problem.message}\n  ${problem.hint}`]),
    [end, ...rest].join(' '),
  ].join('\n\n')}\n`;
}

function lines(mark: string, { head, body, bodyBytes, isCut }: SampleMessage): string[] {
  const cut = isCut ? ', of which this is the beginning' : '';
  const shown = body === '' ? [] : body.split('\n').map((line) => `  ${mark} ${line.trimEnd()}`);
  return [
    ...head.split('\n').map((line) => `  ${mark} ${line}`),
    ...(bodyBytes === 0 ? [] : [`  ${mark}`, ...shown, `  (${formatBytes(bodyBytes)}${cut})`]),
  ];
}
