import type { Draft } from './draft.ts';

// Notes on features that several tools have and plans do not.

export const LEFT_OUT_NOTE = 'They were left out.';
export const REQUEST_LEFT_OUT_NOTE = 'The request was left out.';
export const CODE_NOTE = 'Holdfast never runs code from an import.';
export const FUNCTION_CALL_NOTE = 'It calls a function of a script.';
export const HTTP_ONLY_NOTE = 'Holdfast supports HTTP only.';
export const SINGLE_LOCATION_NOTE = 'A plan takes the value at one place, such as $.items[0].id, or one of every item: $.items[*].id.';
export const FIRST_GROUP_NOTE = 'The plan uses the first group.';
export const FIRST_ITEM_NOTE = 'The plan uses the first one.';
export const ONE_USER_NOTE = 'The plan has one user.';
export const NO_LOGIN_NOTE = 'Requests are sent without it.';
export const SENT_IN_TURN_NOTE = 'The plan sends them one after the other.';
export const STOP_BY_ERROR_RATE_HINT = 'To end a run by its error rate, set safety.stopAtErrorShare.';
export const UUID_NOTE = 'The plan uses a random UUID.';
export const PLAIN_TEXT_NOTE = 'The plan contains it as plain text. Replace it with a variable, a feed or a capture.';

/** Server in a plan whose document states none. */
export const STAND_IN_TARGET = 'http://localhost';

/** Notes that the document names no server; `what` gives the reason. */
export function assumeServer(draft: Draft, location: string, what: string): void {
  draft.noteAssumed(location, what, `${STAND_IN_TARGET} is used instead. Set your server as the plan’s target.`);
}

/** Notes a request to another server than most requests. `name`: its name in the document if several requests share the location. */
export function leaveOutOtherServer(draft: Draft, location: string, server: string, name?: string): void {
  const request = name === undefined ? 'It' : `“${name.slice(0, 60)}”`;
  draft.noteLeftOut(
    location,
    `${request} is for another server, ${server}.`,
    'The plan has no room for this server, or a variable contains it. The request was left out.',
  );
}

export function noteUnknownMethod(method: string): string {
  return `Plans do not support the method ${method.slice(0, 20)}.`;
}

/** Returns the separator of a values file. If feeds do not support it, adds a note and returns undefined. */
export function readSeparator(draft: Draft, delimiter: string, location: string): ',' | ';' | '\t' | '|' | undefined {
  const separator = ([',', ';', '\t', '|'] as const).find((one) => one === delimiter);
  if (separator === undefined)
    draft.noteChanged(location, 'The separator is not one of , ; | or tab.', 'The plan expects commas. Convert the file.');
  return separator;
}

export function noteMadeUpLetters(draft: Draft, location: string): void {
  draft.noteChanged(location, 'It is random text.', UUID_NOTE);
}

/** Notes variables that contain each other so often that a short text would become longer than a plan allows. */
export function leaveOutLongValues(draft: Draft, location: string): void {
  draft.noteLeftOut(location, 'Nested values expand to more text than a plan can contain.', 'The plan contains their names.');
}

export function describeSeveralPlaces(path: string): string {
  return `The JSONPath ${path.slice(0, 80)} can match several places.`;
}

export function noteUnreadExpression(problem: string): string {
  return `The regular expression is invalid: ${problem}.`;
}

/** Notes a check of a whole body. A plan can check only that a body contains a text. */
export function noteWholeBody(draft: Draft, location: string): void {
  draft.noteChanged(location, 'The body must be exactly this text.', 'The plan checks that the body contains it.');
}

/** Notes a body that is unknown; `what` gives the reason. */
export function leaveOutBody(draft: Draft, location: string, what: string): void {
  draft.noteLeftOut(location, what, 'The request is sent without a body.');
}

export const STANDARD_INPUT_NOTE = 'The body is read from standard input.';
export const ENDLESS_NOTE = ['It runs until it is stopped.', 'The plan ends after a minute.'] as const;

/** Returns the sentence for a repeated command that makes more requests than a journey can have steps. */
export function describeDifferentRequests(count: number): string {
  return `It sends ${count} different requests.`;
}

export const EXAMPLE_ADDRESS = 'Example: http://localhost:8080/';
export const EXAMPLE_COMMAND = 'Example: ab -n 1000 -c 10 http://localhost:8080/';

/** Returns the sentence for a list that the plan cuts after `maxCount` items. */
export function describeTruncated(maxCount: number): string {
  return `The plan uses the first ${maxCount}.`;
}

/** Notes a pause in a position where a step cannot have one. */
export function leaveOutPause(draft: Draft, location: string): void {
  draft.noteLeftOut(location, 'A pause comes before the first request or after a loop.', 'In a plan, pauses follow a request.');
}

export function describeMissingAddress(name: string): string {
  return `“${name.slice(0, 60)}” has no http or https address.`;
}

export function noteUnknownLogin(type: string): string {
  return `The login “${type.slice(0, 40)}” has no equivalent.`;
}
