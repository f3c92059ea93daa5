import type { AskDatabase } from '../databaseRights.ts';

/** For plans that monitor no database. */
export const askNobody: AskDatabase = () => Promise.reject(new Error('there is no database'));
