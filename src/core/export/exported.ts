import type { FeedRows } from '#core/plan/schema/feeds.ts';
import { TARGET_WITHOUT_SLASH } from '#core/work/journey/escape.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import type { Issue } from '../plan/issues.ts';

/** What plans can be written as, for other tools. */
export const EXPORT_KINDS = ['k6', 'artillery', 'curl', 'ab'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Usual name of a file that holds it. */
export const EXPORT_FILES: Readonly<Record<ExportKind, string>> = {
  k6: 'script.js',
  artillery: 'artillery.yaml',
  curl: 'curl.sh',
  ab: 'ab.sh',
};

/** What of a plan lies in files, as reading them gave it. */
export interface ExportSources {
  /** Rows of feeds by the names of the feeds. */
  readonly feeds?: Readonly<Record<string, FeedRows>>;
  /** Contents of the files that steps send, as Base64 by their paths. */
  readonly uploads?: Readonly<Record<string, string>>;
}

/** A file that has to lie beside what was exported. */
export interface ExportedFile {
  /** Relative to it, with slashes. */
  readonly path: string;
  readonly content: string;
  readonly encoding: 'utf8' | 'base64';
}

export interface Exported {
  readonly kind: ExportKind;
  readonly text: string;
  readonly files: readonly ExportedFile[];
  /** Names of the environment variables from which it takes secrets. */
  readonly environment: readonly string[];
  /** What the tool does otherwise than the plan says, and what was done instead. */
  readonly notes: readonly string[];
}

export type ExportResult =
  | { readonly kind: 'exported'; readonly exported: Exported }
  /** Why the tool cannot stand for the plan: all reasons, each with what to do. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] };

/** For tools that cannot override the addresses that the system returns. */
export const PIN_IN_HOSTS_FILE = 'Remove connections.resolve, and add the address to the hosts file.';

export const WRITE_VALUES_OUT = 'Export it for k6, or replace the values with text.';
/** Of a Unix socket. */
export const LISTENS_ON_PORT = 'If the server also listens on a port, remove it.';
export const UNREQUIRED_TARGETS = 'Where redirects lead is not checked.';
export const NO_RESOURCES = 'Files that pages link to are not fetched.';

/** For tools that ask one server, and a plan that has several. */
export function firstIsAsked(servers: number): string {
  return `Requests are sent to the first of ${servers} servers.`;
}

/** Why a plan cannot be exported, one reason. k6 can be told nearly everything. */
export function hindrance(path: string, message: string, hint = 'Export it for k6.'): Issue {
  return { level: 'error', code: 'NOT_IN_TOOL', path, message, hint };
}

/** What a step needs that takes a program to say (Holdfast, a script of k6) and no list of requests, in words that can follow “needs”; null when it needs nothing of the kind. */
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
