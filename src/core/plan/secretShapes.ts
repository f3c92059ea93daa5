import { decoded } from '#core/base/redact.ts';

const SECRET_HEADER = /authorization|cookie|token|(^|-)key$|api-?key|secret|password|session|csrf|xsrf|credential|signature|^x-auth/i;
const SECRET_FIELD =
  /(?<!by|com|over|sur|tres|under)pass(word|wd|code|phrase)?s?$|pwd|secret|token|(api|access|private)[-_]?key|credential|csrf|xsrf|authorization|^(x[-_])?auth$|^pin$|^sig(nature)?$|session[-_]?(id|key)$|^sid$|^login_data$/i;
/** A JSON Web Token, or what stands behind the name of a scheme of authentication. */
const SECRET_VALUE = /^(?:eyJ[\w-]{8,}\.|Bearer |Basic |Token )/;

/** What issuers mark as a secret themselves: JSON Web Tokens, keys of GitHub, GitLab, Slack, Stripe, OpenAI, AWS and Google. */
export const MARKED_SECRET =
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|\b(?:gh[opsru]_|github_pat_|glpat-|xox[abeprs]-|[rs]k_(?:live|test)_|sk-|AKIA|ya29\.|AIza)[\w-]{12,}/g;

export function isSecretHeader(name: string, value: string): boolean {
  return SECRET_HEADER.test(name) || SECRET_VALUE.test(value);
}

/** A box that is ticked or not, such as `pwd_empty=0` of Plone. */
const FLAG = /^(?:[01]|true|false|on|off|yes|no)$/i;

/** A field of a form, a parameter of an address, a member of JSON; with its value where it is known. */
export function isSecretField(name: string, value = ''): boolean {
  return SECRET_FIELD.test(name) && !FLAG.test(value);
}

const PASSWORD_FIELD = /(?<!by|com|over|sur|tres|under)(?:pass(?:word|wd|code|phrase)?|pwd)(?:_\d+)?\]?$/i;

/** A field that holds the password of an account, such as `user[password]`; with its value where it is known. */
export function isPasswordField(name: string, value = ''): boolean {
  return PASSWORD_FIELD.test(name) && !FLAG.test(value);
}

/** Letters and digits as only a machine makes them: 16 or more, of several kinds, with no word to read. */
export function looksRandom(text: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w~+=-]{16,}$/.test(text);
}

/** Headers whose values are no secret by their nature. Everything else may be one, and is treated as one. */
const HARMLESS: ReadonlySet<string> = new Set([
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
  'user-agent',
  'x-requested-with',
]);

export function isHarmlessHeader(name: string): boolean {
  return HARMLESS.has(name.trim().toLowerCase());
}

/** What is put in the place of a secret. */
type Replace = (secret: string) => string;

/** A body with each value replaced that is called like a secret, in whatever form it names its values. `isSecretLeft`: one stands there in another form. */
export function replaceBodySecrets(body: string, replace: Replace): { readonly text: string; readonly isSecretLeft: boolean } {
  const text = BODY_SHAPES.reduce((now, shape) => shape(now, replace), body);
  return { text, isSecretLeft: SECRET_LEFT.test(text) };
}

/** Shapes in which bodies name their values: forms, JSON, elements and attributes of XML, parts of a form with files. */
const BODY_SHAPES: readonly ((text: string, hide: Replace) => string)[] = [
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
/** Something that is called like a secret and stands in a form that nobody here reads. */
const SECRET_LEFT =
  /(?:(?<!by|com|over|sur|tres|under)pass(?:word|wd|code)?|pwd|secret|token|api_?key|credential|login_data)["']?\s*[=:]\s*["']?(?!["'{[]|\{\{|null|true|false)[^\s"'&,;]/i;

/** `"text"`, `1234` or `["a", "b"]`, as JSON writes it. */
function hideQuoted(value: string, hide: Replace): string {
  if (/^\d/.test(value)) return hide(value);
  return value.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_whole, inner: string) => `"${hide(inner)}"`);
}

/** `?name=value&name=value`, with or without the question mark. */
export function replaceFieldSecrets(fields: string, hide: Replace): string {
  return fields.replaceAll(/([^?&=]+)=([^&]+)/g, (whole, name: string, value: string) =>
    isSecretField(decoded(name)) ? `${name}=${hide(value)}` : whole,
  );
}

/** Where a line for a shell holds a secret: options and variables that are called like one, headers, `user:password@` of an address. */
const COMMAND_SECRETS: readonly RegExp[] = [
  /(--?(?:[\w-]*(?:password|passwd|token|secret|api-?key|credentials?)|pass|pwd)[= ]["']?)((?![$"'-])[^\s"';|&]+)/gi,
  /(\b\w*(?:PASSWORD|PASSWD|_PWD|TOKEN|SECRET|API_?KEY)=["']?)((?![$"'])[^\s"';|&]+)/gi,
  /((?:authorization|cookie|[\w-]*(?:token|api-?key|secret)):\s*(?:(?:bearer|basic|token)\s+)?)((?![$\s])[^"'\s]+)/gi,
  /(:\/\/[^\s/:@"']*:)((?!\$)[^\s/@"']+)(?=@)/g,
];

/** A line for a shell with what is a secret in it replaced. Variables of the shell (`$TOKEN`) are none. */
export function replaceCommandSecrets(line: string, replace: Replace): string {
  return COMMAND_SECRETS.reduce(
    (now, shape) =>
      now.replaceAll(shape, (_whole, before: string, secret: string) => before + (secret.startsWith('{{') ? secret : replace(secret))),
    line,
  );
}
