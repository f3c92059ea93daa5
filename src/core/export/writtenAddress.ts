import { escapeFor } from '#core/work/journey/escape.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { targetOfStep } from '../plan/url.ts';
import { findSideUrl } from '../plan/requests.ts';
import type { ShellPart, ShellTexts } from './shellWords.ts';
import { ValueMarks } from './valueMarks.ts';

/** Returns the whole address of a step with its secrets. If there are several targets, the first one is used. */
export function writeAddress(plan: Plan, step: Step, texts: ShellTexts): ShellPart[] {
  const base = findSideUrl(step) ?? targetOfStep(plan, step)?.url ?? '';
  const query = Object.entries(step.query ?? {});
  const marks = new ValueMarks<ShellPart>([base, step.path, ...query.flat()]);
  const markValues = (text: string, escape: boolean): string =>
    texts
      .text(text)
      .map((part) => {
        if (typeof part === 'string') return escape ? escapeFor('address', part) : part;
        return marks.mark(part);
      })
      .join('');
  let path = markValues(step.path, false);
  for (const [name, text] of query) path += `${path.includes('?') ? '&' : '?'}${escapeFor('address', name)}=${markValues(text, true)}`;
  const href = new URL(path, base).href.replace(/#.*$/s, '');
  return marks.parseMarks(href, (part) => part);
}
