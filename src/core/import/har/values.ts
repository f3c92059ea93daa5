import { isSecretField } from '#core/plan/secretShapes.ts';
import { literal, valueName } from '../placeholders.ts';
import type { Draft, WrittenStep } from '../draft.ts';
import type { AccountValues } from '../recording/accounts.ts';
import type { DrawnTexts } from '../recording/drawnTexts.ts';
import type { Needles } from '../recording/needles.ts';
import { type Answer, findValue } from './findValue.ts';
import { cookieName } from '#core/plan/valueNames.ts';

type WrittenCapture = NonNullable<WrittenStep['captures']>[number];

const LONGEST_VALUE = 65_000;
const MOST_CAPTURES = 50;

/** Recognises in requests what earlier answers brought, and makes captures of it. */
export class RecordedValues {
  private readonly draft: Draft;
  private readonly steps: { readonly name: string; readonly answer: Answer; readonly captures: WrittenCapture[] }[] = [];
  private readonly placeholders = new Map<string, string>();
  /** In how many answers a value was looked for in vain. */
  private readonly missed = new Map<string, number>();
  private readonly cookies = new Map<string, string>();
  private readonly accounts: AccountValues;
  private readonly drawn: DrawnTexts;

  private readonly needles: Needles;

  constructor(draft: Draft, needles: Needles, accounts: AccountValues, drawn: DrawnTexts) {
    this.draft = draft;
    this.needles = needles;
    this.accounts = accounts;
    this.drawn = drawn;
  }

  /** What a plan writes for what belongs to an account of the recording or is drawn for each journey; null for anything else. */
  givenFor(value: string, called: string): string | null {
    const account = (text: string): string | null => this.accounts.placeholderFor(text, called);
    return this.drawn.within(value, (rest) => account(rest) ?? literal(rest)) ?? account(value);
  }

  /** The same for a part of an address as it is written there, with its percent-encoding. */
  givenForWritten(written: string, value: string, called: string): string | null {
    const account = (text: string): string | null => this.accounts.placeholderFor(text, called);
    const found = this.drawn.within(written, (rest) => account(rest) ?? rest);
    if (found !== null) return found;
    const named = account(value);
    return named === null || value === written ? named : encodedAround(named);
  }

  /** Tells of an answer that came. `captures` belongs to its step and is added to. */
  answered(name: string, answer: Answer, captures: WrittenCapture[]): void {
    this.steps.push({ name, answer, captures });
  }

  cookieSet(name: string, value: string): void {
    if (/^[\w.-]{1,100}$/.test(name) && value.length >= 6) this.cookies.set(value, name);
  }

  /** The placeholder for a value that an earlier answer brought; null when none did, or when it may as well be what a person typed. */
  placeholderFor(value: string, called: string, place: string): string | null {
    const given = this.givenFor(value, called);
    if (given !== null) return given;
    if (value.length > LONGEST_VALUE || !mayBeGenerated(value, called)) return null;
    const known = this.placeholders.get(value);
    if (known !== undefined) return known;
    const cookie = this.cookies.get(value) ?? this.cookies.get(encodeURIComponent(value.toWellFormed()));
    if (cookie !== undefined) {
      const placeholder = `{{${cookieName(cookie)}}}`;
      this.draft.changed(
        place,
        `“${called.slice(0, 60)}” is the value of the cookie ${cookie}.`,
        `The plan reads it from that cookie: ${placeholder}.`,
      );
      this.placeholders.set(value, placeholder);
      return placeholder;
    }
    for (const { name, answer, captures } of this.steps.slice(this.missed.get(value) ?? 0).toReversed()) {
      if (captures.length >= MOST_CAPTURES) continue;
      const capture = findValue(value, answer, this.needles, () => this.draft.captureName(valueName(called).toLowerCase()));
      if (capture === null) continue;
      captures.push(capture);
      this.draft.changed(
        place,
        `“${called.slice(0, 60)}” comes from the response to “${name}”.`,
        `The plan captures it there as {{${capture.as}}}.`,
      );
      this.placeholders.set(value, `{{${capture.as}}}`);
      return `{{${capture.as}}}`;
    }
    this.missed.set(value, this.steps.length);
    return null;
  }
}

/** A text of an address, without touching its placeholders. */
function encodedAround(text: string): string {
  return text
    .split(/(\{\{[\w.-]+\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part.toWellFormed())))
    .join('');
}

/** A token, a number of something, an id: not a word that was chosen from a list. */
function mayBeGenerated(value: string, called: string): boolean {
  if (/\s/.test(value) || /^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (isSecretField(called) || /csrf|xsrf|nonce|viewstate|authenticity/i.test(called)) return value.length >= 4;
  return /^\d{4,}$/.test(value) || (value.length >= 8 && /\d/.test(value) && /^[\w.~+/=:-]+$/.test(value));
}
