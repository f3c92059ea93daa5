import { CONTEST } from './contest/stories.ts';
import { EXAM } from './exam/stories.ts';
import type { Story } from './framework/story.ts';
import { NODE_VS_GUNICORN } from './node-vs-gunicorn/stories.ts';
import { REGISTRATION } from './registration/stories.ts';
import { SCHOOL_SITE } from './school-site/stories.ts';
import { SURVEY_LAB } from './survey-lab/stories.ts';

/** All stories in the order in which they are played. */
export const STORIES: readonly Story[] = [...CONTEST, ...NODE_VS_GUNICORN, ...REGISTRATION, ...SCHOOL_SITE, ...SURVEY_LAB, ...EXAM];
