import type { Story } from '../framework/story.ts';
import { people } from './people.ts';

/** Observations of exams. */
export const EXAM: readonly Story[] = [people];
