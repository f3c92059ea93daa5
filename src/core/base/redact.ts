import { type FoundText, mergeOverlapping, MultiTextSearch } from './manyTexts.ts';

export const REDACTED = '•••';

/** Minimum length of a secret. Shorter values are not treated as secrets, because they occur in every text. */
const MIN_SECRET_LENGTH = 3;

/**
 * Beyond this number of secrets, such as the passwords of an account list, Base64 is not searched, because creating the Base64 forms would
 * dominate the time.
 */
const MAX_SECRETS_IN_BASE64 = 5_000;

/**
 * Removes the given secrets from a text in any encoding: plain, JSON, URL-encoded, and Base64 (alone or after `user:`, as in an
 * Authorization header). Used for messages of libraries and servers that repeat their input.
 */
export function redactValue(text: string, secrets: readonly string[]): string {
  return createRedactor(secrets).text(text);
}

const redactorsByList = new WeakMap<readonly string[], { readonly length: number; readonly redactor: Redactor }>();

/** Returns the redactor of a list of secrets, cached for the lifetime of the list. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = redactorsByList.get(secrets);
  if (known?.length === secrets.length) return known.redactor;
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret, { inBase64: secrets.length <= MAX_SECRETS_IN_BASE64 });
  redactorsByList.set(secrets, { length: secrets.length, redactor });
  return redactor;
}

const WORD_PATTERN = /^(?:\p{L}{1,14}|\d{1,6})$/u;

/** Returns whether a word between these characters is part of a sentence. */
function isProse(before: string, after: string): boolean {
  return /^[\s\p{L}\d(’-]?$/u.test(before) && /^[\s\p{L}\d).,;:!?’-]?$/u.test(after);
}

/**
 * Maximum number of characters of secrets in the fast search, whose time depends only on the text. Secrets beyond it are searched in a way
 * that needs less memory.
 */
const MAX_SEARCHED = 200_000;

/** Replaces secrets in texts in one pass, whatever their number. */
export class Redactor {
  private readonly mark: string;
  private readonly search = new MultiTextSearch();
  private searched = 0;
  /** Secrets beyond MAX_SEARCHED, by their first letters and then by length, longest first. Passwords in a list often begin alike. */
  private readonly byBeginning = new Map<string, { readonly length: number; readonly forms: Set<string> }[]>();
  private readonly known = new Set<string>();

  constructor(mark: string = REDACTED) {
    this.mark = mark;
  }

  add(secret: string, { inBase64 = true } = {}): void {
    if (secret.length < MIN_SECRET_LENGTH || this.known.has(secret)) return;
    this.known.add(secret);
    for (const form of inBase64 ? secretForms(secret) : listEncodings(secret)) this.addForm(form);
  }

  text(original: string): string {
    return this.removeSecrets(original, () => true);
  }

  /**
   * Redacts a sentence of Holdfast that quotes foreign text. A secret that is one word or number stays if the sentence may contain it by
   * chance: a mark in its place would garble the sentence and reveal the secret. The secret is replaced if it is a value: in quotation
   * marks, after `=`, or in an address.
   */
  sentence(original: string): string {
    return this.removeSecrets(
      original,
      (form, before, after) => !this.known.has(form) || !WORD_PATTERN.test(form) || !isProse(before, after),
    );
  }

  private removeSecrets(original: string, isSecret: (form: string, before: string, after: string) => boolean): string {
    let clean = '';
    let copied = 0;
    for (const { from, to, text } of this.find(original)) {
      if (!isSecret(text, original.charAt(from - 1), original.charAt(to))) continue;
      clean += original.slice(copied, from) + this.mark;
      copied = to;
    }
    return clean + original.slice(copied);
  }

  private find(original: string): FoundText[] {
    const found = this.search.find(original);
    if (this.byBeginning.size === 0) return found;
    for (let at = 0; at + MIN_SECRET_LENGTH <= original.length; at += 1) {
      const ofLength = this.byBeginning
        .get(original.slice(at, at + MIN_SECRET_LENGTH))
        ?.find(({ length, forms }) => forms.has(original.slice(at, at + length)));
      if (ofLength === undefined) continue;
      found.push({ from: at, to: at + ofLength.length, text: original.slice(at, at + ofLength.length) });
      at += ofLength.length - 1;
    }
    return mergeOverlapping(found);
  }

  private addForm(form: string): void {
    if (this.searched + form.length <= MAX_SEARCHED) {
      this.searched += form.length;
      return this.search.add(form);
    }
    const beginning = form.slice(0, MIN_SECRET_LENGTH);
    const lengths = this.byBeginning.get(beginning) ?? [];
    const { length } = form;
    const same = lengths.find((each) => each.length === length);
    if (same !== undefined) return void same.forms.add(form);
    lengths.push({ length, forms: new Set([form]) });
    lengths.sort((a, b) => b.length - a.length);
    this.byBeginning.set(beginning, lengths);
  }
}

/**
 * Returns the values that grant access: the secret itself, and the values inside an Authorization header, cookies, a form or a connection
 * string, because a server may repeat only those.
 */
export function partsOfSecret(secret: string): string[] {
  const [, scheme = '', credentials = ''] = /^\s*(Bearer|Basic|Token|Digest|Negotiate|ApiKey)\s+(\S.*)$/is.exec(secret) ?? [];
  const pair = /^basic$/i.test(scheme) ? decodeBase64(credentials.trim()) : '';
  const inAddress = [...secret.matchAll(/:\/\/[^/@\s:]*:([^@\s]+)@/g)].map(([, password = '']) => password);
  const fields = /^[^=;&\s]+=/.test(secret) ? secret.split(/[;&]\s*/).map((field) => field.slice(field.indexOf('=') + 1)) : [];
  const members = [...secret.matchAll(/:\s*"((?:[^"\\]|\\.)+)"/g)].map(([, value = '']) => value);
  const written = [...inAddress, ...[...fields, ...members].filter((value) => value.length >= MIN_PART_LENGTH)];
  const all = [secret, credentials, pair, pair.slice(pair.indexOf(':') + 1), ...written, ...written.map(decode)];
  return [...new Set(all)].filter((part) => part !== '');
}

/** Minimum length of a part that counts as a secret, because texts with several values also contain harmless ones: `lang=en`. */
const MIN_PART_LENGTH = 8;

/** Decodes URL-encoded text; returns other text unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Returns every form that a secret may have in a text, the secret itself first. */
export function secretForms(secret: string): string[] {
  return [...listEncodings(secret), ...base64Forms(secret)];
}

function listEncodings(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const written = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll('%20', '+'),
    // encodeURIComponent does not encode these characters; other encoders do.
    percent.replaceAll(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
    // In the form encoding of browsers, blanks become +, and only * stays unencoded.
    percent.replaceAll(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('%20', '+'),
    encodeURI(secret.toWellFormed()),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ];
  const quoted = [...written, written.at(-1) ?? ''].map((form) => form.replaceAll("'", '&#39;'));
  const hexadecimal = [...new TextEncoder().encode(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const all = [...written, ...quoted, hexadecimal, hexadecimal.toUpperCase()];
  return [...new Set([...all, ...written.map((form) => form.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()))])];
}

/**
 * Base64 encodes 3 bytes as 4 letters, so the form of a secret inside other text depends on its offset modulo 3. Returns for each offset
 * the letters that no neighbouring byte affects.
 */
function base64Forms(secret: string): string[] {
  const bytes = [...new TextEncoder().encode(secret)];
  return [0, 1, 2].flatMap((before) => {
    const letters = encodeBase64(Array.from({ length: before }, () => 0).concat(bytes));
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const certain = letters.slice(from, to);
    return certain.length < 2 * MIN_SECRET_LENGTH ? [] : [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes Base64 without padding; the core has neither btoa nor Buffer. */
function encodeBase64(bytes: readonly number[]): string {
  let letters = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = bytes.slice(index, index + 3);
    const bits = first * 65_536 + second * 256 + third;
    letters += [18, 12, 6, 0].map((shift) => BASE64_ALPHABET.charAt((bits >> shift) & 63)).join('');
  }
  return letters.slice(0, Math.ceil((bytes.length * 4) / 3));
}

/** Decodes Base64; returns an empty text if it is invalid. */
function decodeBase64(letters: string): string {
  const values = [...letters.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')].map((letter) => BASE64_ALPHABET.indexOf(letter));
  if (values.includes(-1)) return '';
  const bits = values.map((value) => value.toString(2).padStart(6, '0')).join('');
  const bytes = (bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
