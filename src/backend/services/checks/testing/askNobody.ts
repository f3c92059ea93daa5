import type { AskDatabase } from '../databaseRights.ts';

/** Replaces database access in tests of plans that monitor no database. */
export const askNobody: AskDatabase = () => Promise.reject(new Error('there is no database'));
