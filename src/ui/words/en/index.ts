import { agreement } from './agreement.ts';
import { app } from './app.ts';
import { baseline } from './baseline.ts';
import { calculate } from './calculate.ts';
import { charts } from './charts.ts';
import { common, levels, marks } from './common.ts';
import { compare } from './compare.ts';
import { exports } from './exports.ts';
import { history } from './history.ts';
import { hosts } from './hosts.ts';
import { live } from './live.ts';
import { load } from './load.ts';
import { machines } from './machines.ts';
import { practice } from './practice.ts';
import { report } from './report.ts';
import { results } from './results.ts';
import { run } from './run.ts';
import { samples } from './samples.ts';
import { selfTest } from './selfTest.ts';
import { series } from './series.ts';
import { settings } from './settings.ts';
import { studies } from './studies.ts';
import { terms } from './terms.ts';
import { wizard } from './wizard.ts';

export const english = {
  agreement,
  app,
  baseline,
  calculate,
  charts,
  common,
  compare,
  exports,
  history,
  hosts,
  levels,
  live,
  load,
  machines,
  marks,
  practice,
  report,
  results,
  run,
  samples,
  selfTest,
  series,
  settings,
  studies,
  terms,
  wizard,
};
