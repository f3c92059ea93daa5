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

/** A field of a form, a parameter of an address, a member of JSON. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name);
}

/** Letters and digits as only a machine makes them: 16 or more, of several kinds, with no word to read. */
export function looksRandom(text: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w~+=-]{16,}$/.test(text);
}
