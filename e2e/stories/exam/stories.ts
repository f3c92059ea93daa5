import type { Story } from '../framework/story.ts';
import { opening } from './opening.ts';
import { people } from './people.ts';

/** The stories about exams. */
export const EXAM: readonly Story[] = [people, opening];
