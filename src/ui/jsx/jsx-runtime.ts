import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { laidOut } from './laidOut.ts';

export { Fragment } from 'react/jsx-runtime';

/** React's `jsx`, with non-breaking spaces before units (see {@link laidOut}). */
export const jsx: typeof reactJsx = (type, properties, key) => reactJsx(type, laidOut(type, properties), key);

/** The same for an element with several children. */
export const jsxs: typeof reactJsxs = (type, properties, key) => reactJsxs(type, laidOut(type, properties), key);
