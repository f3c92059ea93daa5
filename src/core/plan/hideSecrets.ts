import { hasPlaceholders } from './secrets.ts';
import type { PlanCommand } from './schema/populate.ts';
import { hideReference, mapTexts } from './hiddenText.ts';
import {
  isHarmlessHeader,
  isSecretField,
  isSecretHeader,
  looksRandom,
  ISSUER_TOKEN_PATTERN,
  replaceBodySecrets,
  replaceCommandSecrets,
  replaceFieldSecrets,
} from './secretShapes.ts';
import { type Plan, planSchema, type Step, type TextOrSecret } from './schema/plan.ts';
import { secretSchema } from './schema/url.ts';
import type { WatchPage } from './schema/watchPages.ts';
import { SESSION_PATTERN, sessionReference } from './secretReference.ts';

declare const storable: unique symbol;
/** A document without secrets in plain text, as far as they can be detected. Only such documents may be stored. */
export type StorableDocument<Document> = Document & { readonly [storable]: true };

/** Stores a value in memory and returns its reference. */
export type StoreSecret = (value: string) => string;

/**
 * Replaces parts of a plan that may be secrets in plain text by references. A whole header, cookie or connection becomes `{secret: …}`; in
 * other texts, the secret part becomes hidden text. Secrets are recognized by the name of a header, field, parameter or variable, or by the
 * prefixes of issuers. Headers and cookies are secret unless known to be harmless.
 */
export function hideSecrets(plan: Plan, keep: StoreSecret): StorableDocument<Plan> {
  const hide = hideWith(keep);
  const { namedTargets, monitors, stored, populate, variables, watch, watchPages, answers } = plan;
  const hidden = {
    ...plan,
    targets: plan.targets.map((target) => hideTarget(target, hide)),
    ...(namedTargets && {
      namedTargets: Object.fromEntries(Object.entries(namedTargets).map(([name, target]) => [name, hideTarget(target, hide)])),
    }),
    journey: plan.journey.map((step) => hideStep(step, hide)),
    ...(watch && { watch: watch.map((one) => ({ ...one, url: hide.address(one.url) })) }),
    ...(watchPages && { watchPages: watchPages.map((page) => hideWatchPage(page, hide)) }),
    ...(monitors && { monitors: monitors.map((monitor) => hideConnection(monitor, hide)) }),
    ...(stored && { stored: stored.map((count) => hideConnection(count, hide)) }),
    ...(variables && { variables: hideVariables(variables, hide) }),
    ...(answers && { answers: hideAnswers(answers, hide) }),
    ...(populate && {
      populate: {
        ...populate,
        ...(populate.journey && { journey: populate.journey.map((step) => hideStep(step, hide)) }),
        ...(populate.command && { command: hideCommand(populate.command, hide) }),
        ...(populate.removeCommand && { removeCommand: hideCommand(populate.removeCommand, hide) }),
        ...(populate.remove && { remove: populate.remove.map((step) => hideStep(step, hide)) }),
      },
    }),
  };
  // Certificates are public, but they may contain text that resembles a secret.
  const marked = { ...planSchema.parse(mapTexts(hidden, hide.marked)), tls: plan.tls };
  return markStorable(marked);
}

/** Hides only the secrets of targets, for a variant of a series. */
export function hideTargets(targets: Plan['targets'], keep: StoreSecret): Plan['targets'] {
  const hide = hideWith(keep);
  return targets.map((target) => hideTarget(target, hide));
}

/** Returns whether the plan contains a secret in plain text, as far as this can be detected. */
export function holdsSecret(plan: Plan): boolean {
  let found = false;
  hideSecrets(plan, () => {
    found = true;
    return sessionReference('found');
  });
  return found;
}

export function hideInAddress(address: string, replace: (secret: string) => string): string {
  return hideWith((secret) => secret, replace).address(address);
}

/** Marks a document as storable. It must consist of storable plans and contain no other secrets. */
export function markStorable<Document>(document: Document): StorableDocument<Document> {
  // This is the only cast to the branded type.
  return document as StorableDocument<Document>;
}

interface Hider {
  /** Hides a whole text except its placeholders. */
  text(text: string): string;
  /** Converts a whole text without placeholders to a reference. */
  whole(value: TextOrSecret): TextOrSecret;
  header(name: string, value: TextOrSecret): TextOrSecret;
  field(name: string, value: string): string;
  /** Hides query parameters with names of secrets, and random path parts after such a name. */
  address(address: string): string;
  body(text: string): string;
  json(value: Step['json'], isSecret?: boolean): Step['json'];
  /** Hides tokens with an issuer's prefix anywhere in a text. */
  marked(text: string): string;
}

const TEMPLATE_PATTERN = new RegExp(
  String.raw`((?<!\\)\{\{\s*(?:[A-Za-z_][\w-]*(?:\.[\w.-]+)?\s*(?:\|\s*raw\s*)?|${SESSION_PATTERN}(?:\|raw)?)\}\})`,
);
const SCHEME_PATTERN = /^(\s*(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey)\s+)(.*)$/is;
const COOKIE_VALUE_PATTERN = /(^|=)([^;=]+)(?=;|$)/g;

function hideWith(keep: StoreSecret, written: (reference: string) => string = hideReference): Hider {
  const kept = new Map<string, string>();
  const reference = (value: string): string => {
    const known = kept.get(value) ?? keep(value);
    kept.set(value, known);
    return known;
  };
  /** Replaces the text between placeholders. Text without letters and digits stays unchanged. */
  const replaceLiterals = (text: string, replace: (literal: string) => string): string =>
    text
      .split(TEMPLATE_PATTERN)
      .map((part, index) => (index % 2 === 1 || !/[\p{L}\p{N}]/u.test(part) ? part : replace(part)))
      .join('');
  const hideLiteral = (literal: string): string => literal.replace(/\S(?:.*\S)?/s, (secret) => written(reference(secret)));
  const hide: Hider = {
    text: (text) => replaceLiterals(text, hideLiteral),
    whole: (value) => {
      if (typeof value !== 'string' || value === '') return value;
      // References are sent literally, so a value with placeholders must stay text.
      return value.includes('{{') ? hide.text(value) : { secret: reference(value) };
    },
    header(name, value) {
      if (typeof value !== 'string' || value === '') return value;
      if (isHarmlessHeader(name)) return hide.address(value);
      if (!TEMPLATE_PATTERN.test(value)) return hide.whole(value);
      if (!isSecretHeader(name, value)) return value;
      if (/^cookie$/i.test(name))
        return replaceLiterals(value, (literal) =>
          literal.replaceAll(COOKIE_VALUE_PATTERN, (_whole, before: string, one: string) => before + hideLiteral(one)),
        );
      const [, scheme = '', rest = value] = SCHEME_PATTERN.exec(value) ?? [];
      return scheme + hide.text(rest);
    },
    field: (name, value) => (isSecretField(name, value) ? hide.text(value) : value),
    address(address) {
      const [, path = '', query = '', rest = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
      const parts = path
        .split('/')
        .map((part, index, all) => (looksRandom(part) && isSecretField(all[index - 1] ?? '') ? hide.text(part) : part));
      return parts.join('/') + replaceFieldSecrets(query, hide.text) + rest;
    },
    body(text) {
      const { text: shown, isSecretLeft } = replaceBodySecrets(text, hide.text);
      // If a secret is left in the body, the whole body is treated as secret.
      return isSecretLeft && !hasPlaceholders(text) ? hide.text(text) : shown;
    },
    json(value, isSecret = false) {
      if (typeof value === 'string') return isSecret ? hide.text(value) : value;
      if (typeof value === 'number')
        return isSecret && value >= 1_000 ? hideReference(reference(String(value)), { isNumber: true }) : value;
      if (Array.isArray(value)) return value.map((item) => hide.json(item, isSecret) ?? null);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => {
          // A number may have a name such as max_tokens without being a secret, so only few names make a number secret.
          const isNamed = typeof item === 'number' ? /pass|pwd|secret|pin$/i.test(name) : isSecretField(name);
          return [name, hide.json(item, isSecret || isNamed) ?? null];
        }),
      );
    },
    marked: (text) => text.replaceAll(ISSUER_TOKEN_PATTERN, (secret) => hideReference(reference(secret))),
  };
  return hide;
}

function hideTarget(target: Plan['targets'][number], hide: Hider): Plan['targets'][number] {
  return {
    ...target,
    url: hide.address(target.url),
    headers: hideHeaders(target.headers, hide),
    ...(target.cookie === undefined ? {} : { cookie: hide.header('Cookie', target.cookie) }),
    ...(target.auth && { auth: { ...target.auth, password: hide.header('Authorization', target.auth.password) } }),
  };
}

/** Hides the texts that a visitor enters into fields. Each may be a password, because forms may be in any language. */
function hideWatchPage(page: WatchPage, hide: Hider): WatchPage {
  return {
    ...page,
    url: hide.address(page.url),
    ...(page.steps && {
      steps: page.steps.map((step) => ({
        ...step,
        ...(step.url !== undefined && { url: hide.address(step.url) }),
        ...(step.fill && { fill: hideFilled(step.fill, hide) }),
      })),
    }),
  };
}

function hideFilled(fill: Readonly<Record<string, string>>, hide: Hider): Record<string, string> {
  const fields = Object.entries(fill);
  return Object.fromEntries(fields.map(([name, value]) => [name, fields.length > 1 ? hide.text(value) : hide.field(name, value)]));
}

function hideHeaders(headers: Step['headers'], hide: Hider): Step['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide.header(name, value)]));
}

function hideStep(step: Step, hide: Hider): Step {
  const { query, body, form, multipart, captures, json, redirects, stream } = step;
  const fields = (all: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, hide.field(name, value)]));
  return {
    ...step,
    path: hide.address(step.path),
    headers: hideHeaders(step.headers, hide),
    ...(query && { query: fields(query) }),
    ...(form && { form: fields(form) }),
    ...(typeof body === 'string' && { body: hide.body(body) }),
    ...(multipart && {
      multipart: multipart.map((part) => {
        if ('value' in part) return { ...part, value: hide.field(part.name, part.value) };
        if (!('valueByEnding' in part)) return part;
        const texts = Object.entries(part.valueByEnding).map(([ending, text]) => [ending, hide.field(part.name, text)]);
        return { ...part, valueByEnding: Object.fromEntries(texts) };
      }),
    }),
    ...(captures && {
      captures: captures.map((capture) => {
        if (capture.from === 'form')
          return { ...capture, ...(capture.text !== undefined && { text: hide.field(capture.field, capture.text) }) };
        return 'otherwise' in capture && capture.otherwise !== undefined
          ? { ...capture, otherwise: hide.field(capture.as, capture.otherwise) }
          : capture;
      }),
    }),
    ...(step.auth && { auth: { ...step.auth, password: hide.field('password', step.auth.password) } }),
    ...(redirects?.to && { redirects: { ...redirects, to: redirects.to.map((target) => hide.address(target)) } }),
    ...(json !== undefined && { json: hide.json(json) }),
    ...(stream?.send && { stream: { ...stream, send: { ...stream.send, messages: stream.send.messages.map((text) => hide.body(text)) } } }),
    checks: step.checks.map((check) => hideExpected(check, hide)),
    ...(step.poll && { poll: { ...step.poll, until: step.poll.until.map((check) => hideExpected(check, hide)) } }),
  };
}

/** Hides the expected text of a JSON check whose path ends in the name of a secret, such as `$.token`. */
function hideExpected(check: Step['checks'][number], hide: Hider): Step['checks'][number] {
  if (check.kind !== 'json' || typeof check.equals !== 'string') return check;
  const name = /([\w-]+)["'\]]*$/.exec(check.path)?.[1] ?? '';
  return { ...check, equals: hide.field(name, check.equals) };
}

function hideVariables(variables: NonNullable<Plan['variables']>, hide: Hider): NonNullable<Plan['variables']> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      variable.kind === 'item'
        ? { ...variable, of: variable.of.map((item) => (typeof item === 'string' ? hide.field(name, item) : item)) }
        : variable,
    ]),
  );
}

/** Hides secrets in answers to questions. Multi-line answers are addresses, one per line; references stay unchanged. */
function hideAnswers(answers: NonNullable<Plan['answers']>, hide: Hider): NonNullable<Plan['answers']> {
  const hidden = (name: string, text: string): string =>
    secretSchema.shape.secret.safeParse(text).success ? text : hide.field(name, text.split('\n').map(hide.address).join('\n'));
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, typeof answer === 'string' ? hidden(name, answer) : answer]),
  );
}

function hideConnection<Part extends NonNullable<Plan['monitors']>[number] | NonNullable<Plan['stored']>[number]>(
  part: Part,
  hide: Hider,
): Part {
  return {
    ...part,
    ...('connection' in part && { connection: hide.whole(part.connection) }),
    ...('password' in part && part.password !== undefined && { password: hide.whole(part.password) }),
    ...('url' in part && { url: hide.address(part.url) }),
    ...('address' in part && { address: hide.address(part.address) }),
    ...('command' in part && { command: hideCommand(part.command, hide) }),
    ...('sql' in part && {
      sql: part.sql.replaceAll(/((\w+)\s*=\s*)'([^']+)'/g, (whole, before: string, name: string, value: string) =>
        isSecretField(name) ? `${before}'${hide.text(value)}'` : whole,
      ),
    }),
  };
}

function hideCommand(command: PlanCommand, hide: Hider): PlanCommand {
  return { ...command, run: replaceCommandSecrets(command.run, hide.text) };
}
