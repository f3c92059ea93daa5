import * as english from './en/later.ts';

/** Texts of the parts that no first screen shows. They are loaded with these parts. */
export const laterWords: typeof english = english;
