import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { hashedPassword } from '#lab/survey-lab/data.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { accountFile } from '../framework/accounts.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { Scene } from '../framework/scene.ts';

/** Writes a file with the first accounts and their hashed passwords, as phones send them. The file is for `feeds`. */
export function senderFile(scene: Scene, { accounts }: LabProcess, count?: number): Promise<string> {
  return accountFile(scene, { accounts: accounts.map((account) => ({ ...account, password: hashedPassword(account) })) }, count);
}

type StepInput = PlanInput['journey'][number];

export const CAMPAIGN = 'urn:campaign:lab:snack';
export const UPLOAD = '/app/survey/upload';
export const READ = '/app/survey_response/read';
/** The value that means all users or surveys. */
export const ALL = 'urn:ohmage:special:all';

/**
 * Tolerance for times of 200 ms and more. Timers and a busy machine lengthen times by at most this share, which is half of the shift of
 * 20 %.
 */
export const TIME_TOLERANCE = 0.1;

/** Options for a database that starts at once and contains very little data. */
export const SMALL: GivenOptions = { database: 'sqlite', 'stream-rows': 100, responses: 60 };

/** The fields of the sender, from the feed `accounts`. */
const sender = { user: '{{accounts.username}}', password: '{{accounts.password}}', client: 'ohmage-android' };
/** The check that recognizes success. It is needed because failures, too, have status 200. */
export const success: NonNullable<StepInput['checks']> = [{ kind: 'json', path: '$.result', equals: 'success' }];

/** Returns a step that calls the survey server with the current account. */
export function question(name: string, path: string, fields: Record<string, string>, more: Partial<StepInput> = {}): StepInput {
  return { name, method: 'POST', path, form: { ...sender, ...fields }, checks: success, ...more };
}

/** Returns the step that requests the respondents. This is the query that was slow at first. */
export function respondents(name: string, more: Partial<StepInput> = {}): StepInput {
  const columns = { column_list: 'urn:ohmage:user:id', collapse: 'true', output_format: 'json-rows' };
  const lists = { user_list: ALL, survey_id_list: ALL };
  return question(name, READ, { campaign_urn: CAMPAIGN, ...lists, ...columns }, more);
}

/** Returns the step that requests rows from a stream of the sender, with the number of rows that is expected. */
export function streamRows(name: string, path: string, rows: number, more: Record<string, string> = {}): StepInput {
  const fields = { observer_id: 'lab', stream_version: '1', ...more };
  return question(name, path, fields, { checks: [...success, { kind: 'json', path: '$.metadata.count', equals: rows }] });
}

/** Returns a step that uploads a survey with a photo. Both are new in each request, for which {@link uploadVariables} is needed. */
export function upload(photoBytes: number, more: Partial<StepInput> = {}): StepInput {
  const launch = '{"launch_time":{{now}},"launch_timezone":"UTC","active_triggers":[]}';
  const survey = `[{"survey_key":"{{survey}}","time":{{now}},"timezone":"UTC","survey_id":"snackSurvey","survey_launch_context":${launch},"location_status":"unavailable","responses":[{"prompt_id":"SnackPhoto","value":"{{photo}}"}]}]`;
  return {
    name: 'upload',
    method: 'POST',
    path: UPLOAD,
    multipart: [
      ...Object.entries(sender).map(([name, value]) => ({ name, value })),
      { name: 'campaign_urn', value: CAMPAIGN },
      { name: 'campaign_creation_timestamp', value: '2013-09-04 12:00:00' },
      { name: 'surveys', value: survey },
      { name: '{{photo}}', bytes: photoBytes, type: 'image/jpeg', fileName: 'photo.jpg' },
    ],
    checks: success,
    ...more,
  };
}

export const uploadVariables: NonNullable<PlanInput['variables']> = {
  survey: { kind: 'uuid', per: 'request' },
  photo: { kind: 'uuid', per: 'request' },
  now: { kind: 'timestamp', unit: 'milliseconds' },
};

/** Returns a function that selects log lines about a page. */
export function isAbout(page: string): (line: LoggedRequest) => boolean {
  return ({ path }) => path === page;
}
