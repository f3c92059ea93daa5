import type { Story } from '../framework/story.ts';
import { opening } from './opening.ts';
import { people } from './people.ts';
import { threeRooms } from './threeRooms.ts';

/** The stories about exams. */
export const EXAM: readonly Story[] = [people, opening, threeRooms];
