import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { LabOption } from '#core/base/lab/listing.ts';

/** The possible defects. The first six work on any server; servers check the others where they apply. */
const GENERAL_BREAKS = ['status500', 'errorPage', 'emptyList', 'toLogin', 'backToForm', 'jsonError'] as const;
const REFUSALS = ['tooFrequent', 'closed', 'spent'] as const;
export const BREAK_KINDS = [...GENERAL_BREAKS, 'swallow', 'neverEvaluated', 'thirdEvaluated', ...REFUSALS, 'oneAccount'] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/** Header in which a test load names its steps. */
export const STEP_HEADER = 'x-practice-step';

/** Returns the header's value for a step. Holdfast redacts header values in its texts, so a step name alone would be redacted too. */
export function stepHeaderValue(step: string): string {
  return `step:${step}`;
}

const breakSchema = z.strictObject({
  /** The step named in the request's header. It is needed because requests to one address may belong to different steps. */
  step: z.string(),
  method: z.string().default('GET'),
  kind: z.enum(BREAK_KINDS),
  /** Share of the step's requests that fail, counted exactly. */
  share: z.number().gt(0).max(1).default(1),
  /** Target of a redirect, relative to the address of the request. */
  to: z.string().default('/'),
});
export type Break = z.input<typeof breakSchema>;

/** A single defect of an otherwise healthy server. The option is hidden, because only stories about defects set it. */
export const breakOption = { kind: 'hidden', label: 'What is broken', help: '', fault: true, default: null } as const satisfies LabOption;

const ERROR_PAGE =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Error</title></head><body><h1>Error</h1><p>Something went wrong. Try again later.</p></body></html>\n';
const JSON_ERROR = { status: 'error', result: 'failure', errors: [{ code: '0103', text: 'General server error.' }] };

/** The defect of a server, or of several servers that share it. */
export class Breaks {
  private readonly broken: z.output<typeof breakSchema> | null;
  private requests = 0;
  private solutions = 0;
  private account: string | null = null;

  /** `option` is the JSON of the hidden option; null for a healthy server. */
  constructor(option: string | null) {
    this.broken = option === null ? null : breakSchema.parse(JSON.parse(option));
  }

  /** Runs before the handlers of the server. */
  readonly handler: RequestHandler = async (request, response, next) => {
    const { broken } = this;
    if (broken === null || !this.isBrokenStep(request) || !isAnywhere(broken.kind) || !this.isNextFailure(broken.share)) return next();
    if (broken.kind === 'emptyList') emptyLists(response);
    // A client that follows a redirect sends the header again, so the target must not redirect to itself. A submitted form is never the
    // target.
    const isThere = request.method === 'GET' && new URL(broken.to, `http://lab${request.originalUrl}`).pathname === request.path;
    if (broken.kind === 'emptyList' || (isThere && (broken.kind === 'toLogin' || broken.kind === 'backToForm'))) return next();
    // Reads the whole request, as a healthy server would, because a proxy treats an early response as a broken connection.
    await readToEnd(request);
    respond(response, broken.kind, broken.to);
  };

  /** Returns whether a request or, without one, the caller's own behaviour has this defect. */
  isBroken(kind: BreakKind, request?: Request): boolean {
    return this.broken?.kind === kind && (request === undefined || this.isBrokenStep(request));
  }

  /** Returns the rule that refuses this request, or null. */
  refusal(request: Request): (typeof REFUSALS)[number] | null {
    return REFUSALS.find((kind) => this.isBroken(kind, request)) ?? null;
  }

  /** Returns whether the current submission is evaluated. Depending on the defect, that is always, never, or once in three times. */
  evaluates(): boolean {
    this.solutions += 1;
    return !this.isBroken('neverEvaluated') && !(this.isBroken('thirdEvaluated') && this.solutions % 3 !== 0);
  }

  /** Returns whether this request is refused because the server works only for the first account it saw. */
  isOtherAccount(request: Request, account: string | number): boolean {
    if (!this.isBroken('oneAccount', request)) return false;
    this.account ??= String(account);
    return this.account !== String(account);
  }

  private isBrokenStep(request: Request): boolean {
    const { broken } = this;
    return broken !== null && request.method === broken.method && request.get(STEP_HEADER) === stepHeaderValue(broken.step);
  }

  private isNextFailure(share: number): boolean {
    this.requests += 1;
    return Math.floor(this.requests * share) > Math.floor((this.requests - 1) * share);
  }
}

function respond(response: Response, kind: Exclude<(typeof GENERAL_BREAKS)[number], 'emptyList'>, to: string): void {
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

function isAnywhere(kind: BreakKind): kind is (typeof GENERAL_BREAKS)[number] {
  return GENERAL_BREAKS.some((one) => one === kind);
}

/** Makes the server's own response contain only empty lists. */
function emptyLists(response: Response): void {
  const [json, send] = [response.json.bind(response), response.send.bind(response)];
  response.json = (body: unknown) => json(withoutItems(body));
  response.send = (body: unknown) => send(typeof body === 'string' && /<html/i.test(body) ? withoutRows(body) : body);
}

/** Empties lists and keyed tables, and sets counts to 0. Texts are kept. */
function withoutItems(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  // A value whose members are all objects is a keyed table.
  if (members.every(([, member]) => typeof member === 'object' && member !== null && !Array.isArray(member))) return {};
  return Object.fromEntries(members.map(([name, member]) => [name, withoutItems(member)]));
}

function withoutRows(page: string): string {
  return page.replaceAll(/<li[ >][\s\S]*?<\/li>|<tr[ >](?:(?!<th)[\s\S])*?<\/tr>|<option[ >][\s\S]*?<\/option>/g, '');
}
