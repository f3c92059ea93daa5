import { type Found, joined, ManyTexts } from './manyTexts.ts';

/** What stands in place of a secret. */
export const REDACTED = '•••';

/** Shorter values are no secrets: they would tear holes into every text. */
const SHORTEST = 3;

/** Of more secrets than these, such as the passwords of a list of accounts, Base64 is not looked for: making it takes longer than all the rest. */
const MOST_IN_BASE64 = 5_000;

/**
 * A text without the given secrets, in whatever form they may have got into it: as they are, as JSON or an address writes them,
 * in Base64 (alone or at the end of `user:secret`, as in an Authorization header). For messages of libraries and servers that
 * repeat what they were given.
 */
export function redactValue(text: string, secrets: readonly string[]): string {
  return redactorOf(secrets).text(text);
}

const ofLists = new WeakMap<readonly string[], { readonly length: number; readonly redactor: Redactor }>();

/** For secrets that are taken out of many texts: made once for a list, as long as that lives. */
export function redactorOf(secrets: readonly string[]): Redactor {
  const known = ofLists.get(secrets);
  if (known?.length === secrets.length) return known.redactor;
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret, { inBase64: secrets.length <= MOST_IN_BASE64 });
  ofLists.set(secrets, { length: secrets.length, redactor });
  return redactor;
}

const WORD = /^(?:\p{L}{1,14}|\d{1,6})$/u;

/** Whether a word between these two characters is part of a sentence. */
function isProse(before: string, after: string): boolean {
  return /^[\s\p{L}\d(’-]?$/u.test(before) && /^[\s\p{L}\d).,;:!?’-]?$/u.test(after);
}

/** Maximum number of characters of secrets in the fast search, whose time depends only on the text. Strangers cannot add more. Others use less memory. */
const MAX_SEARCHED = 200_000;

/** Replaces secrets in texts in one pass, whatever their number. */
export class Redactor {
  private readonly mark: string;
  private readonly search = new ManyTexts();
  private searched = 0;
  /** Secrets beyond MAX_SEARCHED, by their first letters and then by length, longest first: passwords of a list often begin alike. */
  private readonly byBeginning = new Map<string, { readonly length: number; readonly forms: Set<string> }[]>();
  private readonly known = new Set<string>();

  constructor(mark: string = REDACTED) {
    this.mark = mark;
  }

  add(secret: string, { inBase64 = true } = {}): void {
    if (secret.length < SHORTEST || this.known.has(secret)) return;
    this.known.add(secret);
    for (const form of inBase64 ? secretForms(secret) : writtenForms(secret)) this.addForm(form);
  }

  text(original: string): string {
    return this.without(original, () => true);
  }

  /**
   * Redacts a sentence of Holdfast that quotes foreign text. A secret that is one word or number stays if the sentence may contain it by chance: a mark in
   * its place would garble the sentence and reveal the secret. The secret is replaced if it is a value: in quotation marks, after `=`, or in an address.
   */
  sentence(original: string): string {
    return this.without(original, (form, before, after) => !this.known.has(form) || !WORD.test(form) || !isProse(before, after));
  }

  private without(original: string, isSecret: (form: string, before: string, after: string) => boolean): string {
    let clean = '';
    let copied = 0;
    for (const { from, to, text } of this.find(original)) {
      if (!isSecret(text, original.charAt(from - 1), original.charAt(to))) continue;
      clean += original.slice(copied, from) + this.mark;
      copied = to;
    }
    return clean + original.slice(copied);
  }

  private find(original: string): Found[] {
    const found = this.search.find(original);
    if (this.byBeginning.size === 0) return found;
    for (let at = 0; at + SHORTEST <= original.length; at += 1) {
      const ofLength = this.byBeginning
        .get(original.slice(at, at + SHORTEST))
        ?.find(({ length, forms }) => forms.has(original.slice(at, at + length)));
      if (ofLength === undefined) continue;
      found.push({ from: at, to: at + ofLength.length, text: original.slice(at, at + ofLength.length) });
      at += ofLength.length - 1;
    }
    return joined(found);
  }

  private addForm(form: string): void {
    if (this.searched + form.length <= MAX_SEARCHED) {
      this.searched += form.length;
      return this.search.add(form);
    }
    const beginning = form.slice(0, SHORTEST);
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
 * What somebody who has the secret could be let in by: itself, and of an Authorization header, cookies, a form or a connection string the values
 * within, for a server may repeat just these.
 */
export function partsOfSecret(secret: string): string[] {
  const [, scheme = '', credentials = ''] = /^\s*(Bearer|Basic|Token|Digest|Negotiate|ApiKey)\s+(\S.*)$/is.exec(secret) ?? [];
  const pair = /^basic$/i.test(scheme) ? fromBase64(credentials.trim()) : '';
  const inAddress = [...secret.matchAll(/:\/\/[^/@\s:]*:([^@\s]+)@/g)].map(([, password = '']) => password);
  const fields = /^[^=;&\s]+=/.test(secret) ? secret.split(/[;&]\s*/).map((field) => field.slice(field.indexOf('=') + 1)) : [];
  const members = [...secret.matchAll(/:\s*"((?:[^"\\]|\\.)+)"/g)].map(([, value = '']) => value);
  const written = [...inAddress, ...[...fields, ...members].filter((value) => value.length >= SHORTEST_PART)];
  const all = [secret, credentials, pair, pair.slice(pair.indexOf(':') + 1), ...written, ...written.map(decoded)];
  return [...new Set(all)].filter((part) => part !== '');
}

/** Of several values in one text some are no secret: `lang=en`. */
const SHORTEST_PART = 8;

/** Text of a form or an address as it was meant; what is not written so stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Every form that a secret may have in a text, the secret itself first. */
export function secretForms(secret: string): string[] {
  return [...writtenForms(secret), ...base64Forms(secret)];
}

function writtenForms(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const written = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll('%20', '+'),
    // encodeURIComponent leaves these as they are, other encoders do not.
    percent.replaceAll(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
    // As browsers write a form: with blanks as +, and only * of these as it is.
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

/** The text behind Base64; empty for what is none. */
function fromBase64(letters: string): string {
  const values = [...letters.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')].map((letter) => LETTERS.indexOf(letter));
  if (values.includes(-1)) return '';
  const bits = values.map((value) => value.toString(2).padStart(6, '0')).join('');
  const bytes = (bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
