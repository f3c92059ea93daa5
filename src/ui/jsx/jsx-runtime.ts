import { Fragment } from 'react';
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { bindUnits } from '#core/base/unbroken.ts';

export { Fragment };

/** Elements whose text must not be changed, because users copy, enter or run it. */
const VERBATIM: ReadonlySet<unknown> = new Set(['code', 'pre', 'kbd', 'samp', 'textarea', 'option', 'style', 'title']);

/**
 * Returns the properties of an element or fragment with non-breaking spaces between numbers and units. Properties of components are not
 * changed, because their texts are later passed to elements.
 */
export function keepNumbersWithUnits<Properties>(type: unknown, properties: Properties): Properties {
  if ((typeof type !== 'string' && type !== Fragment) || VERBATIM.has(type) || typeof properties !== 'object' || properties === null)
    return properties;
  const children = 'children' in properties ? properties.children : undefined;
  if (typeof children === 'string') {
    const text = bindUnits(children);
    return text === children ? properties : { ...properties, children: text };
  }
  if (!Array.isArray(children) || !children.some((child) => typeof child === 'string')) return properties;
  return { ...properties, children: children.map((child: unknown) => (typeof child === 'string' ? bindUnits(child) : child)) };
}

/** React's `jsx`, with non-breaking spaces before units (see {@link keepNumbersWithUnits}). */
export const jsx: typeof reactJsx = (type, properties, key) => reactJsx(type, keepNumbersWithUnits(type, properties), key);

/** React's `jsxs`, for an element with several children, with the same spaces. */
export const jsxs: typeof reactJsxs = (type, properties, key) => reactJsxs(type, keepNumbersWithUnits(type, properties), key);

/** React's `jsxDEV`, for development builds, with the same spaces. */
export const jsxDEV = (...[type, properties, key, isStatic]: [...Parameters<typeof reactJsx>, boolean]) =>
  (isStatic ? jsxs : jsx)(type, properties, key);
