import type { Plan } from '#core/plan/schema/plan.ts';
import type { Description } from '#core/review/description.ts';
import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';

/** A plan in words, for a terminal. What cannot be told before the run says so. */
export function descriptionText(plan: Plan, description: Description): string {
  const { sentences, durationSeconds, requests, arrivalsPerSecond, objectives, warnings } = description;
  const lines = [
    plan.name,
    ...sentences.map((sentence) => `  ${sentence}`),
    '',
    `Duration: ${durationSeconds === null ? 'not known before the run' : formatSeconds(durationSeconds)}`,
    `Requests: ${requests === null ? 'not known before the run, it depends on how fast the server answers' : formatCount(requests)}`,
    ...(arrivalsPerSecond === null
      ? []
      : [`Rate: at most ${formatNumber(arrivalsPerSecond)} requests a second, whether or not they are answered`]),
    '',
    ...list('Good enough means', objectives.length > 0 ? objectives : ['no limits: the run only measures']),
    ...list('It exercises', plan.exercises),
    ...list('It does not exercise', plan.omits),
    ...list('What to look at', plan.lookAt),
    ...list('It leaves behind', plan.leavesBehind),
    ...list(
      'Beware',
      warnings.map(({ message, hint }) => `${message} ${hint}`.trim()),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function list(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `  - ${entry}`)];
}
