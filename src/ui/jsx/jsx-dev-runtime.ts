import { jsxDEV as reactJsx } from 'react/jsx-dev-runtime';
import { laidOut } from './laidOut.ts';

export { Fragment } from 'react/jsx-dev-runtime';

/** The counterpart of `jsx-runtime` for development builds. */
export const jsxDEV: typeof reactJsx = (type, properties, key, ...rest) => reactJsx(type, laidOut(type, properties), key, ...rest);
