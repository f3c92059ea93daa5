import type { FeedRows } from '#core/plan/schema/feeds.ts';
import { TARGET_WITHOUT_SLASH } from '#core/work/journey/escape.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import type { Plan, Step, TextOrSecret } from '#core/plan/schema/plan.ts';
import { targetOfStep } from '#core/plan/url.ts';
import type { Issue } from '../plan/issues.ts';

export const EXPORT_KINDS = ['k6', 'artillery', 'curl', 'ab'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const EXPORT_FILES: Readonly<Record<ExportKind, string>> = {
  k6: 'script.js',
  artillery: 'artillery.yaml',
  curl: 'curl.sh',
  ab: 'ab.sh',
};

/** Contents of the files that a plan refers to. */
export interface ExportSources {
  /** Rows by feed name. */
  readonly feeds?: Readonly<Record<string, FeedRows>>;
  /** Contents of sent files in Base64, by path. */
  readonly uploads?: Readonly<Record<string, string>>;
}

/** A file that belongs beside the export. */
export interface ExportedFile {
  /** Relative path with slashes. */
  readonly path: string;
  readonly content: string;
  readonly encoding: 'utf8' | 'base64';
}

export interface PlanExport {
  readonly kind: ExportKind;
  readonly text: string;
  readonly files: readonly ExportedFile[];
  /** Names of the environment variables that contain the secrets of the plan. */
  readonly environment: readonly string[];
  /** Differences between tool and plan, and their workarounds. */
  readonly notes: readonly string[];
}

export type ExportResult =
  | { readonly kind: 'exported'; readonly exported: PlanExport }
  /** The reasons why the tool cannot run the plan, each with a remedy. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] };

/** Remedy for tools that cannot override the addresses to which the system resolves names. */
export const PIN_IN_HOSTS_FILE = 'Remove connections.resolve, and add the address to the hosts file.';

export const REPLACE_VALUES_HINT = 'Export it for k6, or replace the values with text.';
export const UNIX_SOCKET_HINT = 'If the server also listens on a port, remove it.';
export const REDIRECT_TARGETS_NOTE = 'Where redirects lead is not checked.';
export const RESOURCES_NOTE = 'Files that pages link to are not fetched.';

/** Returns a note that the two variants of a duet do not take turns in other tools; none for a plan without a duet. */
export function listDuetNotes({ duet }: Pick<Plan, 'duet'>): string[] {
  if (duet === undefined) return [];
  const [base, head] = duet.variants.map((name) => `“${name}”`);
  return [`The duet is left out: ${base} and ${head} do not take turns, and are not compared. Run it with holdfast series.`];
}

/** Returns a note for tools that support only one of several servers. */
export function noteFirstServerOnly(servers: number): string {
  return `Requests are sent to the first of ${servers} servers.`;
}

/** The name and password that a step sends by HTTP Basic. Those of a target are constant; those of a step may have placeholders. */
export interface SentAuth {
  readonly user: string;
  readonly password: TextOrSecret;
  readonly isOfStep: boolean;
}

/** Returns the login that a step sends; null if there is no `auth`, or if its Authorization header replaces it. */
export function authOfStep(plan: Plan, step: Step): SentAuth | null {
  if (Object.keys(step.headers).some((name) => /^authorization$/i.test(name))) return null;
  if (step.auth !== undefined) return { ...step.auth, isOfStep: true };
  const auth = targetOfStep(plan, step)?.auth;
  return auth === undefined ? null : { ...auth, isOfStep: false };
}

/** Returns the headers of a target that a step sends. If the step sends an `auth`, that replaces the Authorization header. */
export function headersBesideAuth(plan: Plan, step: Step): [name: string, value: TextOrSecret][] {
  const headers = Object.entries(targetOfStep(plan, step)?.headers ?? {});
  return authOfStep(plan, step) === null ? headers : headers.filter(([name]) => !/^authorization$/i.test(name));
}

/** Returns the issue that refuses an export. The default hint is k6, which supports nearly everything. */
export function hindrance(path: string, message: string, hint = 'Export it for k6.'): Issue {
  return { level: 'error', code: 'NOT_IN_TOOL', path, message, hint };
}

/**
 * Returns the feature of a step that needs a program (Holdfast or a k6 script) instead of a list of requests, phrased as the object of
 * “needs”; null if there is none.
 */
export function needsProgram(step: Step): string | null {
  const captures = step.captures ?? [];
  const parts = step.multipart ?? [];
  if (captures.some((capture) => 'address' in capture && capture.address === true)) return 'links resolved against their page';
  if (captures.some((capture) => 'otherwise' in capture && capture.otherwise !== undefined))
    return 'a fallback for what a page does not contain';
  if (parts.some((part) => 'valueByEnding' in part)) return 'a field that depends on a file name';
  if (parts.some((part) => 'optional' in part && part.optional === true)) return 'a field that is omitted when empty';
  if (parts.some((part) => 'each' in part && part.each !== undefined)) return 'one file per list item';
  if (step.explains !== undefined) return 'a request that asks why a step failed';
  return namesOfStep(step).includes(TARGET_WITHOUT_SLASH) ? 'the target address without its final slash' : null;
}
