import type { Draft } from './draft.ts';

// What documents of several tools have and plans do not, each with the one way to say so.

export const THEY_WERE_LEFT_OUT = 'They were left out.';
export const REQUEST_WAS_LEFT_OUT = 'The request was left out.';
export const CODE_IS_NEVER_RUN = 'It was left out: code in an import is never run.';
export const CALLS_A_FUNCTION = 'A function of a script is called.';
export const SPEAKS_HTTP_ONLY = 'It was left out: Holdfast speaks HTTP only.';
export const TAKES_ONE_PLACE = 'It was left out: plans take the value at one place, such as $.items[0].id.';
export const FIRST_GROUP_IS_TAKEN = 'The first group is taken.';
export const FIRST_WAS_TAKEN = 'The first one was taken.';
export const ONE_USER_IS_TAKEN = 'One user is taken.';
export const SENT_WITHOUT_LOGIN = 'The requests are sent without it.';
export const STANDS_AS_TEXT = 'It stands in the plan as that text. Write a variable, a feed or a capture for it.';

/** Stands in for the server that a document does not name. */
export const STAND_IN = 'http://localhost';

/** Where nothing says which server is asked; `what` says how that came. */
export function assumeServer(draft: Draft, place: string, what: string): void {
  draft.assumed(place, what, `${STAND_IN} stands in for it. Write your server as the plan’s target.`);
}

/** A request to another server than the others; `name` is what the document calls it, if there is more than one at the place. */
export function leaveOutOtherServer(draft: Draft, place: string, server: string, name?: string): void {
  const request = name === undefined ? 'It' : `“${name.slice(0, 60)}”`;
  draft.leftOut(place, `${request} goes to another server, ${server}.`, 'The request was left out: a journey has one server.');
}

export function unknownMethod(method: string): string {
  return `Plans do not know the method ${method.slice(0, 20)}.`;
}

/** Name and password of HTTP Basic are encoded as one, which a plan cannot do with values. */
export function leaveOutLoginOfVariables(draft: Draft, place: string): void {
  draft.leftOut(
    place,
    'Name and password of HTTP Basic come from variables, and would have to be encoded together.',
    'No login is sent. Put the whole header into the file or the variable.',
  );
}

/** The separator of a file with values, as a feed has it; undefined where a feed has none such, which is noted. */
export function feedSeparator(draft: Draft, delimiter: string, place: string): ',' | ';' | '\t' | '|' | undefined {
  const separator = ([',', ';', '\t', '|'] as const).find((one) => one === delimiter);
  if (separator === undefined)
    draft.changed(place, 'Another separator than , ; | or a tab is used.', 'A comma is expected: convert the file.');
  return separator;
}

export function noteMadeUpLetters(draft: Draft, place: string): void {
  draft.changed(place, 'Made-up letters stand there.', 'A made-up UUID stands in their place.');
}

/** Values that stand in each other so often that a few letters stand for a whole plan. */
export function leaveOutLongValues(draft: Draft, place: string): void {
  draft.leftOut(place, 'Values within values make more text than a plan can hold.', 'They stand in it by their names.');
}

export function severalPlaces(path: string): string {
  return `The JSONPath ${path.slice(0, 80)} finds several places.`;
}

export function unreadExpression(problem: string): string {
  return `The regular expression cannot be read: ${problem}.`;
}

/** A plan can only ask that a body contains a text. */
export function noteWholeBody(draft: Draft, place: string): void {
  draft.changed(place, 'The body has to be exactly this text.', 'It has to contain it.');
}

/** `what` says why the body cannot be known. */
export function leaveOutBody(draft: Draft, place: string, what: string): void {
  draft.leftOut(place, what, 'The request is sent without a body.');
}

export const BODY_OF_STANDARD_INPUT = 'The body comes from standard input.';
/** A command that anybody can try, where none was found. */
export const EXAMPLE_COMMAND = 'An example: ab -n 1000 -c 10 http://localhost:8080/';

/** For what may be there at most `most` times. */
export function firstWereTaken(most: number): string {
  return `The first ${most} were taken.`;
}
