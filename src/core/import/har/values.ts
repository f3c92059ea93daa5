import { isSecretField } from '#core/plan/secretShapes.ts';
import { escapePlaceholders, valueName } from '../placeholders.ts';
import type { Draft, WrittenStep } from '../draft.ts';
import type { AccountValues } from '../recording/accounts.ts';
import type { DrawnTexts } from '../recording/drawnTexts.ts';
import type { Needles } from '../recording/needles.ts';
import { type Response, findValue } from './findValue.ts';
import { cookieName } from '#core/plan/valueNames.ts';

type WrittenCapture = NonNullable<WrittenStep['captures']>[number];

const MAX_VALUE_LENGTH = 65_000;
const MAX_CAPTURES = 50;

/** Recognizes values of earlier responses in requests, and captures them. */
export class RecordedValues {
  private readonly draft: Draft;
  private readonly steps: { readonly name: string; readonly response: Response; readonly captures: WrittenCapture[] }[] = [];
  private readonly placeholders = new Map<string, string>();
  /** For each value, the number of responses that were searched for it without success. */
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

  /** Returns plan text for a value that belongs to a recorded account or is generated for each journey; null for other values. */
  findGiven(value: string, called: string): string | null {
    const account = (text: string): string | null => this.accounts.findPlaceholder(text, called);
    return this.drawn.replaceWithin(value, (rest) => account(rest) ?? escapePlaceholders(rest)) ?? account(value);
  }

  /** Returns plan text for a percent-encoded part of an address, like {@link findGiven}. */
  findGivenWritten(written: string, value: string, called: string): string | null {
    const account = (text: string): string | null => this.accounts.findPlaceholder(text, called);
    const found = this.drawn.replaceWithin(written, (rest) => account(rest) ?? rest);
    if (found !== null) return found;
    const named = account(value);
    return named === null || value === written ? named : encodeAroundPlaceholders(named);
  }

  /** Adds a response. `captures` belongs to the response's step and is extended later. */
  addResponse(name: string, response: Response, captures: WrittenCapture[]): void {
    this.steps.push({ name, response, captures });
  }

  cookieSet(name: string, value: string): void {
    if (/^[\w.-]{1,100}$/.test(name) && value.length >= 6) this.cookies.set(value, name);
  }

  /** Returns the placeholder for a value of an earlier response; null if there is none, or if a person may have typed the value. */
  findPlaceholder(value: string, called: string, location: string): string | null {
    const given = this.findGiven(value, called);
    if (given !== null) return given;
    if (value.length > MAX_VALUE_LENGTH || !mayBeGenerated(value, called)) return null;
    const known = this.placeholders.get(value);
    if (known !== undefined) return known;
    const cookie = this.cookies.get(value) ?? this.cookies.get(encodeURIComponent(value.toWellFormed()));
    if (cookie !== undefined) {
      const placeholder = `{{${cookieName(cookie)}}}`;
      this.draft.noteChanged(
        location,
        `“${called.slice(0, 60)}” is the value of the cookie ${cookie}.`,
        `The plan reads it from that cookie: ${placeholder}.`,
      );
      this.placeholders.set(value, placeholder);
      return placeholder;
    }
    for (const { name, response, captures } of this.steps.slice(this.missed.get(value) ?? 0).toReversed()) {
      if (captures.length >= MAX_CAPTURES) continue;
      const capture = findValue(value, response, this.needles, () => this.draft.captureName(valueName(called).toLowerCase()));
      if (capture === null) continue;
      captures.push(capture);
      this.draft.noteChanged(
        location,
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

/** Percent-encodes a text except for its placeholders. */
function encodeAroundPlaceholders(text: string): string {
  return text
    .split(/(\{\{[\w.-]+\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part.toWellFormed())))
    .join('');
}

/** Returns whether a value may be a generated token, number or id, but not a word that a person chose. */
function mayBeGenerated(value: string, called: string): boolean {
  if (/\s/.test(value) || /^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (isSecretField(called) || /csrf|xsrf|nonce|viewstate|authenticity/i.test(called)) return value.length >= 4;
  return /^\d{4,}$/.test(value) || (value.length >= 8 && /\d/.test(value) && /^[\w.~+/=:-]+$/.test(value));
}
