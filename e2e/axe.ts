import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** True if colours are judged for each element and at each width, as they are at night (HOLDFAST_ALL_COLOURS). */
export const ALL_COLOURS = process.env['HOLDFAST_ALL_COLOURS'] === '1';

/** The rules of axe about colours. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Which rules of axe are checked. */
export type Rules =
  | { readonly runOnly: { readonly type: 'rule'; readonly values: readonly string[] } }
  | { readonly rules: Readonly<Record<string, { readonly enabled: boolean }>> }
  | Readonly<Record<string, never>>;

/**
 * Makes axe judge each combination of colours only once. Elements pass if an element with the same text colour, font and backgrounds has
 * passed. An element that cannot be judged, because of a picture or an overlap, has not passed.
 */
const EACH_PAIR_ONCE = `(() => {
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast');
  const { evaluate, options } = axe._audit.checks['color-contrast'];
  const { matches } = rule;
  const FIELDS = ['INPUT', 'SELECT', 'TEXTAREA'];
  const hasText = ({ nodeName, childNodes }) =>
    FIELDS.includes(nodeName) || [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '');

  let grounds;
  const paintOf = (element) => {
    const { backgroundColor, backgroundImage, opacity, mixBlendMode } = getComputedStyle(element);
    return [backgroundColor, backgroundImage, opacity, mixBlendMode].join();
  };
  /** Returns everything behind an element: its own background, those of its ancestors, and overlays. */
  const groundOf = (element) => {
    if (element === null) return '';
    const known = grounds.get(element);
    if (known !== undefined) return known;
    const laid = [...element.children].filter((child) => getComputedStyle(child).position !== 'static').map(paintOf);
    const ground = [...new Set([groundOf(element.parentElement), paintOf(element), ...laid])].join('|');
    grounds.set(element, ground);
    return ground;
  };
  const pairOf = (element) => {
    const { color, fontSize, fontWeight, textShadow, webkitTextStroke } = getComputedStyle(element);
    return [color, fontSize, fontWeight, textShadow, webkitTextStroke, groundOf(element)].join(' ');
  };

  let passed;
  axe.eachPairOnce = () => {
    grounds = new Map();
    passed = new Set();
  };
  rule.matches = (element, node, context) => {
    if (!hasText(element)) return false;
    const pair = pairOf(element);
    if (passed.has(pair) || !matches(element, node, context)) return false;
    const hasPassed = evaluate.call({ data() {}, relatedNodes() {} }, element, options, node) === true;
    if (hasPassed) passed.add(pair);
    return !hasPassed;
  };
})()`;

/** Limits a rule to elements whose own style attribute contains !important, because the rule applies to no others. */
const ONLY_WITH_IMPORTANT = `axe.configure({ rules: [{ id: 'avoid-inline-spacing', selector: '[style*="!important"]' }] })`;

/**
 * Returns axe's findings for the whole page. Support for frames is off, because the page has none and checking with it takes twice as long.
 */
export async function findAxeProblems(page: Page, rules: Rules = {}): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  // axe is loaded only if the page does not have it from an earlier check, because loading 500 kB takes long.
  if (!(await page.evaluate<boolean>('typeof axe === "object"')))
    await page.evaluate(`${axe.source}; ${ONLY_WITH_IMPORTANT}; ${ALL_COLOURS ? '' : EACH_PAIR_ONCE}; 0`);
  // `preload` is off, because no media start by themselves and axe would load every style sheet again. `selectors` is off, because
  // selectors for each element take as long as everything else.
  const options = { resultTypes: ['violations'], preload: false, selectors: false, ...rules };
  return page.evaluate<string[]>(`axe.eachPairOnce?.(), axe.run(document, ${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`);
}
