import { app } from './app.ts';
import { charts } from './charts.ts';
import { common, levels, marks } from './common.ts';
import { history } from './history.ts';
import { live } from './live.ts';
import { load } from './load.ts';
import { practice } from './practice.ts';
import { results } from './results.ts';
import { run } from './run.ts';
import { samples } from './samples.ts';
import { selfTest } from './selfTest.ts';
import { series } from './series.ts';
import { settings } from './settings.ts';
import { terms } from './terms.ts';
import { wizard } from './wizard.ts';

export const english = {
  app,
  charts,
  common,
  history,
  levels,
  live,
  load,
  marks,
  practice,
  results,
  run,
  samples,
  selfTest,
  series,
  settings,
  terms,
  wizard,
};
