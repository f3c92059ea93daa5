import { Fragment } from 'react';
import { unbroken } from '#core/base/unbroken.ts';

/** Elements whose text is taken as it stands: it is copied, entered or run. */
const VERBATIM: ReadonlySet<unknown> = new Set(['code', 'pre', 'kbd', 'samp', 'textarea', 'option', 'style', 'title']);

/** The properties of an element of the page, or of several without one around them, with no number of its text parted from its unit. Those of components stay as they are: their texts come by here in the end. */
export function laidOut<Properties>(type: unknown, properties: Properties): Properties {
  if ((typeof type !== 'string' && type !== Fragment) || VERBATIM.has(type) || typeof properties !== 'object' || properties === null)
    return properties;
  const children = 'children' in properties ? properties.children : undefined;
  if (typeof children === 'string') {
    const text = unbroken(children);
    return text === children ? properties : { ...properties, children: text };
  }
  if (!Array.isArray(children) || !children.some((child) => typeof child === 'string')) return properties;
  return { ...properties, children: children.map((child: unknown) => (typeof child === 'string' ? unbroken(child) : child)) };
}
