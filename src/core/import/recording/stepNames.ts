import { capitalize } from '#core/base/text.ts';
import { valueAtPath, listAt, numberAt, textAt } from '../reading.ts';

const ACTION_KINDS = ['open', 'click', 'submit', 'choose', 'mark', 'back', 'reload', 'tab', 'upload', 'download'] as const;

/** An action of the person during the recording. */
export interface Action {
  readonly kind: (typeof ACTION_KINDS)[number];
  readonly text: string;
  readonly role: string;
  readonly title: string;
}

const MAX_ACTIONS = 1_000;
const MAX_NAME_LENGTH = 60;

/**
 * Returns the actions of the person in order; empty if the recording has none. Actions of an unknown kind become null, which keeps the
 * positions.
 */
export function listActions(document: unknown): (Action | null)[] {
  return listAt(document, 'log', '_actions')
    .slice(0, MAX_ACTIONS)
    .map((written) => {
      const kind = ACTION_KINDS.find((one) => one === textAt(written, 'kind'));
      const readActionWord = (name: string): string => (textAt(written, name) ?? '').slice(0, 200).replaceAll(/\s+/g, ' ').trim();
      return kind === undefined
        ? null
        : { kind, text: readActionWord('text'), role: readActionWord('role'), title: readActionWord('title') };
    });
}

/** Returns the position of the action that caused a request; null if the recording does not contain it. */
export function readActionIndex(entry: unknown): number | null {
  const index = valueAtPath(entry, '_action') === undefined ? null : numberAt(entry, '_action');
  return index !== null && Number.isInteger(index) && index >= 0 ? index : null;
}

interface NamedRequest {
  readonly method: string;
  readonly path: string;
  /** Whether the request sends a password. */
  readonly isLogin: boolean;
}

/**
 * Names steps by actions. The first request of an action gets the name of the action, and later requests also get the end of their path.
 */
export class StepNames {
  private readonly actions: readonly (Action | null)[];
  /** Name of the first request of each action. */
  private readonly named = new Map<number, string>();

  constructor(actions: readonly (Action | null)[]) {
    this.actions = actions;
  }

  /** Returns a name for a request; null if its action is unknown. */
  nameFor(index: number | null, { method, path, isLogin }: NamedRequest): string | null {
    const action = index === null ? null : (this.actions[index] ?? null);
    if (index === null || action === null) return null;
    const first = this.named.get(index);
    const name = first ?? (isLogin && !isVerb(action.text) ? 'Log in' : nameOf(action));
    if (name === '') return null;
    this.named.set(index, name);
    if (first === undefined) return cut(name, MAX_NAME_LENGTH);
    const words = lastWords(path);
    const part = method === 'GET' || words === '' ? words : `${method} ${words}`;
    return part === '' ? cut(name, MAX_NAME_LENGTH) : `${cut(name, MAX_NAME_LENGTH - Math.min(part.length, 30) - 2)}: ${cut(part, 30)}`;
  }
}

/** Returns a name for a step that repeats an action; never empty. */
export function actionName(action: Action): string {
  const name = nameOf(action);
  return cut(name === '' ? capitalize(action.kind) : name, MAX_NAME_LENGTH);
}

function nameOf({ kind, text, role, title }: Action): string {
  const what = text === '' ? title : text;
  if (what === '') return '';
  switch (kind) {
    case 'open':
      return `Open ${title === '' ? text : title}`;
    case 'click':
      return role === 'link' && !isVerb(text) ? `Open ${what}` : capitalize(what);
    case 'submit':
      return role === 'form' || !isVerb(text) ? `Submit the form ${what}` : capitalize(what);
    case 'choose':
      return `Choose ${what}`;
    case 'back':
      return `Go back to ${title === '' ? text : title}`;
    case 'reload':
      return `Reload ${title === '' ? text : title}`;
    case 'tab':
      return `Open ${what} in a new tab`;
    case 'upload':
      return `Upload ${what}`;
    case 'download':
      return `Download ${what}`;
    case 'mark':
      return capitalize(what);
    default:
      return kind satisfies never;
  }
}

const VERB_PATTERN =
  /^(log|sign|add|open|show|save|send|submit|search|find|delete|remove|edit|create|new|write|post|go|start|stop|buy|order|pay|continue|next|back|cancel|close|publish|update|upload|download|register|join|leave|view|read|ask|answer|reply|check|change|choose|select|apply|accept|decline|confirm|export|import|print|play)\b/i;

/** Returns whether a text begins with a verb, as buttons do. Links usually name their target. */
function isVerb(text: string): boolean {
  return VERB_PATTERN.test(text);
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : `${[...text]
        .slice(0, maxLength - 1)
        .join('')
        .slice(0, maxLength - 1)
        .trimEnd()}…`;
}

/** Returns the last two parts of a path, which describe a further request of an action. */
function lastWords(path: string): string {
  const parts = (path.split('?', 1)[0] ?? '').split('/').filter((part) => part !== '' && !/\d{3,}|[{}]/.test(part));
  return parts.slice(-2).join('/');
}
