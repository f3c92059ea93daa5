import type { Story } from '../framework/story.ts';
import { beforeAndAfter } from './beforeAndAfter.ts';
import { bandwidth } from './bandwidth.ts';
import { batches } from './batches.ts';
import { cacheShare } from './cacheShare.ts';
import { conclusions } from './conclusions.ts';
import { conflicts } from './conflicts.ts';
import { content } from './content.ts';
import { crawl } from './crawl.ts';
import { cycles } from './cycles.ts';
import { declineExplained } from './declineExplained.ts';
import { fullLine } from './fullLine.ts';
import { interactiveLaw } from './interactiveLaw.ts';
import { loggedInRead } from './loggedInRead.ts';
import { loginStep } from './loginStep.ts';
import { matrix } from './matrix.ts';
import { notLinear } from './notLinear.ts';
import { notRunYet } from './notRunYet.ts';
import { practice } from './practice.ts';
import { throughTheProxy } from './throughTheProxy.ts';
import { twoPlaces } from './twoPlaces.ts';

/** The stories about the school's site. */
export const SCHOOL_SITE: readonly Story[] = [
  crawl,
  loggedInRead,
  content,
  cycles,
  interactiveLaw,
  declineExplained,
  practice,
  notRunYet,
  batches,
  matrix,
  cacheShare,
  bandwidth,
  twoPlaces,
  fullLine,
  notLinear,
  conclusions,
  conflicts,
  beforeAndAfter,
  loginStep,
  throughTheProxy,
];
