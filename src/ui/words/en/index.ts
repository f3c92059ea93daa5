import { agreement, machines, selfTest, settings } from './settings.ts';
import { app, charts, common, levels, marks } from './common.ts';
import { baseline, exports, history } from './history.ts';
import { calculate, practice } from './practice.ts';
import { compare } from './compare.ts';
import { hosts } from './hosts.ts';
import { live } from './live.ts';
import { load } from './load.ts';
import { quick } from './quick.ts';
import { recording } from './recording.ts';
import { report, results, samples } from './results.ts';
import { run } from './run.ts';
import { series } from './series.ts';
import { searches } from './searches.ts';
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
  quick,
  recording,
  report,
  results,
  run,
  samples,
  selfTest,
  series,
  settings,
  searches,
  terms,
  wizard,
};
