import type { RunResult } from '#core/result/schema.ts';
import { readProbe } from './breakingPoint/aftermath.ts';
import { answerOf } from './breakingPoint/answer.ts';
import { searchFacts } from './breakingPoint/facts.ts';
import { nextSearchRun } from './breakingPoint/next.ts';
import { readLevel } from './breakingPoint/readLevel.ts';
import { readRecovery } from './breakingPoint/readRecovery.ts';
import { characterOf } from './characterize/answer.ts';
import { idleReadingOf, nextCharacterRun, usersReadings } from './characterize/next.ts';
import { readUsers } from './characterize/readUsers.ts';
import { STUDY_SCHEMA, type StudyDocument, type StudyHead, type StudyResult } from './result.ts';
import type { StudyReading, StudyRun } from './run.ts';
import type { StudyStep } from './step.ts';

/** Each run of a study is chosen by what the ones before have shown. The same records always choose the same run. */
export function nextStep(document: StudyDocument, runs: readonly StudyRun[]): StudyStep {
  return document.kind === 'breakingPoint'
    ? nextSearchRun(document.plan, document.settings, runs)
    : nextCharacterRun(document.plan, document.settings, runs);
}

/** What the run of a step says. */
export function readingOf(
  document: StudyDocument,
  { purpose, level }: Pick<StudyRun, 'purpose' | 'level'>,
  result: RunResult,
): StudyReading | null {
  if (purpose === 'probe') return readProbe(result);
  if (level === null) return null;
  if (purpose === 'users') return readUsers(result, level);
  if (document.kind !== 'breakingPoint') return null;
  return purpose === 'recovery' ? readRecovery(result, level, document.settings.overloadSeconds) : readLevel(result, level);
}

/** The study as it is: a pure function of what is stored of it. */
export function buildStudyResult(study: StudyHead, document: StudyDocument, runs: readonly StudyRun[]): StudyResult {
  const answer =
    document.kind === 'breakingPoint'
      ? answerOf(searchFacts(document.plan, document.settings, runs))
      : characterOf(usersReadings(runs), idleReadingOf(runs));
  return { schema: STUDY_SCHEMA, study, document, runs: [...runs], answer };
}
