import { runs } from './0001-runs.ts';
import { selfTests } from './0002-self-tests.ts';
import { series } from './0003-series.ts';
import { samples } from './0004-samples.ts';
import { hosts } from './0005-hosts.ts';
import { monitors } from './0006-monitors.ts';
import { hostChanges } from './0007-host-changes.ts';
import { generators } from './0008-generators.ts';
import { paths } from './0009-paths.ts';
import { studies } from './0010-studies.ts';
import { baselines } from './0011-baselines.ts';
import { baselineQuestions } from './0012-baseline-questions.ts';
import { distributions } from './0013-distributions.ts';
import { agreements } from './0014-agreements.ts';
import { visits } from './0015-visits.ts';
import { rules } from './0016-rules.ts';
import { usedRows } from './0017-used-rows.ts';
import type { Migration } from './migration.ts';

/** All migrations in order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [
  runs,
  selfTests,
  series,
  samples,
  hosts,
  monitors,
  hostChanges,
  generators,
  paths,
  studies,
  baselines,
  baselineQuestions,
  distributions,
  agreements,
  visits,
  rules,
  usedRows,
];
