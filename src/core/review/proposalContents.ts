import { REDACTED } from '#core/base/redact.ts';
import { countOf, formatCount } from '#core/base/units.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import { mapTexts, showReferences } from '#core/plan/hiddenText.ts';
import { sessionReference } from '#core/plan/secretReference.ts';
import { type Plan, planSchema, type Step, type TextOrSecret } from '#core/plan/schema/plan.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';

/** Maximum number of listed parts. The digest of a proposal also covers those that are not listed. */
const MAX_CONTENTS = 60;

/** Data that a load generator gets beside the plan. */
export interface SentData {
  readonly feeds: Readonly<Record<string, FeedRows>>;
  /** Contents of files in Base64, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Replaces everything that may be a secret by a mark. References to secrets stay. */
export function maskPlan(plan: Plan): Plan {
  return planSchema.parse(
    mapTexts(
      hideSecrets(plan, () => sessionReference('hidden')),
      showReferences,
    ),
  );
}

/** Returns the queries, headers and bodies of a masked plan, one per line. The last line of a long list counts those left out. */
export function listContents({ targets, namedTargets = {}, journey }: Plan): string[] {
  const servers = [...targets.map((target) => ['every request', target] as const), ...Object.entries(namedTargets)];
  return shorten([
    ...servers.flatMap(([name, { headers, cookie, auth }]) => [
      ...headerLines(name, headers),
      ...(cookie === undefined ? [] : [`${name}, cookie: ${textOf(cookie)}`]),
      ...userLines(name, auth),
    ]),
    ...journey.flatMap((step) => stepLines(step)),
  ]);
}

/** Returns what the data of a load consists of: counts and names, without values. */
export function listData({ feeds, files }: SentData): string[] {
  return shorten([
    ...Object.entries(feeds).map(([name, { columns, rows }]) => `${name}: ${countOf(rows.length, 'row')} of ${columns.join(', ')}`),
    ...Object.entries(files).map(([path, base64]) => `file ${path}: ${formatCount(Math.floor((base64.length * 3) / 4))} B`),
  ]);
}

function stepLines({ name, headers, auth, query, body, bodyFile, form, multipart, json }: Step): string[] {
  return [
    ...(query === undefined ? [] : [`${name}, query: ${fieldsText(query)}`]),
    ...headerLines(name, headers),
    ...userLines(name, auth),
    ...(body === undefined ? [] : [`${name}, body: ${textOf(body)}`]),
    ...(bodyFile === undefined ? [] : [`${name}, body: file ${bodyFile}`]),
    ...(form === undefined ? [] : [`${name}, form: ${fieldsText(form)}`]),
    ...(multipart === undefined ? [] : [`${name}, form: ${JSON.stringify(multipart)}`]),
    ...(json === undefined ? [] : [`${name}, body: ${JSON.stringify(json)}`]),
  ];
}

function userLines(name: string, auth: { readonly user: string } | undefined): string[] {
  return auth === undefined ? [] : [`${name}, user ${auth.user} with a password`];
}

function headerLines(name: string, headers: Readonly<Record<string, TextOrSecret>>): string[] {
  return Object.entries(headers).map(([header, value]) => `${name}, header ${header}: ${textOf(value)}`);
}

function fieldsText(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function textOf(value: TextOrSecret): string {
  return typeof value === 'string' ? value : REDACTED;
}

function shorten(lines: readonly string[]): string[] {
  const more = lines.length - MAX_CONTENTS;
  return more <= 0 ? [...lines] : [...lines.slice(0, MAX_CONTENTS), `and ${formatCount(more)} more`];
}
