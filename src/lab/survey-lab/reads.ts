import { setTimeout as sleep } from 'node:timers/promises';
import { failureReply, toList, findMissing, type Parameters, type Reply } from './protocol.ts';
import { ACCOUNTS, CAMPAIGNS, CLASSES, STREAM_VERSION, STREAMS, type ResponseFilter } from './data.ts';
import type { Machine } from './machine.ts';
import type { Values } from './options.ts';
import type { Tables } from './tables.ts';
import { NO_CAMPAIGN } from './upload.ts';

export interface Route {
  readonly needsUser: boolean;
  /** Whether GET is allowed. Most calls require POST. */
  readonly byGet: boolean;
  handle(parameters: Parameters): Promise<Reply> | Reply;
}

const ALL = 1_000_000;
const USERNAMES = ACCOUNTS.map(({ username }) => username);

/** The calls that read data. With the option `cold-cache`, the list of respondents is cached. */
export class Reads {
  /** The calls by their path after `/app/`. */
  readonly routes: Readonly<Record<string, Route>>;
  private readonly tables: Tables;
  private readonly values: Values;
  private readonly lists = new Map<number, readonly number[]>();

  constructor(tables: Tables, values: Values) {
    this.tables = tables;
    this.values = values;
    const readResponses = (parameters: Parameters): Promise<Reply> => this.readResponses(parameters);
    const responsesAsked = ['client', 'campaign_urn', 'user_list', 'column_list', 'output_format'];
    const streamAsked = ['client', 'observer_id', 'stream_version'];
    this.routes = {
      ...FIXED_ROUTES,
      'survey_response/read': route(responsesAsked, readResponses, { byGet: true }),
      'survey_response/function/read': route(['client', 'campaign_urn', 'user_list'], readResponses),
      'stream/read': route([...streamAsked, 'stream_id'], (parameters) => this.readStream(parameters, parameters.text('stream_id')), {
        byGet: true,
      }),
      // Each stream also has its own address, so that a test can use one stream as its target.
      ...Object.fromEntries(
        STREAMS.map(({ id }) => [
          `stream/read/${id}`,
          route(streamAsked, (parameters) => this.readStream(parameters, id), { byGet: true }),
        ]),
      ),
    };
  }

  forget(): void {
    this.lists.clear();
  }

  private async respondentList(machine: Machine, campaignId: number): Promise<readonly number[]> {
    const coldMs = this.values['cold-cache'] ? this.values['cold-ms'] : 0;
    const known = this.lists.get(campaignId);
    if (known && coldMs > 0) return known;
    if (coldMs > 0) await sleep(coldMs);
    const list = await this.tables.respondents(machine, campaignId);
    this.lists.set(campaignId, list);
    return list;
  }

  /** Returns the ids of the users whose responses were requested; null if all were requested. */
  private async findListedUsers(wanted: readonly string[] | null): Promise<number[] | null> {
    if (wanted === null) return null;
    const { 'name-ms': nameMs } = this.values;
    if (nameMs > 0) await sleep(nameMs * wanted.length);
    return wanted.map((name) => USERNAMES.indexOf(name)).filter((userId) => userId !== -1);
  }

  /** Waits as long as serializing these rows would take. */
  private async simulateTransfer(rows: number): Promise<void> {
    const { 'row-ms': rowMs } = this.values;
    if (rowMs > 0) await sleep(rowMs * rows);
  }

  private async readFilter(parameters: Parameters): Promise<ResponseFilter> {
    return {
      userIds: await this.findListedUsers(toList(parameters, 'user_list')),
      surveyIds: toList(parameters, 'survey_id_list'),
      promptIds: toList(parameters, 'prompt_id_list'),
      uuids: toList(parameters, 'survey_response_id_list'),
    };
  }

  private async readResponses(parameters: Parameters): Promise<Reply> {
    const campaignId = CAMPAIGNS.findIndex(({ urn }) => urn === parameters.text('campaign_urn'));
    if (campaignId === -1) return failureReply('0700', NO_CAMPAIGN);
    const [hasSurveys, hasPrompts] = ['survey_id_list', 'prompt_id_list'].map((name) => parameters.text(name) !== '');
    if (hasSurveys === hasPrompts)
      return failureReply('0618', 'Either a survey list (survey_id_list) or a prompt list (prompt_id_list) must be given.');
    const isList = parameters.text('column_list') === 'urn:ohmage:user:id' && parameters.text('collapse') === 'true';
    const data = isList
      ? (await this.respondentList(parameters.machine, campaignId)).map((userId) => ({ user: USERNAMES[userId] }))
      : (await this.tables.responses(parameters.machine, campaignId, await this.readFilter(parameters), ...readRange(parameters))).map(
          ({ user_id: userId, ...row }) => ({ user: USERNAMES[Number(userId)], ...row }),
        );
    await this.simulateTransfer(data.length);
    return {
      result: 'success',
      metadata: { number_of_surveys: data.length, number_of_prompts: isList ? 0 : data.length, items: ['urn:ohmage:user:id'] },
      data,
    };
  }

  private async readStream(parameters: Parameters, stream: string): Promise<Reply> {
    const link = STREAMS.findIndex(({ id }) => id === stream);
    const { 'page-rows': pageRows } = this.values;
    const [skip, most] = readRange(parameters, pageRows);
    if (most > pageRows) return failureReply('0309', `The number of results to return may be at most ${pageRows}.`);
    // An unknown stream or version is not an error, but has no rows.
    const isThere = link !== -1 && parameters.text('stream_version') === STREAM_VERSION;
    const data = isThere ? await this.tables.streamRows(parameters.machine, parameters.userId ?? 0, link, skip, most) : [];
    await this.simulateTransfer(data.length);
    return {
      result: 'success',
      metadata: {
        count: data.length,
        ...(skip > 0 ? { previous: getPage(parameters, stream, Math.max(0, skip - most), most) } : {}),
        // A full last page links to an empty one.
        ...(isThere && data.length === most ? { next: getPage(parameters, stream, skip + most, most) } : {}),
      },
      data,
    };
  }
}

function route(required: readonly string[], handle: Route['handle'], options: Partial<Route> = {}): Route {
  return { needsUser: true, byGet: false, ...options, handle: (parameters) => findMissing(parameters, required) ?? handle(parameters) };
}

const CONFIGURATION = {
  application_name: 'practice survey',
  application_version: '2.16',
  application_build: 'lab',
  survey_response_privacy_states: ['shared', 'private'],
  default_survey_response_sharing_state: 'private',
  mobility_enabled: false,
  auth_token_lifetime: 10_800_000,
  maximum_request_size: 15_000_000,
};

const FIXED_ROUTES: Readonly<Record<string, Route>> = {
  'user/whoami': route(['client'], ({ userId }) => ({ result: 'success', username: USERNAMES[userId ?? -1] }), { byGet: true }),
  'config/read': route([], () => ({ result: 'success', data: CONFIGURATION }), { needsUser: false, byGet: true }),
  'user_info/read': route(['client'], ({ userId }) => ({
    result: 'success',
    data: { [USERNAMES[userId ?? -1] ?? '']: { classes: CLASSES, campaigns: CAMPAIGNS.map(({ urn }) => urn) } },
  })),
  'campaign/read': route(['client', 'output_format'], (parameters) => ({
    result: 'success',
    metadata: { items: CAMPAIGNS.map(({ urn }) => urn) },
    data: campaigns(parameters),
  })),
  'class/read': route(['client'], () => ({
    result: 'success',
    data: Object.fromEntries(
      CLASSES.map((urn) => [urn, { name: urn, users: Object.fromEntries(USERNAMES.map((username) => [username, ''])) }]),
    ),
  })),
  'user/read': route(['client'], () => ({
    result: 'success',
    data: Object.fromEntries(USERNAMES.map((username) => [username, { classes: CLASSES }])),
  })),
};

function campaigns(parameters: Parameters): Record<string, unknown> {
  const readFilter = parameters
    .text('campaign_urn_list')
    .split(',')
    .filter((urn) => urn !== '');
  const chosen = CAMPAIGNS.filter(({ urn }) => readFilter.length === 0 || readFilter.includes(urn));
  const isLong = parameters.text('output_format') === 'long';
  return Object.fromEntries(
    chosen.map(({ urn, name, created, surveyId }) => [
      urn,
      {
        name,
        creation_timestamp: created,
        running_state: 'running',
        ...(isLong ? { xml: `<campaign><campaignUrn>${urn}</campaignUrn><surveyId>${surveyId}</surveyId></campaign>` } : {}),
      },
    ]),
  );
}

/** Returns the address of another page of a stream, with the host name from the server's configuration. */
function getPage(parameters: Parameters, stream: string, skip: number, limit: number): string {
  const query = new URLSearchParams({
    ...(parameters.text('auth_token') === '' ? {} : { auth_token: parameters.text('auth_token') }),
    client: parameters.text('client'),
    observer_id: parameters.text('observer_id'),
    stream_id: stream,
    stream_version: parameters.text('stream_version'),
    num_to_skip: String(skip),
    num_to_return: String(limit),
  });
  return `http://localhost/app/stream/read?${query.toString()}`;
}

/** Returns the number of rows to skip and the number to return. */
function readRange(parameters: Parameters, otherwise = ALL): [number, number] {
  const readInteger = (name: string, unset: number): number =>
    /^\d{1,9}$/.test(parameters.text(name)) ? Number(parameters.text(name)) : unset;
  return [readInteger('num_to_skip', 0), readInteger('num_to_return', otherwise)];
}
