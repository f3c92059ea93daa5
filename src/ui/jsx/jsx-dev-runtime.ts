import { jsxDEV as reactJsx } from 'react/jsx-dev-runtime';
import { laidOut } from './laidOut.ts';

export { Fragment } from 'react/jsx-dev-runtime';

/** As `jsx-runtime`, where code is not built for users. */
export const jsxDEV: typeof reactJsx = (type, properties, key, ...rest) => reactJsx(type, laidOut(type, properties), key, ...rest);
