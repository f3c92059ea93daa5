import type { Story } from '../framework/story.ts';
import { eachPlaceOnce } from './eachPlaceOnce.ts';
import { oversold } from './oversold.ts';

/** The stories about registrations for a limited number of places. */
export const REGISTRATION: readonly Story[] = [eachPlaceOnce, oversold];
