import { readFile } from 'node:fs/promises';
import { HoldfastError, type Problem, toProblem } from '#core/base/errors.ts';
import { compareOrigins } from '#core/base/origins.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import { listAllAsks } from '#core/review/asks/ask.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import { connectionSettings } from '#core/plan/url.ts';
import type { Client } from '#contract/rpc/client.ts';
import { type CliContext, withClient } from '../context.ts';
import { cookieValue, type KeepSecret, readHeaders, secretSource, type WrittenReference } from '../input/secrets.ts';
import { listIssues, optionError, invalidPlan } from '../output/problems.ts';
import type { Consent } from '../input/consent.ts';
import { type SinkFlags, sinkOptions } from '../input/metricsSink.ts';
import type { Settings } from './settings.ts';
import { sessionReference } from '#core/plan/secretReference.ts';

/** Hint for a login page on another server. */
export const LOGIN_OF_SAME_SERVER = 'Its cookies are sent to the site. Enter a page of that same server, over https where the form is.';

/** Cookie and headers that grant access, as references only. */
export interface Access {
  readonly cookie: TextOrSecret | undefined;
  readonly headers: Record<string, TextOrSecret>;
}

type AccessContext = Pick<CliContext, 'currentDirectory' | 'environment' | 'hiddenInput'>;

/** Converts cookies and headers from the command line to plan values. */
export async function readAccess(
  texts: { readonly cookies: readonly string[]; readonly headers: readonly string[] },
  context: AccessContext,
  keep: KeepSecret,
): Promise<Access> {
  return {
    cookie: await cookieValue(texts.cookies, context.currentDirectory, keep),
    headers: await readHeaders(texts.headers, { ...context, keep }),
  };
}

/** Returns the problems of all cookies and headers, before the backend is opened. */
export async function accessIssues(
  texts: { readonly cookies: readonly string[]; readonly headers: readonly string[] },
  context: AccessContext,
): Promise<Issue[]> {
  const discardSecret: KeepSecret = async () => ({ secret: sessionReference('none') });
  const { currentDirectory, environment } = context;
  const problems = await Promise.all([
    findProblem(cookieValue(texts.cookies, currentDirectory, discardSecret)),
    findProblem(readHeaders(texts.headers, { currentDirectory, environment, keep: discardSecret })),
  ]);
  return problems.flatMap((problem) => {
    if (problem === null) return [];
    const issues = listIssues(problem);
    const { code, message, hint } = problem;
    return issues.length > 0 ? issues : [{ level: 'error', code, path: '', message, hint }];
  });
}

async function findProblem(reading: Promise<unknown>): Promise<Problem | null> {
  return reading.then(() => null, toProblem);
}

export function createSecretKeeper(client: Client): KeepSecret {
  return async (value) => client.call('secrets.keep', { value });
}

/**
 * Builds the plan of one address with its access, and passes it to `use`. Throws all issues at once, including the given ones, before
 * anything is opened.
 */
export async function withPlanOfUrl(
  build: (access: Access) => { readonly plan: Plan | null; readonly issues: readonly Issue[] },
  flags: SinkFlags & { readonly cookie: readonly string[]; readonly header: readonly string[] },
  issues: readonly Issue[],
  context: CliContext,
  use: (plan: Plan, client: Client) => Promise<void>,
): Promise<void> {
  const texts = { cookies: flags.cookie, headers: flags.header };
  const draft = build(NO_ACCESS);
  const unusable = [...issues, ...(await accessIssues(texts, context))];
  if (draft.plan === null || unusable.length > 0) throw invalidPlan([...unusable, ...draft.issues]);
  return withClient(
    context,
    async (client) => {
      const { plan, issues: open } = build(await readAccess(texts, context, createSecretKeeper(client)));
      if (plan === null) throw invalidPlan(open);
      return use(plan, client);
    },
    sinkOptions(flags),
  );
}

/** No cookie and no headers, for exports, descriptions and drafts, which need none. */
export const NO_ACCESS: Access = { cookie: undefined, headers: {} };

/**
 * Logs in if the settings contain a name and a password and the user agrees to what the plan needs. Uses the login page from the settings,
 * or else the first target, and prints the page if it is not the target. Returns the cookie.
 */
export async function logIn(
  settings: Settings,
  plan: Plan,
  consent: Pick<Consent, 'agreeToPlan' | 'agreeToAsks'>,
  context: AccessContext & Pick<CliContext, 'err'>,
  client: Client,
): Promise<TextOrSecret | undefined> {
  if (settings.username === undefined || settings.password === undefined) return undefined;
  const target = plan.targets[0]?.url ?? '';
  const url = settings.loginAt ?? target;
  if (!mayShareLogin(url, target)) throw optionError(`A login at ${url} does not apply to ${target}.`, LOGIN_OF_SAME_SERVER);
  const agreedKeys = [
    ...(await consent.agreeToPlan({ plan }, client)),
    ...(await consent.agreeToAsks(listAllAsks({ targets: [{ url }] }))),
  ];
  const password = await plainText(settings.password, context);
  const { cookie, movedTo, explanation } = await client.call('targets.login', {
    url,
    username: settings.username,
    password,
    agreed: agreedKeys,
    ...connectionSettings(plan),
  });
  if (movedTo !== null) await context.err.write(`holdfast: ${explanation}\n`);
  return cookie;
}

/** Returns whether cookies from the login page may be sent to the target. */
export function mayShareLogin(loginAt: string, address: string): boolean {
  if (!URL.canParse(loginAt) || !URL.canParse(address)) return false;
  return ['same', 'sameSite'].includes(compareOrigins(new URL(loginAt), new URL(address)));
}

/** Resolves `@file`, `env:NAME` and `ask:LABEL` for a value that is needed before the run. */
export async function plainText(text: string, context: AccessContext): Promise<string> {
  const source = secretSource(text, context.currentDirectory);
  if (source.from === 'text') return source.text;
  const value = await readValue(source.parts, context);
  if (value !== undefined) return value;
  const { parts } = source;
  throw new HoldfastError({
    code: 'SECRET_MISSING',
    message: `${source.reference} has no value.`,
    hint: parts.kind === 'env' ? `Set the variable ${parts.name} and export it.` : 'Check the name of the file and its read permission.',
  });
}

async function readValue(parts: WrittenReference, { environment, hiddenInput }: AccessContext): Promise<string | undefined> {
  switch (parts.kind) {
    case 'env':
      return getOwn(environment, parts.name);
    case 'ask':
      return hiddenInput(parts.label);
    case 'file':
      return readFile(parts.path, 'utf8').then(
        (content) => content.replace(/\r?\n$/, ''),
        () => undefined,
      );
    default:
      return parts satisfies never;
  }
}
