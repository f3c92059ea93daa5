import { groupsOf } from '#core/work/journey/capturedTexts.ts';
import { attributePattern, jsonPathOf, whyNoPattern } from '../patterns.ts';
import { type Draft, filled, type WrittenStep } from '../draft.ts';
import { at, blocksAt, textAt } from '../reading.ts';
import type { Values } from './values.ts';
import { FIRST_GROUP_IS_TAKEN, severalPlaces, TAKES_ONE_PLACE, unreadExpression } from '../notes.ts';

type Capture = NonNullable<WrittenStep['captures']>[number];
type Check = NonNullable<WrittenStep['checks']>[number];

export function capturesOf(draft: Draft, values: Values, given: unknown, place: string): Capture[] {
  return blocksAt(given, 'capture')
    .slice(0, 50)
    .flatMap((block, index): Capture[] => {
      const here = `${place}.capture[${index}]`;
      const wanted = textAt(block, 'as') ?? textAt(block, 'transform') ?? `captured_${index + 1}`;
      const found = captureOf(draft, block, here);
      if (found === null) return [];
      if (at(block, 'strict') === false)
        draft.changed(`${here}.strict`, 'It may find nothing without failing.', 'A capture that finds nothing ends the journey.');
      return [{ ...found, as: values.captured(wanted) }];
    });
}

/** Returns a capture without its name; null if a plan cannot express it, which is noted. */
function captureOf(draft: Draft, block: unknown, place: string): Capture | null {
  const as = 'x';
  const json = textAt(block, 'json');
  const pattern = textAt(block, 'regexp');
  if (json !== null) {
    const path = jsonPathOf(json);
    if (path !== null) return { from: 'json', as, path };
    const whole = json.endsWith('[*]') ? jsonPathOf(json.slice(0, -3)) : null;
    // If a path matches several places, Artillery takes a random one, or all of them if `multiple` is false.
    if (whole !== null) return { from: 'json', as, path: whole, which: at(block, 'multiple') === false ? 'all' : 'random' };
    draft.leftOut(place, severalPlaces(json), TAKES_ONE_PLACE);
    return null;
  }
  if (pattern !== null) {
    const flags = [...new Set(textAt(block, 'flags') ?? '')].filter((flag) => 'imsu'.includes(flag)).join('');
    const problem = whyNoPattern(pattern, flags);
    if (problem === null)
      return { from: 'body', as, pattern, ...filled({ flags }), ...groupOf(draft, block, groupsOf(pattern, flags), place) };
    draft.leftOut(place, unreadExpression(problem));
    return null;
  }
  const header = textAt(block, 'header') ?? '';
  if (header !== '') return { from: 'header', as, name: header.slice(0, 100) };
  const cookie = textAt(block, 'cookie') ?? '';
  if (cookie !== '') return { from: 'cookie', as, name: cookie.slice(0, 200) };
  const selector = textAt(block, 'selector');
  const [, name] = /^(?:input|meta)\[(?:name|id)=["']?([\w.-]{1,60})["']?\]$/.exec(selector ?? '') ?? [];
  const attribute = textAt(block, 'attr') ?? '';
  if (name !== undefined && /^(value|content)$/.test(attribute)) {
    const instead = 'A regular expression finds it if the name comes before the value.';
    draft.changed(place, `The selector ${selector ?? ''} selects a part of the page.`, instead);
    return { from: 'body', as, pattern: attributePattern(name, attribute), html: true };
  }
  const what = selector === null ? 'This kind of capture is unknown.' : `The selector ${selector.slice(0, 80)} has no equivalent.`;
  draft.leftOut(place, what, 'Add a capture with a regular expression, or between two texts.');
  return null;
}

/** Without a group in the script, Artillery takes the whole match; a plan takes the first group. */
function groupOf(draft: Draft, block: unknown, groups: number, place: string): { group?: number } {
  const written = textAt(block, 'group');
  if (written === null) return groups === 0 ? {} : { group: 0 };
  // Artillery takes the whole match if the group does not exist.
  const group = Number(written) > groups ? 0 : Number(written);
  if (/^\d$/.test(written)) return group === Math.min(1, groups) ? {} : { group };
  draft.changed(`${place}.group`, 'It selects a group by name.', FIRST_GROUP_IS_TAKEN);
  return {};
}

/** Returns the requirements for a response: `expect` of the plugin, and `match`. */
export function checksOf(draft: Draft, values: Values, given: unknown, place: string): { checks: Check[]; expectStatus: number[] } {
  const expectStatus: number[] = [];
  const checks: Check[] = [];
  for (const [index, block] of blocksAt(given, 'expect').entries()) {
    const codes = blocksAt(block, 'statusCode')
      .map(Number)
      .filter((code) => Number.isInteger(code) && code >= 100 && code <= 599);
    expectStatus.push(...codes);
    const property = textAt(block, 'hasProperty');
    const path = property === null ? null : jsonPathOf(property);
    const pattern = textAt(block, 'matchesRegexp') ?? '';
    if (path !== null) checks.push({ kind: 'json', path });
    else if (whyNoPattern(pattern, '') === null) checks.push({ kind: 'matches', pattern });
    else if (codes.length === 0) {
      const instead = 'A plan can check for texts, patterns, JSON values and sizes.';
      draft.leftOut(`${place}.expect[${index}]`, 'This expectation has no equivalent.', instead);
    }
  }
  for (const [index, block] of blocksAt(given, 'match').entries()) {
    const path = jsonPathOf(textAt(block, 'json') ?? '*');
    const value = textAt(block, 'value');
    if (path === null || value === null) draft.leftOut(`${place}.match[${index}]`, 'This match has no equivalent.');
    else checks.push({ kind: 'json', path, equals: values.write(value) });
  }
  return { checks: checks.slice(0, 20), expectStatus };
}
