import { english } from './en/index.ts';

/**
 * Every sentence of the app, one file for each feature. Sentences with values are functions, so that another language can order
 * them as it likes. Numbers in sentences arrive formatted (see #core/base/units.ts).
 */
export type Words = typeof english;
export type TermName = keyof Words['terms'];

export const words: Words = english;
