import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** By night: colours of each element, and at each width. */
export const ALL_COLOURS = process.env['HOLDFAST_ALL_COLOURS'] === '1';

/** The rules that look at colours. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Which rules are asked. */
export type Rules =
  | { readonly runOnly: { readonly type: 'rule'; readonly values: readonly string[] } }
  | { readonly rules: Readonly<Record<string, { readonly enabled: boolean }>> }
  | Readonly<Record<string, never>>;

/**
 * Lets axe judge each pair of colours once: what stands in the same colour and letters upon the same grounds as an element that has
 * passed passes too. What cannot be judged, for a ground with a picture or beneath others, vouches for nobody.
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
  /** All that lies beneath an element: its own ground, those around it, and what is laid over these. */
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

/** An element has to be looked at only where its own attribute says what the rule forbids. */
const ONLY_WITH_IMPORTANT = `axe.configure({ rules: [{ id: 'avoid-inline-spacing', selector: '[style*="!important"]' }] })`;

/** What axe objects to on the whole page, which has no frames: to gather from frames takes twice as long. */
export async function objections(page: Page, rules: Rules = {}): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  // A page that was looked at has axe already, whose half a megabyte takes long to read.
  if (!(await page.evaluate<boolean>('typeof axe === "object"')))
    await page.evaluate(`${axe.source}; ${ONLY_WITH_IMPORTANT}; ${ALL_COLOURS ? '' : EACH_PAIR_ONCE}; 0`);
  // Nothing on these screens plays by itself, for which axe would load every style sheet anew. It makes a selector for each element that it looks
  // at, which takes as long as everything else.
  const options = { resultTypes: ['violations'], preload: false, selectors: false, ...rules };
  return page.evaluate<string[]>(`axe.eachPairOnce?.(), axe.run(document, ${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`);
}
