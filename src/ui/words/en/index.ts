import { app } from './app.ts';
import { common, levels, marks } from './common.ts';
import { history } from './history.ts';
import { practice } from './practice.ts';
import { settings } from './settings.ts';
import { terms } from './terms.ts';
import { wizard } from './wizard.ts';

export const english = { app, common, history, levels, marks, practice, settings, terms, wizard };
