import { escapeFor } from '#core/work/journey/escape.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { sideUrlOf } from '../plan/requests.ts';
import type { ShellPart, ShellTexts } from './shellWords.ts';

/** The whole address of a step, with secrets where they stand in it; of several targets, that of the first. */
export function writtenAddress(plan: Plan, step: Step, texts: ShellTexts): ShellPart[] {
  const base = sideUrlOf(step) ?? plan.targets[0]?.url ?? '';
  const variables: ShellPart[] = [];
  const marked = (text: string, escape: boolean): string =>
    texts
      .text(text)
      .map((part) => {
        if (typeof part === 'string') return escape ? escapeFor('address', part) : part;
        return `holdfastvalue${variables.push(part) - 1}x`;
      })
      .join('');
  let path = marked(step.path, false);
  for (const [name, text] of Object.entries(step.query ?? {}))
    path += `${path.includes('?') ? '&' : '?'}${escapeFor('address', name)}=${marked(text, true)}`;
  const href = new URL(path, base).href.replace(/#.*$/s, '');
  const parts: ShellPart[] = [];
  let position = 0;
  for (const match of href.matchAll(/holdfastvalue(\d+)x/g)) {
    parts.push(href.slice(position, match.index), variables[Number(match[1])] ?? '');
    position = match.index + match[0].length;
  }
  parts.push(href.slice(position));
  return parts;
}
