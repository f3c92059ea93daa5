import { createHash } from 'node:crypto';
import type { Account } from '../lab.ts';
import type { Database, Row } from './database.ts';
import type { Values } from './options.ts';

const PARTICIPANTS = 200;
/** Number of users, from the first on, to whom all initial data belongs. There are few of them, so that a read returns many rows. */
export const OWNERS = 10;

export const ACCOUNTS: readonly Account[] = Array.from({ length: PARTICIPANTS }, (_, index) => ({
  username: `participant${String(index + 1).padStart(3, '0')}`,
  password: `survey-${100 + ((index * 37) % 900)}`,
}));

/**
 * Returns the stored hash of a password, which phones send instead of the password. ohmage uses bcrypt, which would take too much processor
 * time per account.
 */
export function hashedPassword({ username, password }: Account): string {
  return `$2a$04$${createHash('sha256').update(`${username} ${password}`).digest('base64url')}`;
}

const HASHES = ACCOUNTS.map(hashedPassword);

/** Returns the number of the account with this plain-text password, or null. */
export function findUserId(username: string, password: string): number | null {
  return toPosition(ACCOUNTS.findIndex((account) => account.username === username && account.password === password));
}

/** Returns the number of the account with this stored hash, or null. */
export function userIdByHash(username: string, hash: string): number | null {
  return toPosition(ACCOUNTS.findIndex((account, index) => account.username === username && HASHES[index] === hash));
}

function toPosition(position: number): number | null {
  return position === -1 ? null : position;
}

export const CAMPAIGNS = ['snack', 'trash', 'media'].map((name) => ({
  urn: `urn:campaign:lab:${name}`,
  name: `Practice campaign ${name}`,
  created: '2013-09-04 12:00:00',
  surveyId: `${name}Survey`,
}));
export const CLASSES = ['urn:class:lab:first', 'urn:class:lab:second'] as const;

/**
 * The streams, each with its share of the requested rows. There are few small rows, some large ones, and many medium ones. Two further
 * streams have the same number of bytes, one in few rows and one in a hundred times as many.
 */
export const STREAMS = [
  { id: 'sparse', share: 0.01, bytes: 100 },
  { id: 'moderate', share: 0.1, bytes: 2_000 },
  { id: 'frequent', share: 1, bytes: 500 },
  { id: 'bulky', share: 0.01, bytes: 10_000 },
  { id: 'chatty', share: 1, bytes: 100 },
] as const;

/** Version that all streams have. */
export const STREAM_VERSION = '1';

/** Number of participants in each query of {@link respondentsInPortions}. */
const PORTION_SIZE = 20;
/** A phone's answers to the questions of a short survey, as the database stores them. */
const SURVEY = JSON.stringify(Array.from({ length: 10 }, () => ({ prompt_id: 'mood', value: 'fine' })));

/** The index that made reads fast, according to the report. */
export const INDEX = 'observer_stream_data_query';
const CREATE_INDEX = `CREATE INDEX IF NOT EXISTS ${INDEX} ON observer_stream_data (user_id, observer_stream_link_id, time_adjusted, time)`;

/** A column with a copy of the survey, which a search could use but nothing uses. */
const SPARE_COLUMN = 'search_text';

const FIRST_TIME_MS = 1_378_000_000_000;

/** Creates the tables and fills them. */
export async function fill(database: Database, values: Values): Promise<void> {
  const { responses, holes, 'spare-column-bytes': spareBytes } = values;
  const { serial, series } = database;
  await database.run(`
    CREATE TABLE survey_response (
      id ${serial}, uuid TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL, campaign_id INTEGER NOT NULL, client TEXT NOT NULL,
      epoch_millis BIGINT NOT NULL, phone_timezone TEXT NOT NULL, survey_id TEXT NOT NULL, survey TEXT NOT NULL, uploaded INTEGER NOT NULL
    );
    CREATE TABLE prompt_response (
      id ${serial}, survey_response_id INTEGER NOT NULL, prompt_id TEXT NOT NULL, prompt_type TEXT NOT NULL, response TEXT NOT NULL
    );
    CREATE TABLE observer_stream_data (
      id ${serial}, user_id INTEGER NOT NULL, observer_stream_link_id INTEGER NOT NULL, time BIGINT NOT NULL, time_adjusted BIGINT NOT NULL,
      data TEXT NOT NULL
    );`);
  for (const [link, { share, bytes }] of STREAMS.entries())
    await database.run(`INSERT INTO observer_stream_data (user_id, observer_stream_link_id, time, time_adjusted, data)
      SELECT g % ${OWNERS}, ${link}, ${FIRST_TIME_MS} + g * 1000, ${FIRST_TIME_MS} + g * 1000, '${'x'.repeat(bytes)}'
      FROM ${series(Math.max(1, Math.round(values['stream-rows'] * share)))}`);
  if (spareBytes > 0) await database.run(`ALTER TABLE survey_response ADD COLUMN ${SPARE_COLUMN} TEXT`);
  if (responses > 0) {
    // Only the first row in each group of rows is kept.
    const each = holes + 1;
    const spare = spareBytes > 0 ? [`, ${SPARE_COLUMN}`, `, '${'x'.repeat(spareBytes)}'`] : ['', ''];
    await database.run(`INSERT INTO survey_response (uuid, user_id, campaign_id, client, epoch_millis, phone_timezone, survey_id, survey, uploaded${spare[0]})
      SELECT CASE WHEN g % ${each} = 0 THEN 'seed-' ELSE 'gone-' END || g, (g / ${each}) % ${OWNERS}, (g / ${each}) % ${CAMPAIGNS.length},
        'ohmage-gwt', ${FIRST_TIME_MS} + g * 60000, 'UTC', 'seedSurvey', '${SURVEY}', 0${spare[1]}
      FROM ${series(responses * each)}`);
    if (holes > 0) await database.run(`DELETE FROM survey_response WHERE uuid LIKE 'gone-%'`);
    await database.run(`INSERT INTO prompt_response (survey_response_id, prompt_id, prompt_type, response)
      SELECT id, 'mood', 'single_choice', 'fine' FROM survey_response`);
    await database.run('CREATE INDEX prompt_response_survey ON prompt_response (survey_response_id)');
  }
  if (values.index) await createIndex(database);
}

export async function createIndex(database: Database): Promise<void> {
  await database.run(CREATE_INDEX);
}

export async function dropIndex(database: Database): Promise<void> {
  await database.run(`DROP INDEX IF EXISTS ${INDEX}`);
}

/** Drops the unused column and frees its space. */
export async function dropSpareColumn(database: Database): Promise<void> {
  await database.run(`ALTER TABLE survey_response DROP COLUMN ${SPARE_COLUMN}`);
  await database.reorganize('survey_response');
}

export function streamRows(database: Database, userId: number, link: number, skip: number, limit: number): Promise<Row[]> {
  return database.query(
    `SELECT id, time, data FROM observer_stream_data WHERE user_id = $1 AND observer_stream_link_id = $2
     ORDER BY time_adjusted, time LIMIT $3 OFFSET $4`,
    [userId, link, limit, skip],
  );
}

/** Returns the user numbers of all respondents. */
export async function findRespondents(database: Database, campaignId: number): Promise<number[]> {
  const rows = await database.query('SELECT DISTINCT user_id FROM survey_response WHERE campaign_id = $1 ORDER BY user_id', [campaignId]);
  return rows.map((row) => Number(row['user_id']));
}

/** Like {@link findRespondents}, but with several queries, each a full scan for some participants, as in older versions of ohmage. */
export async function respondentsInPortions(database: Database, campaignId: number): Promise<number[]> {
  const found: number[] = [];
  for (let from = 0; from < PARTICIPANTS; from += PORTION_SIZE) {
    const rows = await database.query(
      'SELECT DISTINCT user_id FROM survey_response WHERE campaign_id = $1 AND user_id BETWEEN $2 AND $3 ORDER BY user_id',
      [campaignId, from, from + PORTION_SIZE - 1],
    );
    found.push(...rows.map((row) => Number(row['user_id'])));
  }
  return found;
}
/** Number of queries that {@link respondentsInPortions} sends. */
export const PORTION_COUNT = PARTICIPANTS / PORTION_SIZE;

/** Filter for responses; null means all. */
export interface ResponseFilter {
  readonly userIds: readonly number[] | null;
  readonly surveyIds: readonly string[] | null;
  readonly promptIds: readonly string[] | null;
  readonly uuids: readonly string[] | null;
}

export function readResponses(
  database: Database,
  campaignId: number,
  { userIds, surveyIds, promptIds, uuids }: ResponseFilter,
  skip: number,
  limit: number,
): Promise<Row[]> {
  const values: (string | number)[] = [campaignId];
  const inList = (column: string, list: readonly (string | number)[] | null): string => {
    if (list === null) return '';
    if (list.length === 0) return ' AND FALSE';
    return ` AND ${column} IN (${list.map((value) => `$${values.push(value)}`).join(', ')})`;
  };
  const conditions = `${inList('s.user_id', userIds)}${inList('s.survey_id', surveyIds)}${inList('p.prompt_id', promptIds)}${inList('s.uuid', uuids)}`;
  return database.query(
    `SELECT s.uuid AS survey_key, s.user_id, s.epoch_millis, s.phone_timezone, s.survey_id, p.prompt_id, p.response
     FROM survey_response s LEFT JOIN prompt_response p ON p.survey_response_id = s.id
     WHERE s.campaign_id = $1${conditions} ORDER BY s.id LIMIT $${values.push(limit)} OFFSET $${values.push(skip)}`,
    values,
  );
}

export interface Upload {
  readonly uuid: string;
  readonly userId: number;
  readonly campaignId: number;
  readonly client: string;
  readonly epochMs: number;
  readonly timezone: string;
  readonly surveyId: string;
  readonly survey: string;
  readonly prompts: readonly { readonly id: string; readonly response: string }[];
}

/** Stores an upload once; repeats are ignored. */
export async function store(database: Pick<Database, 'query'>, upload: Upload): Promise<void> {
  const { uuid, userId, campaignId, client, epochMs, timezone, surveyId, survey, prompts } = upload;
  const rows = await database.query(
    `INSERT INTO survey_response (uuid, user_id, campaign_id, client, epoch_millis, phone_timezone, survey_id, survey, uploaded)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1) ON CONFLICT (uuid) DO NOTHING RETURNING id`,
    [uuid, userId, campaignId, client, epochMs, timezone, surveyId, survey],
  );
  const id = rows[0]?.['id'];
  if (id === undefined || prompts.length === 0) return;
  // One statement for all rows: a round trip for each row would take longer than the configured upload time.
  const rowOf = (index: number): string => `($${4 * index + 1}, $${4 * index + 2}, $${4 * index + 3}, $${4 * index + 4})`;
  await database.query(
    `INSERT INTO prompt_response (survey_response_id, prompt_id, prompt_type, response) VALUES ${prompts.map((_, index) => rowOf(index)).join(', ')}`,
    prompts.flatMap((prompt) => [Number(id), prompt.id, 'text', prompt.response]),
  );
}

/** Counts stored uploads, whether or not they were acknowledged. */
export function countUploads(database: Database): Promise<number> {
  return countOf(database, 'WHERE uploaded = 1');
}

/** Counts uploads and initial responses. */
export function countResponses(database: Database): Promise<number> {
  return countOf(database, '');
}

async function countOf(database: Database, conditions: string): Promise<number> {
  const rows = await database.query(`SELECT count(*) AS stored FROM survey_response ${conditions}`);
  return Number(rows[0]?.['stored'] ?? 0);
}

export async function forgetUploads(database: Database): Promise<void> {
  await database.run(`DELETE FROM prompt_response WHERE survey_response_id IN (SELECT id FROM survey_response WHERE uploaded = 1);
    DELETE FROM survey_response WHERE uploaded = 1;`);
}
