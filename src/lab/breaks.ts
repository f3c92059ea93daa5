import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { LabOption } from '#core/base/lab/listing.ts';

/** What may be broken: the first six need nothing of the server, which the others ask for the place where they apply. */
const ANYWHERE = ['status500', 'errorPage', 'emptyList', 'toLogin', 'backToForm', 'jsonError'] as const;
const REFUSALS = ['tooFrequent', 'closed', 'spent'] as const;
export const BREAK_KINDS = [...ANYWHERE, 'swallow', 'neverEvaluated', 'thirdEvaluated', ...REFUSALS, 'oneAccount'] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/** A load that is to be broken names its steps in this header. */
export const STEP_HEADER = 'x-practice-step';

const breakSchema = z.strictObject({
  /** As the header of the request names it: requests to one address may be different steps. */
  step: z.string(),
  method: z.string().default('GET'),
  kind: z.enum(BREAK_KINDS),
  /** Share of its requests, counted exactly. */
  share: z.number().gt(0).max(1).default(1),
  /** Where a redirect leads, as seen from the address of the request. */
  to: z.string().default('/'),
});
export type Break = z.input<typeof breakSchema>;

/** One thing that is broken while everything else is healthy. Hidden: only the stories of breaks set it. */
export const breakOption = {
  kind: 'hidden',
  label: 'What is broken',
  help: '',
  fault: true,
  default: null,
} as const satisfies LabOption;

const ERROR_PAGE =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Error</title></head><body><h1>Error</h1><p>Something went wrong. Try again later.</p></body></html>\n';
const JSON_ERROR = { status: 'error', result: 'failure', errors: [{ code: '0103', text: 'General server error.' }] };

/** What is broken of one server, or of several that share it. */
export class Breaks {
  private readonly broken: z.output<typeof breakSchema> | null;
  private requests = 0;
  private solutions = 0;
  private account: string | null = null;

  /** `option`: the JSON of the hidden option; null where everything is healthy. */
  constructor(option: string | null) {
    this.broken = option === null ? null : breakSchema.parse(JSON.parse(option));
  }

  /** Stands before what the server responds with. */
  readonly handler: RequestHandler = async (request, response, next) => {
    const { broken } = this;
    if (broken === null || !this.isStep(request) || !isAnywhere(broken.kind) || !this.isNext(broken.share)) return next();
    if (broken.kind === 'emptyList') emptyLists(response);
    // A redirect that was followed carries the header too.
    const isThere = new URL(broken.to, `http://lab${request.originalUrl}`).pathname === request.path;
    if (broken.kind === 'emptyList' || (isThere && (broken.kind === 'toLogin' || broken.kind === 'backToForm'))) return next();
    // As the server does: a proxy takes a response to half a request for a broken connection.
    await readToEnd(request);
    respond(response, broken.kind, broken.to);
  };

  /** Whether this request, or whatever the server does at that place, is broken in this way. */
  is(kind: BreakKind, request?: Request): boolean {
    return this.broken?.kind === kind && (request === undefined || this.isStep(request));
  }

  /** The rule by which this request is refused; null when it is not. */
  refusal(request: Request): (typeof REFUSALS)[number] | null {
    return REFUSALS.find((kind) => this.is(kind, request)) ?? null;
  }

  /** Whether what was handed in now is evaluated: always, never, or exactly one in three. */
  evaluates(): boolean {
    this.solutions += 1;
    return !this.is('neverEvaluated') && !(this.is('thirdEvaluated') && this.solutions % 3 !== 0);
  }

  /** Whether this request is refused since it works for one account only: the first that was seen. */
  isForAnother(request: Request, account: string | number): boolean {
    if (!this.is('oneAccount', request)) return false;
    this.account ??= String(account);
    return this.account !== String(account);
  }

  private isStep(request: Request): boolean {
    const { broken } = this;
    return broken !== null && request.method === broken.method && request.get(STEP_HEADER) === broken.step;
  }

  private isNext(share: number): boolean {
    this.requests += 1;
    return Math.floor(this.requests * share) > Math.floor((this.requests - 1) * share);
  }
}

function respond(response: Response, kind: Exclude<(typeof ANYWHERE)[number], 'emptyList'>, to: string): void {
  switch (kind) {
    case 'status500':
      return void response.status(500).type('text/plain').send('Internal Server Error');
    case 'errorPage':
      return void response.type('text/html').send(ERROR_PAGE);
    case 'jsonError':
      return void response.json(JSON_ERROR);
    case 'toLogin':
    case 'backToForm':
      return response.redirect(to);
    default:
      return kind satisfies never;
  }
}

async function readToEnd(request: Request): Promise<void> {
  request.resume();
  if (!request.readableEnded) await once(request, 'end');
}

function isAnywhere(kind: BreakKind): kind is (typeof ANYWHERE)[number] {
  return ANYWHERE.some((one) => one === kind);
}

/** The response as the server makes it, with nothing in its lists. */
function emptyLists(response: Response): void {
  const [json, send] = [response.json.bind(response), response.send.bind(response)];
  response.json = (body: unknown) => json(withoutItems(body));
  response.send = (body: unknown) => send(typeof body === 'string' && /<html/i.test(body) ? withoutRows(body) : body);
}

/** Lists and tables by key become empty, and their counts 0; texts stay. */
function withoutItems(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  // By key: every member is itself an object.
  if (members.every(([, member]) => typeof member === 'object' && member !== null && !Array.isArray(member))) return {};
  return Object.fromEntries(members.map(([name, member]) => [name, withoutItems(member)]));
}

function withoutRows(page: string): string {
  return page.replaceAll(/<li[ >][\s\S]*?<\/li>|<tr[ >](?:(?!<th)[\s\S])*?<\/tr>|<option[ >][\s\S]*?<\/option>/g, '');
}
