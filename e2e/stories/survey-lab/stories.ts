import { budgets } from './budgets.ts';
import { dataVolume } from './dataVolume.ts';
import { download } from './download.ts';
import { firstQuery } from './firstQuery.ts';
import { ghostSuccess } from './ghostSuccess.ts';
import { limitsOnChart } from './limitsOnChart.ts';
import { longList } from './longList.ts';
import { notSteady } from './notSteady.ts';
import { rewrittenQuery } from './rewrittenQuery.ts';
import { uploads } from './uploads.ts';
import { waiting, type Story } from '../framework/story.ts';

/** What was seen at the survey server. */
export const SURVEY_LAB: readonly Story[] = [
  budgets,
  dataVolume,
  uploads,
  ghostSuccess,
  download,
  notSteady,
  firstQuery,
  longList,
  limitsOnChart,
  rewrittenQuery,
  ...waiting('survey-lab', [
    ['machines', 'Eight machines of different size: cores do not matter to one user, memory does.', 'conclusions', 'comparison of runs'],
    ['rows-or-bytes', 'Many small rows are worse than few large ones.', 'conclusions', 'comparison of runs'],
    ['index', 'A query with and without its index: before and after, cold and warm.', 'conclusions', 'comparison of runs'],
  ]),
];
