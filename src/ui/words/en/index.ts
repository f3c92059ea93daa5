import { app } from './app.ts';
import { common, levels, marks } from './common.ts';
import { terms } from './terms.ts';

export const english = { app, common, levels, marks, terms };
