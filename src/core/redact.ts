/** What stands in place of a secret. */
export const REDACTED = '•••';

/** Shorter values are no secrets: they would tear holes into every text. */
const SHORTEST = 3;

/**
 * A text without the given secrets, in whatever form they may have got into it: as they are, as JSON or an address writes them,
 * in Base64 (alone or at the end of `user:secret`, as in an Authorization header). For messages of libraries and servers that
 * repeat what they were given.
 */
export function redactValue(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(secretForms))].sort(
    (a, b) => b.length - a.length,
  );
  return forms.reduce((cleaned, form) => cleaned.replaceAll(form, REDACTED), text);
}

/** Every form that a secret may have in a text, the secret itself first. */
export function secretForms(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const written = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll('%20', '+'),
    // encodeURIComponent leaves these as they are, other encoders do not.
    percent.replaceAll(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
    encodeURI(secret.toWellFormed()),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
  return [...written, ...written.map((form) => form.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase())), ...base64Forms(secret)];
}

/**
 * Base64 writes 3 bytes as 4 letters, so a secret after some other text looks different by how many bytes stand before it,
 * modulo 3. Of each of the three ways, the letters that no neighbouring byte can change.
 */
function base64Forms(secret: string): string[] {
  const bytes = [...new TextEncoder().encode(secret)];
  return [0, 1, 2].flatMap((before) => {
    const letters = base64(Array.from({ length: before }, () => 0).concat(bytes));
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const certain = letters.slice(from, to);
    return certain.length < 2 * SHORTEST ? [] : [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 without padding; the core has neither btoa nor Buffer. */
function base64(bytes: readonly number[]): string {
  let letters = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = bytes.slice(index, index + 3);
    const bits = first * 65_536 + second * 256 + third;
    letters += [18, 12, 6, 0].map((shift) => LETTERS.charAt((bits >> shift) & 63)).join('');
  }
  return letters.slice(0, Math.ceil((bytes.length * 4) / 3));
}
