import type { Ending } from '#core/result/schema.ts';

/** The user stopped it. */
export const STOPPED_BY_USER: Ending = { code: 'user', text: 'You stopped it.' };
/** The backend closes. */
export const CLOSED: Ending = { code: 'closed', text: 'Holdfast was closed.' };
