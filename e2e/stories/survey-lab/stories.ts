import { allPages } from './allPages.ts';
import { budgets } from './budgets.ts';
import { databaseLimit } from './databaseLimit.ts';
import { dataVolume } from './dataVolume.ts';
import { download } from './download.ts';
import { firstQuery } from './firstQuery.ts';
import { ghostSuccess } from './ghostSuccess.ts';
import { index } from './dataIndex.ts';
import { limitsOnChart } from './limitsOnChart.ts';
import { longList } from './longList.ts';
import { machines } from './machines.ts';
import { notSteady } from './notSteady.ts';
import { photosLeft } from './photosLeft.ts';
import { poolWait } from './poolWait.ts';
import { rewrittenQuery } from './rewrittenQuery.ts';
import { rowsOrBytes } from './rowsOrBytes.ts';
import { uploads } from './uploads.ts';
import type { Story } from '../framework/story.ts';

/** The stories about the survey server. */
export const SURVEY_LAB: readonly Story[] = [
  budgets,
  dataVolume,
  uploads,
  ghostSuccess,
  databaseLimit,
  poolWait,
  download,
  notSteady,
  firstQuery,
  longList,
  limitsOnChart,
  machines,
  rowsOrBytes,
  index,
  rewrittenQuery,
  allPages,
  photosLeft,
];
