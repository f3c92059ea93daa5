import { decode } from '#core/base/redact.ts';

const SECRET_HEADER_PATTERN =
  /authorization|cookie|token|(^|-)key$|api-?key|secret|password|session|csrf|xsrf|credential|signature|^x-auth/i;
const SECRET_FIELD_PATTERN =
  /(?<!by|com|over|sur|tres|under)pass(word|wd|code|phrase)?s?$|pwd|secret|token|(api|access|private)[-_]?key|credential|csrf|xsrf|authorization|^(x[-_])?auth$|^pin$|^sig(nature)?$|session[-_]?(id|key)$|^sid$|^login_data$/i;
/** Matches a JSON Web Token, or a value after an authentication scheme. */
const SECRET_VALUE_PATTERN = /^(?:eyJ[\w-]{8,}\.|Bearer |Basic |Token )/;

/** Matches tokens with an issuer's prefix: JSON Web Tokens, and keys of GitHub, GitLab, Slack, Stripe, OpenAI, AWS and Google. */
export const ISSUER_TOKEN_PATTERN =
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|\b(?:gh[opsru]_|github_pat_|glpat-|xox[abeprs]-|[rs]k_(?:live|test)_|sk-|AKIA|ya29\.|AIza)[\w-]{12,}/g;

export function isSecretHeader(name: string, value: string): boolean {
  return SECRET_HEADER_PATTERN.test(name) || SECRET_VALUE_PATTERN.test(value);
}

/** Matches the value of a checkbox, such as `pwd_empty=0` of Plone. */
const FLAG_PATTERN = /^(?:[01]|true|false|on|off|yes|no)$/i;

/** Returns whether a form field, query parameter or JSON member is secret, by its name and optional value. */
export function isSecretField(name: string, value = ''): boolean {
  return SECRET_FIELD_PATTERN.test(name) && !FLAG_PATTERN.test(value);
}

const PASSWORD_FIELD_PATTERN = /(?<!by|com|over|sur|tres|under)(?:pass(?:word|wd|code|phrase)?|pwd)(?:_\d+)?\]?$/i;

/** Returns whether a field contains the password of an account, such as `user[password]`, by its name and optional value. */
export function isPasswordField(name: string, value = ''): boolean {
  return PASSWORD_FIELD_PATTERN.test(name) && !FLAG_PATTERN.test(value);
}

/** Returns whether a text looks like a random token: 16 or more letters and digits. */
export function looksRandom(text: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w~+=-]{16,}$/.test(text);
}

/** Headers whose values are never secret. All other headers are treated as secret. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-type',
  'dnt',
  'host',
  'if-modified-since',
  'if-none-match',
  'origin',
  'pragma',
  'range',
  'referer',
  'traceparent',
  'user-agent',
  'x-requested-with',
]);

export function isHarmlessHeader(name: string): boolean {
  return HARMLESS_HEADERS.has(name.trim().toLowerCase());
}

type ReplaceSecret = (secret: string) => string;

/**
 * Replaces each value that has the name of a secret in a body of any known format. `isSecretLeft`: a secret remains in an unknown format.
 */
export function replaceBodySecrets(body: string, replace: ReplaceSecret): { readonly text: string; readonly isSecretLeft: boolean } {
  const text = BODY_REPLACERS.reduce((now, shape) => shape(now, replace), body);
  return { text, isSecretLeft: SECRET_LEFT_PATTERN.test(text) };
}

/** Replaces secrets in bodies with named values: forms, JSON, XML elements and attributes, multipart forms. */
const BODY_REPLACERS: readonly ((text: string, hide: ReplaceSecret) => string)[] = [
  (text, hide) => (/^[^\s=&{<"]+=/.test(text) ? replaceFieldSecrets(text, hide) : text),
  (text, hide) =>
    text.replaceAll(
      /("((?:[^"\\]|\\.){1,200})"\s*:\s*)("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\d{4,})/g,
      (whole, before: string, name: string, value: string) => (isSecretField(name) ? before + hideQuoted(value, hide) : whole),
    ),
  (text, hide) =>
    text.replaceAll(
      /(<(?:[\w.-]{1,100}:)?([\w.-]{1,100})(?:\s[^<>]*)?>)([^<]+)(?=<\/)/g,
      (whole, before: string, name: string, value: string) => (isSecretField(name) ? before + hide(value) : whole),
    ),
  (text, hide) =>
    text.replaceAll(
      /(\s([\w.-]{1,100})=)(?:"([^"<]*)"|'([^'<]*)')/g,
      (whole, before: string, name: string, double?: string, single?: string) => {
        if (!isSecretField(name)) return whole;
        return double === undefined ? `${before}'${hide(single ?? '')}'` : `${before}"${hide(double)}"`;
      },
    ),
  (text, hide) =>
    text.replaceAll(/(name="([^"\r\n]{1,200})"\r?\n\r?\n)([^\r\n]+)/g, (whole, before: string, name: string, value: string) =>
      isSecretField(name) ? before + hide(value) : whole,
    ),
];
/** Matches a secret's name with a value in an unknown format. */
const SECRET_LEFT_PATTERN =
  /(?:(?<!by|com|over|sur|tres|under)pass(?:word|wd|code)?|pwd|secret|token|api_?key|credential|login_data)["']?\s*[=:]\s*["']?(?!["'{[]|\{\{|null|true|false)[^\s"'&,;]/i;

/** Hides `"text"`, `1234` or `["a", "b"]` of JSON. */
function hideQuoted(value: string, hide: ReplaceSecret): string {
  if (/^\d/.test(value)) return hide(value);
  return value.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_whole, inner: string) => `"${hide(inner)}"`);
}

/** Replaces secret values in `?name=value&name=value`, with or without the question mark. */
export function replaceFieldSecrets(fields: string, hide: ReplaceSecret): string {
  return fields.replaceAll(/([^?&=]+)=([^&]+)/g, (whole, name: string, value: string) =>
    isSecretField(decode(name)) ? `${name}=${hide(value)}` : whole,
  );
}

/** Match secrets in a shell command line: options and variables with names of secrets, headers, and `user:password@` in an address. */
const COMMAND_SECRET_PATTERNS: readonly RegExp[] = [
  /(--?(?:[\w-]*(?:password|passwd|token|secret|api-?key|credentials?)|pass|pwd)[= ]["']?)((?![$"'-])[^\s"';|&]+)/gi,
  /(\b\w*(?:PASSWORD|PASSWD|_PWD|TOKEN|SECRET|API_?KEY)=["']?)((?![$"'])[^\s"';|&]+)/gi,
  /((?:authorization|cookie|[\w-]*(?:token|api-?key|secret)):\s*(?:(?:bearer|basic|token)\s+)?)((?![$\s])[^"'\s]+)/gi,
  /(:\/\/[^\s/:@"']*:)((?!\$)[^\s/@"']+)(?=@)/g,
];

/** Replaces secrets in a shell command line. Shell variables (`$TOKEN`) are not secrets. */
export function replaceCommandSecrets(line: string, replace: ReplaceSecret): string {
  return COMMAND_SECRET_PATTERNS.reduce(
    (now, shape) =>
      now.replaceAll(shape, (_whole, before: string, secret: string) => before + (secret.startsWith('{{') ? secret : replace(secret))),
    line,
  );
}
